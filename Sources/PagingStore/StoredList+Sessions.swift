extension StoredList {
  /// Shows the rows of a ranked list again that it showed before its last refresh, in one transaction: for an "undo"
  /// after a refresh that came by mistake.
  ///
  /// Every pager of the list shows them, without a request; scrolling goes on where that session was left, if the
  /// server still has it. The rows that were shown are kept in turn, so calling it twice changes nothing. One such
  /// order is kept beside the one that is shown, and the next refresh takes its place.
  ///
  /// - Returns: Whether there was one; false for lists that aren't ranked, and before the first refresh.
  /// - Throws: ``ListStoreError``, with nothing changed.
  @discardableResult
  public func showPreviousSession() throws(ListStoreError) -> Bool { try core.switchBack(id) }
}
