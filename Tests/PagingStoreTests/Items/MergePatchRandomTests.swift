import Loading
import Testing

@testable import PagingStore

/// Folds of differences over random trees: what holds of every pair of items, whatever is in them.
@Suite struct MergePatchRandomTests {
  /// Small numbers that repeat for a seed.
  private struct Dice: RandomNumberGenerator {
    private var numbers: SeededGenerator

    init(seed: Int) { numbers = SeededGenerator(seed: UInt64(seed)) }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func tree(depth: Int) -> JSONTree {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
      case 0: .null
      case 1: .bool(Bool.random(using: &self))
      case 2: .number(Array(String(Int.random(in: -3...3, using: &self)).utf8))
      case 3, 4: .text(["", "a", "\u{e9}", "\"\\\n", "\u{1F600}"].randomElement(using: &self) ?? "")
      case 5: .array((0..<Int.random(in: 0...2, using: &self)).map { _ in tree(depth: depth - 1) })
      default: object(depth: depth - 1)
      }
    }

    mutating func object(depth: Int) -> JSONTree {
      var members: [[UInt8]: JSONTree] = [:]
      for name in ["a", "b", "c", "d\"", "\u{e9}"] where Int.random(in: 0..<3, using: &self) > 0 {
        members[Array(name.utf8)] = tree(depth: depth)
      }
      return .object(members)
    }
  }

  private func patch(_ old: JSONTree, _ new: JSONTree) -> MergePatch? {
    MergePatch(from: old.encoded, to: new.encoded, isJSON: true)
  }

  private func fold(_ patch: MergePatch?, over base: JSONTree) -> JSONTree? {
    JSONTree(patch?.folded(over: base.encoded) ?? base.encoded)
  }

  @Test func S10_theDifferenceFoldedIsTheEdit() throws {
    for seed in 0..<4_000 {
      var dice = Dice(seed: seed)
      let old = dice.object(depth: 3)
      let new = dice.object(depth: 3)
      let edit = patch(old, new)
      #expect(fold(edit, over: old) == new, "seed \(seed)")
      #expect(try edit.map { try MergePatch(encoded: $0.encoded, isWhole: $0.isWhole) } == edit, "seed \(seed)")
      #expect(JSONTree(old.encoded) == old, "seed \(seed)")
    }
  }

  @Test func S10_foldingTwiceIsFoldingOnce() throws {
    for seed in 0..<2_000 {
      var dice = Dice(seed: seed)
      let edit = patch(dice.object(depth: 2), dice.object(depth: 2))
      let base = dice.object(depth: 2)
      let once = try #require(fold(edit, over: base))
      #expect(fold(edit, over: once) == once, "seed \(seed)")
    }
  }

  @Test func S10_whatIsSupersededShowsNoDifference() throws {
    for seed in 0..<4_000 {
      var dice = Dice(seed: seed)
      let old = dice.object(depth: 2)
      let middle = dice.object(depth: 2)
      guard let first = patch(old, middle), let second = patch(middle, dice.object(depth: 2)) else { continue }
      let base = dice.object(depth: 2)
      let both = fold(second, over: try #require(fold(first, over: base)))
      let left = fold(first.superseded(by: second), over: base)
      #expect(fold(second, over: try #require(left)) == both, "seed \(seed)")
    }
  }
}
