import Testing

@testable import Paging

@Suite struct CycleGuardTests {
  /// Keys of a tail, then of a circle, for ever: 0, 1, …, tail - 1, then round and round.
  private func key(_ step: Int, tail: Int, loop: Int) -> Int {
    step < tail ? step : tail + (step - tail) % loop
  }

  @Test(arguments: 0...6, 1...6) func P4_everySmallCircleIsNoticed(tail: Int, loop: Int) {
    var keys = CycleGuard<Int>()
    var seen: Set<Int> = []
    for step in 0..<3 * (tail + loop) {
      let next = key(step, tail: tail, loop: loop)
      if keys.keyCame(next) {
        #expect(seen.contains(next), "taken for a circle before a key came again")
        return
      }
      seen.insert(next)
    }
    Issue.record("not noticed after \(3 * (tail + loop)) keys")
  }

  @Test(arguments: 0...6, 1...6) func P4_circlesAreNoticedFromAStartKeyToo(tail: Int, loop: Int) {
    var keys = CycleGuard(startingFrom: key(0, tail: tail, loop: loop))
    let noticed = (1...3 * (tail + loop)).contains { keys.keyCame(key($0, tail: tail, loop: loop)) }
    #expect(noticed)
  }

  @Test func P4_aKeyThatFollowsItselfIsNoticedAtOnce() {
    var keys = CycleGuard<Int>()
    let first = (0..<1_000).contains { keys.keyCame($0) }
    let again = keys.keyCame(999)
    #expect(!first)
    #expect(again)
    var started = CycleGuard(startingFrom: 7)
    let atOnce = started.keyCame(7)
    #expect(atOnce)
  }

  @Test func P4_distinctKeysAreNeverTakenForACircle() {
    var keys = CycleGuard<Int>()
    let alarm = (0..<100_000).first { keys.keyCame($0) }
    #expect(alarm == nil)
  }

  @Test func P4_aLongCircleAfterALongTailIsNoticed() {
    var keys = CycleGuard<Int>()
    let step = (0..<3 * 15_000).first { keys.keyCame(key($0, tail: 5_000, loop: 10_000)) }
    #expect(step != nil)
  }
}
