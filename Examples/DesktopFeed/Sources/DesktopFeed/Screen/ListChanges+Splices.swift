import Paging

extension ListChanges {
  /// Rows to take out, as stretches of the old list from the last to the first, so that none moves those still to come.
  var removedStretches: [Range<Int>] { Self.stretches(removals + moves.map(\.from)).reversed() }

  /// Rows to put in after that, as stretches of the new list from the first to the last.
  var insertedStretches: [Range<Int>] { Self.stretches(insertions + moves.map(\.to)) }

  private static func stretches(_ indices: [Int]) -> [Range<Int>] {
    indices.sorted().reduce(into: []) { stretches, index in
      if let last = stretches.last, last.upperBound == index {
        stretches[stretches.count - 1] = last.lowerBound..<index + 1
      } else {
        stretches.append(index..<index + 1)
      }
    }
  }
}
