public import Paging

/// Scrolls a content in a test, in place of a screen and a finger.
///
/// Got from `collectRows(viewport:onFailure:scrolling:)`. Indices count all rows of the newest snapshot, placeholders
/// and separators too. Where the scroller stands is a row, not an index: when rows come in above, or a refresh moves
/// it, the index follows it. Every call returns when nothing loads any more.
///
/// Every method throws what a load failed with, unless the failure is to be answered otherwise, and `CancellationError`
/// when the task is cancelled. Use it from one task at a time.
public struct Scroller<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let content: any PagedContent<Item>
  private let rows: Int
  private let answer: FailureAnswer
  private let track: ScrollTrack<Item>

  init(_ content: some PagedContent<Item>, viewport rows: Int, answer: FailureAnswer) {
    self.content = content
    self.rows = max(1, rows)
    self.answer = answer
    track = ScrollTrack(content.snapshot)
  }

  /// The index of the row that is scrolled to; nil while there are no rows.
  public var index: Int? { track.place.index }

  /// The item of the row that is scrolled to; nil for a placeholder, and while there are no rows.
  public var item: Item? { track.place.item }

  // MARK: - Scrolling

  /// Scrolls to a row, one row at a time, and lets each load what it asks for before the next.
  ///
  /// It goes as many rows as `index` is away when it begins. Where the list ends on the way, it stops; so an index
  /// beyond the loaded rows, or below zero where rows come in above, is reached by loading.
  public func scroll(to index: Int) async throws {
    try await settle()
    guard let start = track.place.index else { return }
    report(start)
    try await settle()
    try await steps(from: start, to: index)
  }

  /// Lets go of all rows between and shows that row at once, as when a scroll bar is dragged: what can make a pager
  /// jump.
  ///
  /// From a loaded end, where no placeholders tell of what is beyond, the rest of the way is scrolled row by row.
  public func fling(to index: Int) async throws {
    try await settle()
    let place = track.place
    guard place.index != nil else { return }
    let nearest = min(max(0, index), place.snapshot.count - 1)
    report(nearest)
    try await settle()
    try await steps(from: nearest, to: index)
  }

  /// Scrolls down row by row while `condition` holds for the item that is scrolled to, or until the list ends.
  ///
  /// It ends on the first item for which the condition doesn't hold, and on a placeholder that nothing fills.
  public func append(while condition: (Item) throws -> Bool) async throws {
    try await step(1, while: condition)
  }

  /// Scrolls up row by row while `condition` holds for the item that is scrolled to, or until the list begins.
  ///
  /// It ends on the first item for which the condition doesn't hold, and on a placeholder that nothing fills.
  public func prepend(while condition: (Item) throws -> Bool) async throws {
    try await step(-1, while: condition)
  }

  // MARK: - Commands

  /// Loads the list anew. From its start, the scroller stands at its first loaded row then.
  ///
  /// - Parameter origin: Around the row that is on screen, the default, or from the start of the list.
  public func refresh(from origin: RefreshOrigin = .anchor) async throws {
    try await settle()
    content.refresh(from: origin)
    try await settle()
    if origin == .start { track.goToFirstLoaded() }
  }

  /// Loads one page at an edge, as a load-more button does.
  ///
  /// - Parameter type: Which edge; `.refresh` refreshes.
  public func load(_ type: LoadType) async throws {
    try await settle()
    content.load(type)
    try await settle()
  }

  /// Repeats what failed, and nothing else. What has failed before is no failure of this call.
  ///
  /// - Parameter type: Which load to repeat; nil, the default: all that failed.
  public func retry(_ type: LoadType? = nil) async throws {
    try checkOn()
    content.retry(type)
    try await settle()
  }

  // MARK: - Inside

  /// Waits until nothing loads, answers failures, and looks at the middle of a list that was not looked at before.
  func settle() async throws {
    while true {
      try checkOn()
      await content.settled()
      try checkOn()
      let snapshot = content.snapshot
      track.follow(snapshot)
      if let failure = snapshot.states.firstFailure {
        guard track.takesRetry(of: answer) else {
          if answer.throwsError { throw failure.error }
          track.stop()
          throw CollectingStopped()
        }
        content.retry()
      } else if track.place.index == nil, !snapshot.items.isEmpty {
        let middle = snapshot.placeholdersBefore + snapshot.items.count / 2
        report(max(snapshot.placeholdersBefore, middle - rows / 2))
      } else {
        return
      }
    }
  }

  private func checkOn() throws {
    try Task.checkCancellation()
    if track.isStopped { throw CollectingStopped() }
  }

  private func report(_ index: Int) {
    let snapshot = track.go(to: index)
    let lower = max(0, min(index, snapshot.count - rows))
    content.viewportChanged(to: lower..<min(snapshot.count, lower + rows), of: snapshot)
  }

  private func steps(from start: Int, to index: Int) async throws {
    let (distance, overflows) = index.subtractingReportingOverflow(start)
    guard distance != 0 || overflows else { return }
    let direction = index > start ? 1 : -1
    var left = overflows ? UInt.max : distance.magnitude
    while left > 0, try await step(direction) { left -= 1 }
  }

  private func step(_ direction: Int, while condition: (Item) throws -> Bool) async throws {
    try await settle()
    guard let start = track.place.index else { return }
    report(start)
    try await settle()
    while let item = track.place.item, try condition(item), try await step(direction) {}
  }

  /// One row on; false where there is none.
  private func step(_ direction: Int) async throws -> Bool {
    for _ in 0..<2 {
      let place = track.place
      guard let index = place.index else { return false }
      if (0..<place.snapshot.count).contains(index + direction) {
        report(index + direction)
        try await settle()
        return true
      }
      // An edge whose pages were dropped loads again after a fresh report only.
      report(index)
      try await settle()
    }
    return false
  }
}

extension CombinedLoadStates {
  /// What failed: the refresh's failure before the others'.
  fileprivate var firstFailure: LoadFailure? { refresh.failure ?? append.failure ?? prepend.failure }
}
