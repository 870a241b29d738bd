import PagingTesting
import Synchronization
import Testing

@Suite struct ManualClockTests {
  private typealias Instant = ManualClock.Instant

  @Test func aSleeperWakesAtItsDeadlineAndNotBefore() async throws {
    let clock = ManualClock()
    let woke = Mutex(false)
    let sleeper = Task {
      try await clock.sleep(for: .seconds(5))
      woke.withLock { $0 = true }
    }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleepers == [Instant(offset: .seconds(5))])
    await clock.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(!woke.withLock { $0 })
    await clock.advance(by: .nanoseconds(1))
    try await sleeper.value
    #expect(clock.sleepers.isEmpty)
    #expect(clock.now == Instant(offset: .seconds(5)))
  }

  // On one actor with whoever moves the clock, a sleeper has run before the clock goes on, however busy the machine is.
  @MainActor @Test func sleepersWakeByDeadlineAndSeeItAsNow() async throws {
    let clock = ManualClock()
    let seen = Recorded<Duration>()
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        seen.append(clock.now.offset)
      }
    }
    await clock.sleepers(atLeast: 3)
    await clock.advance(by: .seconds(10))
    for task in tasks { try await task.value }
    #expect(seen.values == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(clock.now.offset == .seconds(10))
  }

  @MainActor @Test func oneWhoSleepsAgainInsideTheTimePassedWakesAgain() async throws {
    let clock = ManualClock()
    let ticks = Mutex(0)
    let ticker = Task {
      for _ in 0..<5 {
        try await clock.sleep(for: .seconds(1))
        ticks.withLock { $0 += 1 }
      }
    }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    try await ticker.value
    #expect(ticks.withLock { $0 } == 5)
  }

  @Test func cancellationWakesAtOnceWithoutTheClock() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
    await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers.isEmpty)

    let gate = Gate()
    let late = Task {
      try? await gate.pass()
      try await clock.sleep(for: .seconds(5))
    }
    await gate.waiting(atLeast: 1)
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func aDeadlineInThePastReturnsAtOnceAndTimeNeverGoesBack() async throws {
    let clock = ManualClock()
    await clock.advance(by: .seconds(2))
    try await clock.sleep(until: Instant(offset: .seconds(2)))
    try await clock.sleep(until: Instant(offset: .seconds(-1)))
    await clock.advance(by: .seconds(-1))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func waitingForSleepersEndsWithItsTask() async {
    let clock = ManualClock()
    let waiting = Task { await clock.sleepers(atLeast: 1) }
    waiting.cancel()
    await waiting.value
  }

  @Test func cancellationAndTimeRacingLoseNobody() async {
    let clock = ManualClock()
    for _ in 0..<200 {
      let tasks = (0..<4).map { _ in Task.detached { try? await clock.sleep(for: .seconds(1)) } }
      let canceller = Task.detached { for task in tasks { task.cancel() } }
      let mover = Task.detached { await clock.advance(by: .seconds(1)) }
      await canceller.value
      await mover.value
      for task in tasks { await task.value }
    }
    #expect(clock.sleepers.isEmpty)
  }
}

/// What tasks append, in order.
private final class Recorded<Value: Sendable>: Sendable {
  private let all = Mutex<[Value]>([])

  var values: [Value] { all.withLock { $0 } }

  func append(_ value: Value) { all.withLock { $0.append(value) } }
}
