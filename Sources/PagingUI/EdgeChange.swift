/// What became of one edge of a list.
enum EdgeChange: Equatable {
  /// So many rows have come beyond the outermost one that stayed, or in a list that was empty.
  case added(Int)
  /// Nothing of what was there has stayed, and there are other rows.
  case replaced
  /// Nothing of what was there has stayed, and there is nothing.
  case emptied

  /// What became of the start.
  ///
  /// - Parameters:
  ///   - insertions: Indices of the rows that were not there before; ascending.
  ///   - count: How many rows there were before and are now.
  static func atStart(insertions: [Int], count: (before: Int, now: Int)) -> EdgeChange {
    edge(added: zip(insertions, 0...).prefix { $0 == $1 }.count, count)
  }

  /// What became of the end; the same of the other edge.
  static func atEnd(insertions: [Int], count: (before: Int, now: Int)) -> EdgeChange {
    edge(added: zip(insertions.reversed(), 1...).prefix { $0 == count.now - $1 }.count, count)
  }

  private static func edge(added: Int, _ count: (before: Int, now: Int)) -> EdgeChange {
    if added < count.now || count.before == 0 { return .added(added) }
    return count.now == 0 ? .emptied : .replaced
  }
}
