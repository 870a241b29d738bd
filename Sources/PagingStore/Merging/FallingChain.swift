/// Which rows of a page stay where they are: the longest chain whose positions fall, as the page says they should.
enum FallingChain {
  /// The indices of the longest strictly falling chain, in order. Among equally long ones the nearest to the
  /// attachment: the one that lies highest, or lowest when `prefersLow`.
  ///
  /// O(n) for positions that fall already, O(n²) otherwise; a page is short.
  static func indices(of positions: [Position], prefersLow: Bool = false) -> [Int] {
    if zip(positions, positions.dropFirst()).allSatisfy({ $0 > $1 }) { return Array(positions.indices) }
    // From each element on: the length of the longest chain, and what follows in it. Walked from the end, so that a
    // chain's first element decides between equals.
    var length = [Int](repeating: 1, count: positions.count)
    var next = [Int?](repeating: nil, count: positions.count)
    for index in positions.indices.reversed() {
      for later in positions.indices where later > index && positions[later] < positions[index] {
        let isLonger = length[later] + 1 > length[index]
        let isNearer =
          length[later] + 1 == length[index] && isPreferred(positions[later], next[index].map { positions[$0] })
        if isLonger || isNearer { (length[index], next[index]) = (length[later] + 1, later) }
      }
    }
    var start: Int?
    for index in positions.indices {
      guard let best = start else {
        start = index
        continue
      }
      let isTie = length[index] == length[best] && isPreferred(positions[index], positions[best])
      if length[index] > length[best] || isTie { start = index }
    }
    var chain: [Int] = []
    while let index = start {
      chain.append(index)
      start = next[index]
    }
    return chain

    func isPreferred(_ position: Position, _ other: Position?) -> Bool {
      guard let other else { return true }
      return prefersLow ? position < other : position > other
    }
  }
}
