extension ListStore {
  /// Gives up what nobody needs, down to ``ListStoreConfig/maxItems``. Call it now and then, say when the app goes to
  /// the background.
  ///
  /// First go items that are in no list, those whose last copy came longest ago first; then windows around items that
  /// pagers were opened at, which touched nothing of their list and which nobody shows; then the old ends of lists,
  /// down to where a token says how to go on, which are asked for again when somebody scrolls there. Never what is near
  /// the head of a list or a saved place, has an edit, or is observed by ``observe(_:of:)``. It works in short
  /// transactions, so others write meanwhile. O(items) reads; memory: a number for each item that is in no list.
  ///
  /// - Throws: ``ListStoreError``; `CancellationError` where its task is cancelled, with what was done so far done.
  @concurrent public func sweep() async throws {
    try await core.sweep(maxItems: config.maxItems)
  }
}
