import Testing

@testable import Paging

/// What one reply says about where the overlap rows are: all small cases.
@Suite struct OverlapMatchTests {
  /// Rows 0..<3 are older, 3..<3+n the overlap, the next 3 new. Up to `moves` overlap rows move and some are deleted.
  private func tryAll(overlap n: Int, moves: Int, _ check: (_ ids: [Int], _ moved: Set<Int>) -> String?) {
    let overlap = 3..<3 + n
    func go(_ ids: [Int], _ moved: Set<Int>, _ movesLeft: Int) {
      let kept = overlap.filter { ids.contains($0) && !moved.contains($0) }
      if kept.count > moved.count, let problem = check(ids, moved) {
        Issue.record("\(ids), moved \(moved): \(problem)")
      }
      guard movesLeft > 0 else { return }
      for row in overlap where !moved.contains(row) && ids.contains(row) {
        let rest = ids.filter { $0 != row }
        for place in 0...rest.count {
          var next = rest
          next.insert(row, at: place)
          go(next, moved.union([row]), movesLeft - 1)
        }
      }
    }
    for deleted in 0..<1 << n {
      go((0..<6 + n).filter { !overlap.contains($0) || deleted >> ($0 - 3) & 1 == 0 }, [], moves)
    }
  }

  @Test(arguments: [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2)], [false, true])
  func P32_theMiddleRowFoundSeparatesOldFromNew(_ sizes: (overlap: Int, moves: Int), readsUp: Bool) {
    let overlap = Set(3..<3 + sizes.overlap)
    let new = readsUp ? [0, 1, 2] : Array(3 + sizes.overlap..<6 + sizes.overlap)
    tryAll(overlap: sizes.overlap, moves: sizes.moves) { ids, _ in
      guard let match = OverlapMatch(ids, overlap: overlap, held: overlap, readsUp: readsUp, goesOn: false) else {
        return "not found"
      }
      let fresh = match.fresh.map { ids[$0] }
      return fresh == new ? nil : "new are \(fresh)"
    }
  }

  @Test(arguments: [(3, 1), (4, 1), (5, 2)], [false, true])
  func P32_aReplyThatIsCutIsCertainOnlyWhereItIsRight(_ sizes: (overlap: Int, moves: Int), readsUp: Bool) {
    let overlap = Set(3..<3 + sizes.overlap)
    let old = readsUp ? 3 + sizes.overlap..<6 + sizes.overlap : 0..<3
    tryAll(overlap: sizes.overlap, moves: sizes.moves) { ids, moved in
      for start in ids.indices {
        for end in start + 1...ids.count {
          let cut = Array(ids[start..<end])
          let goesOn = readsUp ? start > 0 : end < ids.count
          guard let match = OverlapMatch(cut, overlap: overlap, held: overlap, readsUp: readsUp, goesOn: goesOn),
            match.isCertain
          else { continue }
          let fresh = match.fresh.map { cut[$0] }
          if fresh.contains(where: { old.contains($0) }) { return "\(cut) repeats, new are \(fresh)" }
          let skipped = cut.filter { !overlap.contains($0) && !old.contains($0) && !fresh.contains($0) }
          if !skipped.isEmpty { return "\(cut) skips \(skipped)" }
        }
      }
      return nil
    }
  }

  @Test func P32_nothingFoundSaysNothing() {
    #expect(OverlapMatch([1, 2, 3], overlap: [9], held: [9], readsUp: false, goesOn: true) == nil)
    #expect(OverlapMatch([Int](), overlap: [9], held: [9], readsUp: true, goesOn: true) == nil)
  }
}
