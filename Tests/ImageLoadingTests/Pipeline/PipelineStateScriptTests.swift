import Loading
import Testing

@testable import ImageLoading

/// Every order in which the steps of a few short scripts can come, and long scripts by chance.
@Suite struct PipelineStateScriptTests {
  private typealias Harness = PipelineStateHarness
  private typealias Move = (inout PipelineStateHarness) -> Void

  private static let picture = Harness.chain("b/d")
  private static let round = Harness.chain("b/d/round")

  /// Plays every merge of the scripts, each followed by `drain`.
  private func playAll(
    _ scripts: [[Move]], onEnd: [UInt64: UInt64] = [:], expecting check: (PipelineStateHarness) -> Void = { _ in }
  ) -> Int {
    var count = 0
    func merge(_ places: [Int], _ harness: PipelineStateHarness) {
      guard places != scripts.map(\.count) else {
        var harness = harness
        harness.drain()
        count += 1
        if let fault = harness.faults.first { Issue.record(Comment(rawValue: fault)) }
        return check(harness)
      }
      for index in scripts.indices where places[index] < scripts[index].count {
        var (next, places) = (harness, places)
        scripts[index][places[index]](&next)
        places[index] += 1
        merge(places, next)
      }
    }
    var harness = Harness()
    harness.onEnd = onEnd
    merge(scripts.map { _ in 0 }, harness)
    return count
  }

  private func shell(_ steps: Int, _ move: @escaping Move = { $0.advance() }) -> [Move] {
    Array(repeating: move, count: steps)
  }

  @Test func B9_joiningInTheInstantOfTheLastLeave() {
    let count = playAll([
      [{ $0.join(1, Self.picture) }, { $0.leave(1) }], [{ $0.join(2, Self.picture) }], shell(5),
    ]) { #expect($0.end(of: 2) == .finished(Self.picture[1].key.text)) }
    #expect(count == 168)
  }

  @Test func B26_aPriorityThatIsRaisedWhileItStarts() {
    _ = playAll([
      [{ $0.join(1, Self.round, .low) }, { $0.raise(1, .high) }, { $0.raise(1, .medium) }],
      [{ $0.join(2, Self.picture, .low) }, { $0.leave(2) }], shell(5),
    ]) { #expect($0.end(of: 1) != nil) }
  }

  @Test func B12_cancellingFromInsideACallback() {
    // Whoever hears of its end first takes the other one out.
    _ = playAll(
      [[{ $0.join(1, Self.picture) }], [{ $0.join(2, Self.round) }, { $0.join(3, Self.picture) }], shell(6)],
      onEnd: [1: 2, 3: 1]
    ) { #expect($0.end(of: 3) != nil) }
  }

  @Test func B14_BUG7_failingWhileSomebodyJoins() {
    let fails: Move = { harness in
      let work = harness.running.firstIndex { $0.step == .work }
      if let work { harness.advance(work, fails: true) } else { harness.advance() }
    }
    _ = playAll([
      [{ $0.join(1, Self.round) }], [{ $0.join(2, Self.picture) }, { $0.leave(1) }], shell(4, fails), shell(2),
    ]) { #expect($0.end(of: 2) != nil) }
  }

  @Test func B8_decodingEndsWhileTheLastOneLeaves() {
    _ = playAll([
      [{ $0.join(1, Self.picture) }, { $0.join(2, Self.round) }], [{ $0.leave(1) }, { $0.leave(2) }], shell(6),
    ])
  }

  @Test func B31_B73_suspendingRejectingAndInvalidatingMeanwhile() {
    _ = playAll([
      [{ $0.join(1, Self.picture) }, { $0.join(2, Self.round) }, { $0.leave(1) }],
      [{ $0.suspend(true) }, { $0.suspend(false) }], [{ $0.invalidate("b") }],
      shell(4) { $0.advance(rejects: true) },
    ]) { #expect($0.end(of: 2) != nil) }
  }

  @Test func B16_scriptsByChanceKeepEveryPromise() {
    let seed = UInt64.random(in: .min ... .max)
    print("PipelineStateScriptTests seed \(seed)")
    for number in 0..<3_000 {
      var chance = SeededGenerator(seed: seed &+ UInt64(number))
      let harness = play(by: &chance, steps: 60)
      if let fault = harness.faults.first {
        Issue.record(Comment(rawValue: "seed \(seed &+ UInt64(number)): \(fault)"))
        return
      }
    }
  }

  private func play(by chance: inout SeededGenerator, steps: Int) -> PipelineStateHarness {
    let chains = [
      Harness.chain("b"), Self.picture, Self.round, Harness.chain("b/e"), Harness.chain("b/d/blur"),
      Harness.chain("c/f"), Harness.chain("b/d/round/blur"),
    ]
    var harness = Harness()
    var waiters: UInt64 = 0
    for _ in 0..<steps {
      switch Int.random(in: 0..<20, using: &chance) {
      case 0..<5:
        waiters += 1
        if Int.random(in: 0..<4, using: &chance) == 0, waiters > 1 {
          harness.onEnd[waiters] = UInt64.random(in: 1..<waiters, using: &chance)
        }
        harness.join(waiters, chains.randomElement(using: &chance) ?? [], Self.priority(&chance))
      case 5..<8 where waiters > 0: harness.leave(.random(in: 1...waiters, using: &chance))
      case 8..<10 where waiters > 0: harness.raise(.random(in: 1...waiters, using: &chance), Self.priority(&chance))
      case 10: harness.suspend(.random(using: &chance))
      case 11: harness.invalidate(["b", "c", "b/d"].randomElement(using: &chance) ?? "b")
      default:
        guard !harness.running.isEmpty else { continue }
        harness.advance(
          .random(in: 0..<harness.running.count, using: &chance), fails: Int.random(in: 0..<8, using: &chance) == 0,
          finds: Int.random(in: 0..<6, using: &chance) == 0, rejects: Int.random(in: 0..<3, using: &chance) == 0)
      }
    }
    if Int.random(in: 0..<10, using: &chance) == 0 { harness.close() }
    harness.drain()
    return harness
  }

  private static func priority(_ chance: inout SeededGenerator) -> LoadPriority {
    LoadPriority(rawValue: .random(in: -1...1, using: &chance))
  }
}
