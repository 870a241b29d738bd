extension StoredList {
  /// Begins a subscription, which takes the place of an earlier one of this list.
  ///
  /// The head is current from the next head page on that is asked for after this returns, until the session ends.
  ///
  /// - Returns: The session, to be given what comes. It ends when it is let go of.
  /// - Throws: ``ListStoreError``.
  public func liveSession() throws(ListStoreError) -> LiveSession<Item> {
    LiveSession(self, number: try core.beginLive(id, policy: policy))
  }
}
