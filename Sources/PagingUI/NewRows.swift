/// Counts the rows that came in at the start of a list and have not been on screen.
///
/// A row counts as new once the start of the list was known: pages on the way there are no news, nor are rows that were
/// let go of and come back. Pure.
struct NewRows {
  /// Whether what comes in front of the first row is new.
  private(set) var isStartKnown: Bool
  /// How many are new; they are the first ones of the list.
  private(set) var unseen = 0

  init(isStartKnown: Bool) { self.isStartKnown = isStartKnown }

  /// The screen shows other rows.
  ///
  /// - Parameter rows: How many rows are in front of the first one on screen.
  mutating func viewportMoved(rowsAbove rows: Int) { unseen = min(unseen, max(0, rows)) }

  /// The rows have changed.
  ///
  /// - Parameters:
  ///   - change: What has come in front of the first row that stayed. Nothing is new in a list that was empty, which is
  ///     all on screen.
  ///   - firstStayed: Whether the row that was the first one is still there.
  ///   - isAtStart: Whether the first row is known to be the list's first.
  mutating func rowsChanged(_ change: EdgeChange, firstStayed: Bool, isAtStart: Bool) {
    if case .added(let added) = change {
      // Where the row went that was the first one, rows may be missing in front of what came.
      if isStartKnown, firstStayed || isAtStart { unseen += added }
    } else {
      unseen = 0
    }
    isStartKnown = isAtStart || isStartKnown && firstStayed
  }
}
