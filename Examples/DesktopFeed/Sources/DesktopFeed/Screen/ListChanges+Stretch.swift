import Paging

extension ListChanges {
  /// A stretch of rows that others take the place of.
  struct Stretch {
    var start: Int
    var removed: Int
    var added: Int
  }

  /// The one stretch that holds all that came, went or moved; nil: nothing did. GTK's list models know of no other change.
  func stretch(from oldCount: Int, to newCount: Int) -> Stretch? {
    let old = removals + moves.map(\.from)
    let new = insertions + moves.map(\.to)
    guard let start = (old + new).min() else { return nil }
    let oldEnd = old.max().map { $0 + 1 } ?? start
    let newEnd = new.max().map { $0 + 1 } ?? start
    // What lies below is the same in both.
    let below = min(oldCount - oldEnd, newCount - newEnd)
    return Stretch(start: start, removed: oldCount - below - start, added: newCount - below - start)
  }
}
