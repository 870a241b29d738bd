/// Decides for a list that is read from its end, as a conversation is, what a row that is added there does to the
/// screen.
///
/// With the end on screen it is to be scrolled to. Elsewhere the screen holds still and a count rises. The reader's own
/// row is scrolled to from anywhere. A row counts as added once the end of the list was known: pages on the way there
/// are no news. Pure.
struct FollowsEnd {
  /// Whether the list's true end has been reached, so that what comes behind it is new.
  private(set) var isEndKnown: Bool
  /// Whether the screen is at the end, or on its way there.
  private(set) var isFollowing: Bool
  /// Rows between the viewport and the end.
  private var rowsBelow: Int
  /// Rows that were added and have not been on screen.
  private(set) var unseen = 0

  init(isEndKnown: Bool, isEmpty: Bool) {
    self.isEndKnown = isEndKnown
    isFollowing = isEmpty
    rowsBelow = 0
  }

  /// The screen shows other rows.
  ///
  /// A screen that was asked to scroll and isn't there yet, since it scrolls gradually, still follows unless it goes
  /// the other way.
  ///
  /// - Parameter rows: How many rows are behind the last one on screen.
  mutating func viewportMoved(rowsBelow rows: Int) {
    isFollowing = rows <= 0 || isFollowing && rowsBelow > 0 && rows <= rowsBelow
    rowsBelow = max(0, rows)
    unseen = min(unseen, rowsBelow)
  }

  /// The rows have changed.
  ///
  /// - Parameters:
  ///   - change: What has come behind the last row that stayed.
  ///   - lastStayed: Whether the row that was the last one is still there. Rows that were let go of to be loaded again
  ///     come back behind another one, and are no news.
  ///   - hasOwn: Whether one of those rows is the reader's own.
  ///   - isAtEnd: Whether the last row is known to be the list's last.
  /// - Returns: Whether the end is to be scrolled to.
  mutating func rowsChanged(_ change: EdgeChange, lastStayed: Bool = true, hasOwn: Bool, isAtEnd: Bool) -> Bool {
    guard case .added(let added) = change else {
      // Another list: where its end is, and whether it is on screen, is to be seen. One without rows is all on screen.
      isEndKnown = isAtEnd
      isFollowing = change == .emptied
      rowsBelow = 0
      unseen = 0
      return false
    }
    let wasEndKnown = isEndKnown
    isEndKnown = isAtEnd || isEndKnown && lastStayed
    guard added > 0 else { return false }
    rowsBelow += added
    guard wasEndKnown else {
      isFollowing = false
      return false
    }
    guard isFollowing || hasOwn else {
      unseen += added
      return false
    }
    isFollowing = true
    unseen = 0
    return true
  }
}
