/// Tells an expired cursor that is answered by starting again from one that is a failure.
///
/// A second expiry in a row, with no page that showed a row between the two, is a failure. So is one after three
/// recoveries that together led to less than a page of rows: a server whose cursors never last would be asked without
/// end.
struct ExpiryGuard {
  private static var limit: Int { 3 }

  private var isInARow = false
  private var recoveries = 0
  private var rows = 0

  /// The cursor of an edge has expired.
  ///
  /// - Returns: Whether the list starts again.
  mutating func edgeExpired() -> Bool {
    guard !isInARow, recoveries < Self.limit else { return false }
    recoveries += 1
    isInARow = true
    return true
  }

  /// The list starts again since the cursor of a refresh has expired.
  mutating func refreshExpired() { isInARow = true }

  /// A page came at an edge.
  mutating func pageCame(showing shown: Int, of pageSize: Int) {
    guard shown > 0, recoveries > 0 || isInARow else { return }
    isInARow = false
    rows += min(shown, pageSize)
    if rows >= pageSize { self = ExpiryGuard() }
  }
}
