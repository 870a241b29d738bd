import Loading
import Testing

@testable import Paging

@Suite struct IdentityDiffTests {
  private func identities(_ ids: [Int], hash: (Int) -> Int = { $0.hashValue }) -> RowIdentities<Int> {
    RowIdentities(hashes: ids.map(hash), ids: ids)
  }

  /// The length of a longest increasing subsequence, the slow and plain way.
  private func longestIncreasing(_ values: [Int]) -> Int {
    var best = Array(repeating: 1, count: values.count)
    for end in values.indices {
      for start in 0..<end where values[start] < values[end] { best[end] = max(best[end], best[start] + 1) }
    }
    return best.max() ?? 0
  }

  private func check(_ old: [Int], _ new: [Int], hash: (Int) -> Int = { $0.hashValue }) {
    let diff = IdentityDiff(from: identities(old, hash: hash), to: identities(new, hash: hash))
    let places = (
      old: Dictionary(uniqueKeysWithValues: zip(old, old.indices)),
      new: Dictionary(uniqueKeysWithValues: zip(new, new.indices))
    )
    #expect(diff.oldIndices.map(Int.init) == new.map { places.old[$0] ?? -1 })
    #expect(diff.newIndices.map(Int.init) == old.map { places.new[$0] ?? -1 })
    let matched = diff.oldIndices.filter { $0 >= 0 }.map(Int.init)
    let stay = new.indices.filter { diff.oldIndices[$0] >= 0 && !diff.isMoved[$0] }.map { Int(diff.oldIndices[$0]) }
    #expect(stay == stay.sorted(), "what stays is in order")
    #expect(stay.count == longestIncreasing(matched), "as few moves as will do")
    #expect(diff.moveCount == matched.count - stay.count)
    #expect(diff.isMoved.filter { $0 }.count == diff.moveCount)
  }

  @Test func plainCases() {
    check([], [])
    check([], [1, 2])
    check([1, 2], [])
    check([1, 2, 3], [1, 2, 3])
    check([1, 2, 3], [3, 1, 2])
    check([1, 2, 3, 4], [4, 3, 2, 1])
    check([1, 2, 3, 4, 5], [1, 9, 4, 3, 5])
    check(Array(0..<200), Array(100..<200) + Array(0..<100))
    check(Array(0..<300), Array(150..<300))
    check(Array(0..<300), Array(1000..<1100) + Array(0..<300))
    check(Array(0..<300), Array(1000..<1300))
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func P26_randomListsAreMatchedWithFewestMoves(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let old = Array(0..<Int.random(in: 0...250, using: &random)).shuffled(using: &random)
    var new = old.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      new.insert(1000 + new.count, at: Int.random(in: 0...new.count, using: &random))
    }
    if seed % 3 == 0 { new.shuffle(using: &random) }
    if seed % 3 == 1 {
      for _ in 0..<5 where new.count > 1 {
        new.insert(new.remove(at: .random(in: new.indices, using: &random)), at: 0)
      }
    }
    var distinct = Set<Int>()
    new = new.filter { distinct.insert($0).inserted }
    check(old, new)
    check(old, new, hash: { $0 % 3 })
    check(old, new, hash: { _ in 7 })
  }

  /// Identities are distinct by contract; should one come twice all the same, nothing is matched twice.
  @Test func anIdentityThatComesTwiceIsMatchedOnce() {
    let diff = IdentityDiff(from: identities([1, 2, 1, 3]), to: identities([3, 1, 1, 1, 2]))
    let matched = diff.oldIndices.filter { $0 >= 0 }
    #expect(Set(matched).count == matched.count)
    #expect(matched.count == 4)
  }
}
