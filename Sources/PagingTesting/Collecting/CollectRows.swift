public import Paging

extension PagedContent {
  /// Collects the content while `body` scrolls, and returns the rows that were loaded at the end.
  ///
  /// ```swift
  /// let rows = try await pager.collectRows { scroll in
  ///   try await scroll.append { $0.id < 50 }
  ///   try await scroll.fling(to: 0)
  /// }
  /// ```
  ///
  /// The content is observed meanwhile. Before `body` runs, the first rows have come, and those in their middle were
  /// reported as on screen, so that what is prefetched around them is loaded too; a plain `collectRows()` does no more
  /// than that. Every call of the scroller, and the end, waits until nothing loads: no time passes but what the
  /// source's own clock asks for, and the same source gives the same rows in every run.
  ///
  /// A source that never returns is waited for until the task is cancelled.
  ///
  /// - Parameters:
  ///   - rows: How many rows are on screen at a time, the one scrolled to first; default 1.
  ///   - answer: What to do when a load fails; default: throw its error.
  ///   - body: What scrolls. Default: nothing.
  /// - Returns: The items that are loaded at the end, in order, without placeholders.
  /// - Throws: What a load failed with, unless `answer` says otherwise; what `body` throws; `CancellationError` when
  ///   the task is cancelled.
  public func collectRows(
    viewport rows: Int = 1, onFailure answer: FailureAnswer = .rethrow,
    scrolling body: (_ scroll: Scroller<Item>) async throws -> Void = { _ in }
  ) async throws -> [Item] {
    // Whoever collects looks at the list: without this, pages could be released meanwhile.
    let stream = snapshots().makeAsyncIterator()
    defer { withExtendedLifetime(stream) {} }
    let scroller = Scroller(self, viewport: rows, answer: answer)
    do {
      try await scroller.settle()
      try await body(scroller)
      try await scroller.settle()
    } catch is CollectingStopped {
      // The failure was to be left aside.
    }
    return Array(snapshot.items)
  }
}
