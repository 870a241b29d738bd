extension StoredList {
  /// The number of new items that wait for ``showPending()``, now and each time that it is another.
  ///
  /// With ``ListPolicy/Freshness/newItemsControl`` items above those that are shown are stored and counted, and nothing
  /// on screen moves. Only what ``showing(_:)`` lets through counts. While the stream is there, a remote that can say
  /// how many newer items there are is asked at ``ListPolicy/pollInterval``, unless a live session says it anyway; what
  /// it says counts too. Counting is cheap; more than 100 are "at least" 100.
  ///
  /// - Returns: The counts. What a reader is too slow for is skipped. A store that can't be read is reported to its
  ///   observer, and the stream goes on. For one reader; ask again for another.
  public func pendingCount() -> AsyncStream<PendingCount> {
    let watch = PendingWatch(self)
    return AsyncStream { await watch.next() }
  }

  /// The number of new items that wait, now. At most 100 rows are counted; with a rule of ``showing(_:)`` at most 1,000
  /// are looked at.
  ///
  /// - Throws: ``ListStoreError``.
  public func currentPendingCount() throws(ListStoreError) -> PendingCount {
    try core.pendingCount(of: id, policy: policy, where: rule)
  }

  /// Shows all that waits, in one transaction. A gap below it, if there is one, stays.
  ///
  /// - Throws: ``ListStoreError``.
  public func showPending() throws(ListStoreError) { try core.showPending(id) }

  /// The same list with a rule of its own for what is visible, so that nobody is told of new items that then don't
  /// show: muted people, filtered words.
  ///
  /// Rows are not hidden by it: the screen does that, by the same rule.
  ///
  /// - Parameter isVisible: Whether an item shows. Called on any thread, and again only when the item changed.
  public func showing(_ isVisible: @escaping @Sendable (Item) -> Bool) -> StoredList<Item> {
    StoredList(name, policy: policy, core: core, coder: coder, remote: remote, ways: ways, isVisible: isVisible)
  }

  private var rule: ((Int64, [UInt8]) -> Bool)? {
    guard let isVisible else { return nil }
    return { [coder] _, blob in (try? coder.decode(Item.self, from: blob)).map(isVisible) ?? false }
  }
}
