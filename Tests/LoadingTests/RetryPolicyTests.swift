import Loading
import Testing

@Suite struct RetryPolicyTests {
  struct Busy: Error {}

  private func delays(_ policy: RetryPolicy, attempts: Int, seed: UInt64 = 1) -> [Duration?] {
    var generator = SeededGenerator(seed: seed)
    return (1...attempts).map { policy.delay(afterAttempt: $0, error: Busy(), using: &generator) }
  }

  @Test func L5_noneNeverRetries() {
    #expect(delays(.none, attempts: 3) == [nil, nil, nil])
  }

  @Test func L5_delaysDoubleUpToTheCapAndAttemptsAreBounded() {
    let policy = RetryPolicy.exponential(maxAttempts: 9, jitter: 0) { _ in .transient }
    let expected: [Duration?] = [
      .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30), .seconds(30),
      nil,
    ]
    #expect(delays(policy, attempts: 9) == expected)
  }

  @Test func L5_jitterStaysBelowTheFullDelayAndRepeatsWithItsSeed() {
    let policy = RetryPolicy.exponential(maxAttempts: 8, jitter: 1) { _ in .transient }
    let full = delays(.exponential(maxAttempts: 8, jitter: 0) { _ in .transient }, attempts: 7)
    let first = delays(policy, attempts: 7, seed: 7)
    #expect(first == delays(policy, attempts: 7, seed: 7))
    #expect(first != delays(policy, attempts: 7, seed: 8))
    for (jittered, full) in zip(first, full) {
      let jittered = jittered ?? .seconds(-1)
      #expect(jittered >= .zero && jittered <= full ?? .zero)
    }
  }

  @Test func L5_permanentErrorsAndCancellationAreNotRetried() {
    var generator = SeededGenerator(seed: 1)
    let permanent = RetryPolicy.exponential(maxAttempts: 5) { _ in .permanent }
    #expect(permanent.delay(afterAttempt: 1, error: Busy(), using: &generator) == nil)
    let eager = RetryPolicy.exponential(maxAttempts: 5) { _ in .transient }
    #expect(eager.delay(afterAttempt: 1, error: CancellationError(), using: &generator) == nil)
  }

  @Test func L5_aServersWordIsNeitherShortenedNorExceededByTheCap() {
    let asked = RetryPolicy.exponential(maxAttempts: 5) { _ in .after(.seconds(7)) }
    #expect(delays(asked, attempts: 1) == [.seconds(7)])
    let tooLong = RetryPolicy.exponential(maxAttempts: 5) { _ in .after(.seconds(31)) }
    #expect(delays(tooLong, attempts: 1) == [nil])
  }

  @Test func L5_extremeNumbersDoNotTrap() {
    let huge = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let policy = RetryPolicy.exponential(maxAttempts: .max, base: .seconds(1), cap: huge, jitter: .nan) { _ in
      .transient
    }
    var generator = SeededGenerator(seed: 1)
    #expect(policy.delay(afterAttempt: .max - 1, error: Busy(), using: &generator) != nil)
    let negative = RetryPolicy.exponential(maxAttempts: -3, base: .seconds(-1), cap: .seconds(-1)) { _ in .transient }
    #expect(negative.delay(afterAttempt: 1, error: Busy(), using: &generator) == nil)
  }

  @Test func ticketsAndPrioritiesAreReadableAcrossThreads() async {
    let ticket = LoadTicket()
    #expect(ticket.priority == .medium)
    await Task.detached { ticket.priority = .high }.value
    #expect(ticket.priority == .high)
    #expect(LoadPriority.low < .medium && LoadPriority.medium < .high)
  }
}
