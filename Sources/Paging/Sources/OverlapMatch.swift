/// Which rows of a reply were held before, and between which two the new ones begin.
///
/// Overlap rows stood side by side when their key was made. Those that stayed still stand in that order, with nothing
/// between them but rows that came since; some may have been deleted, and some may have moved anywhere. As long as more
/// of them stayed than moved, the middle one of those found, by where they are now, is one that stayed or stands
/// between two that did. So no row that was there all the time lies between it and the place of the key, other than
/// overlap rows, which are left out: reading on from it repeats and skips nothing.
struct OverlapMatch: Sendable {
  /// How many of the overlap rows the reply has.
  let found: Int
  /// From the first of them to the last.
  let spread: Range<Int>
  /// The offsets in the reply of the rows that are new.
  let fresh: [Int]
  /// Whether rows that the reply lacks could not show another place for the boundary, wherever they are.
  let isCertain: Bool
  /// The same for a reply far from where the rows were, where chance may have brought some: hardly one may be missing.
  let isComplete: Bool

  /// What a reply says; nil when it has none of the overlap rows.
  ///
  /// - Parameters:
  ///   - ids: The identities of the reply's rows.
  ///   - overlap: The overlap rows.
  ///   - held: All rows that are not new wherever they are.
  ///   - readsUp: Whether the new rows are those in front.
  ///   - goesOn: Whether the list may go on beyond the reply, on the side that is read towards.
  init?<ID: Hashable>(_ ids: [ID], overlap: Set<ID>, held: Set<ID>, readsUp: Bool, goesOn: Bool) {
    let places = ids.indices.filter { overlap.contains(ids[$0]) }
    guard let first = places.first, let last = places.last else { return nil }
    found = places.count
    spread = first..<last + 1
    // Of an even number the outer one: a doubtful row comes twice rather than never.
    let middle = places[readsUp ? places.count / 2 : (places.count - 1) / 2]
    fresh = (readsUp ? 0..<middle : middle + 1..<ids.count).filter { !held.contains(ids[$0]) }

    // Rows that stayed may be missing only beyond an edge of the reply. Beyond the one that is read away from they
    // weigh like the first of those found, so one fewer will do. Beyond the other one they lie only if those found
    // reach up to it.
    let moved = (overlap.count - 1) / 2
    let isCutOff = goesOn && (readsUp ? first == 0 : last == ids.count - 1)
    isCertain = places.count >= max(1, isCutOff ? 2 * moved + 1 : 2 * moved)
    isComplete = places.count >= max(1, goesOn ? 2 * moved + 1 : 2 * moved)
  }
}
