import Loading
import Testing

@testable import ImageLoading

@Suite struct PipelineStateTests {
  private typealias Harness = PipelineStateHarness

  private let picture = Harness.chain("b/d")
  private let round = Harness.chain("b/d/round")
  private let blurred = Harness.chain("b/d/round/blur")
  private let other = Harness.chain("b/e")

  /// Waiters 1 and 2 for these, all of it done, and who got what.
  private func both(_ first: [PipelineState<Int>.Name], _ second: [PipelineState<Int>.Name]) -> Harness {
    var harness = Harness()
    harness.join(1, first)
    harness.join(2, second)
    harness.drain()
    #expect(harness.faults == [])
    return harness
  }

  @Test func B1_equalRequestsShareAll() {
    let harness = both(picture, picture)
    #expect(harness.works == picture.map(\.key.text))
  }

  @Test func B3_I2_aTransformRunsOnceForALongerListThatBeginsWithIt() {
    let harness = both(round, blurred)
    #expect(harness.count(of: "b/d/round") == 1)
    #expect(harness.works.count == 4)
  }

  @Test func B5_sizesShareTheirBytesAndNothingElse() {
    let harness = both(picture, other)
    #expect(harness.count(of: "b") == 1)
    #expect(harness.works.count == 3)
  }

  @Test func B19_whoWantsBytesSharesThemWithWhoWantsThePicture() {
    let harness = both(Harness.chain("b"), picture)
    #expect(harness.count(of: "b") == 1)
  }

  @Test func B7_B18_oneOfTwoLeavesAndTheWorkGoesOn() {
    var harness = Harness()
    harness.join(1, picture)
    harness.join(2, picture)
    harness.advance()
    harness.leave(1)
    #expect(harness.cancelled == [])
    harness.drain()
    #expect(harness.end(of: 1) == nil)
    #expect(harness.end(of: 2) != nil)
    #expect(harness.faults == [])
  }

  @Test func B8_I2_theLastOneOutCancelsEveryStageOnce() {
    var harness = Harness()
    harness.join(1, blurred)
    harness.join(2, blurred)
    for _ in 0..<3 { harness.advance() }
    #expect(harness.count(of: "b") == 1)
    harness.leave(1)
    harness.leave(2)
    #expect(harness.cancelled.count == 1)
    #expect(harness.state.count == 0)
    #expect(harness.running.isEmpty)
    #expect(harness.faults == [])
  }

  @Test func B9_BUG4_whoAsksAfterTheLastOneLeftGetsFreshWork() {
    var harness = Harness()
    harness.join(1, picture)
    harness.advance()
    harness.leave(1)
    harness.join(2, picture)
    harness.drain()
    #expect(harness.end(of: 2) != nil)
    #expect(harness.count(of: "b") == 2)
    #expect(harness.faults == [])
  }

  @Test func B13_BUG8_whoJoinsWhileItIsDecodedFetchesNothing() {
    var harness = Harness()
    harness.join(1, picture)
    for _ in 0..<3 { harness.advance() }
    #expect(harness.count(of: "b/d") == 1)
    harness.join(2, picture)
    // Another size too: the bytes are there as long as anything is made of them.
    harness.join(3, other)
    harness.drain()
    #expect(harness.count(of: "b") == 1)
    #expect(harness.count(of: "b/d") == 1)
    #expect([2, 3].allSatisfy { harness.end(of: $0) != nil })
    #expect(harness.faults == [])
  }

  @Test func B17_aFailureReachesAllAboveIt() {
    var harness = Harness()
    harness.join(1, blurred)
    harness.join(2, other)
    harness.join(3, Harness.chain("b"))
    while let look = harness.running.firstIndex(where: { $0.step == .look }) { harness.advance(look) }
    harness.advance(fails: true)
    #expect([1, 2, 3].allSatisfy { harness.end(of: $0) == .failed })
    #expect(harness.state.count == 0)
    #expect(harness.faults == [])
  }

  @Test func B27_B28_I2_aStageIsAsUrgentAsTheMostUrgentWhoWait() {
    var harness = Harness()
    harness.join(1, picture, .low)
    harness.advance()
    #expect(harness.priority(of: "b") == .low)
    harness.join(2, round, .high)
    harness.advance(harness.running.count - 1)
    #expect(harness.priority(of: "b") == .high)
    #expect(harness.priority(of: "b/d") == .high)
    harness.leave(2)
    #expect(harness.priority(of: "b") == .low)
    harness.raise(1, .medium)
    #expect(harness.priority(of: "b") == .medium)
    #expect(harness.faults == [])
  }

  @Test func B29_aPriorityOfWhatIsOverChangesNothing() {
    var harness = both(picture, picture)
    harness.raise(1, .high)
    harness.leave(1)
    #expect(harness.faults == [])
  }

  @Test func B31_nothingStartsWhileSuspendedAndAllDoInOrderThen() {
    var harness = Harness()
    harness.suspend(true)
    harness.join(1, Harness.chain("x"))
    harness.join(2, Harness.chain("y"))
    harness.join(3, Harness.chain("z"))
    harness.leave(2)
    #expect(harness.running.isEmpty)
    harness.suspend(false)
    #expect(harness.works == [Harness.key("x"), Harness.key("z")].map(\.text))
    harness.drain()
    #expect(harness.faults == [])
  }

  @Test func I13_whatDiesWhileSuspendedIsNoFailure() {
    var harness = Harness()
    harness.join(1, picture)
    harness.advance()
    harness.suspend(true)
    harness.advance(fails: true)
    #expect(harness.end(of: 1) == .abandoned)
    #expect(harness.faults == [])
  }

  @Test func B73_whatIsRejectedIsHadInAnotherMannerAndNobodyJoinsIt() {
    var harness = Harness()
    harness.join(1, picture)
    harness.join(2, other)
    // Both looked, the bytes came, and one finds them to be no picture.
    for _ in 0..<4 { harness.advance() }
    #expect(harness.running.map(\.step) == [.work, .work])
    harness.advance(rejects: true)
    harness.join(3, Harness.chain("b"))
    #expect(harness.count(of: "b") == 3)
    harness.drain()
    #expect([1, 2, 3].allSatisfy { harness.end(of: $0) != nil })
    #expect(harness.faults == [])
  }

  @Test func B135_closingEndsEveryWaiterOnce() {
    var harness = Harness()
    harness.join(1, picture)
    harness.join(2, blurred)
    harness.advance()
    harness.close()
    #expect([1, 2].allSatisfy { harness.end(of: $0) == .failed })
    #expect(harness.running.isEmpty)
    #expect(harness.faults == [])
  }

  @Test func whatIsInvalidatedIsJoinedByNobodyAndNotKept() {
    var harness = Harness()
    harness.join(1, picture)
    harness.advance()
    harness.invalidate("b")
    #expect(harness.state.nodes.values.contains { $0.isStale })
    harness.join(2, picture)
    harness.drain()
    #expect(harness.count(of: "b") == 2)
    #expect([1, 2].allSatisfy { harness.end(of: $0) != nil })
    #expect(harness.faults == [])
  }
}
