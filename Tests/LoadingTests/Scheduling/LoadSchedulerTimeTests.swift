import Loading
import PagingTesting
import Testing

/// What a scheduler does with time, on a clock that moves when it is told to.
@Suite(.timeLimit(.minutes(10))) struct LoadSchedulerTimeTests {
  private let clock = ManualClock()
  private let log = Log<String>()

  private func scheduler(_ most: Int = 9, ageing: Duration = .zero) -> LoadScheduler {
    LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: most, ageing: ageing), clock: clock)
  }

  /// Queues a job that notes its name, and returns when it waits.
  private func queue(
    _ name: String, on scheduler: LoadScheduler, _ priority: LoadPriority = .medium, _ pacing: LoadPacing? = nil
  ) async -> Task<Void, any Error> {
    let before = scheduler.load.waiting
    let log = log
    let task = Task { try await scheduler.run(LoadTicket(priority: priority), pacing: pacing) { log.add(name) } }
    await until { scheduler.load.waiting == before + 1 }
    return task
  }

  @Test func L1_debounceRunsTheLastOnceItIsQuiet() async throws {
    let scheduler = scheduler()
    let pacing = LoadPacing.debounce("search", for: .seconds(1))
    let first = await queue("a", on: scheduler, .medium, pacing)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(600))
    let log = log
    let second = Task { try await scheduler.run(pacing: pacing) { log.add("ab") } }
    await #expect(throws: CancellationError.self) { try await first.value }
    await clock.advance(by: .milliseconds(600))
    #expect(log.entries == [], "it has been quiet for 0.6 s only")
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(400))
    try await second.value
    #expect(log.entries == ["ab"])
    #expect(clock.sleepers == [])
  }

  @Test func L1_throttleKeepsStartsApartAndRunsAll() async throws {
    let scheduler = scheduler()
    let pacing = LoadPacing.throttle("feed", every: .seconds(1))
    try await scheduler.run(pacing: pacing) { [log] in log.add("a") }
    let tasks = [await queue("b", on: scheduler, .low, pacing), await queue("c", on: scheduler, .high, pacing)]
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(999))
    #expect(log.entries == ["a"])
    await clock.advance(by: .milliseconds(1))
    try await tasks[1].value
    #expect(log.entries == ["a", "c"])
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    try await tasks[0].value
    #expect(log.entries == ["a", "c", "b"])
  }

  @Test func L1_aTimeThatIsNearerIsNotMissed() async throws {
    let scheduler = scheduler()
    let late = await queue("late", on: scheduler, .medium, .debounce("late", for: .seconds(60)))
    await clock.sleepers(atLeast: 1)
    let soon = await queue("soon", on: scheduler, .medium, .debounce("soon", for: .seconds(1)))
    await until { clock.sleepers == [ManualClock.Instant(offset: .seconds(1))] }
    await clock.advance(by: .seconds(1))
    try await soon.value
    await until { clock.sleepers == [ManualClock.Instant(offset: .seconds(60))] }
    await clock.advance(by: .seconds(59))
    try await late.value
    #expect(clock.sleepers == [])
  }

  @Test func L1_aLowJobThatHasWaitedLongEnoughComesBeforeHighOnes() async throws {
    let (scheduler, stop) = (scheduler(1, ageing: .seconds(2)), Stop())
    let holder = Task { [log] in
      try await scheduler.run {
        log.add("holder")
        await stop.pass()
      }
    }
    await log.reached(1)
    let low = await queue("low", on: scheduler, .low)
    await clock.advance(by: .seconds(4))
    let high = await queue("high", on: scheduler, .high)
    stop.open()
    for task in [holder, low, high] { try await task.value }
    #expect(log.entries == ["holder", "low", "high"])
    #expect(clock.sleepers == [], "no timer is needed for that")
  }

  @Test func L1_aDebouncedJobThatIsCancelledNeverStarts() async throws {
    let scheduler = scheduler()
    let task = await queue("a", on: scheduler, .medium, .debounce("search", for: .seconds(1)))
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await clock.advance(by: .seconds(2))
    #expect(log.entries == [])
    #expect(scheduler.load == (0, 0))
  }

  @Test func L1_aSchedulerThatHasGoneLeavesNoSleeper() async throws {
    var scheduler: LoadScheduler? = scheduler()
    let pacing = LoadPacing.throttle("feed", every: .seconds(3_600))
    if let scheduler {
      try await scheduler.run(pacing: pacing) {}
      let task = await queue("b", on: scheduler, .medium, pacing)
      await clock.sleepers(atLeast: 1)
      task.cancel()
      _ = await task.result
    }
    scheduler = nil
    await until { clock.sleepers == [] }
  }

  @Test func L1_aClockThatWakesTooEarlyOrFailsHoldsNothingUp() async throws {
    for clock in [Hasty(fails: false), Hasty(fails: true)] {
      let scheduler = LoadScheduler(clock: clock)
      let pacing = LoadPacing.debounce("search", for: .seconds(60))
      #expect(try await scheduler.run(pacing: pacing) { 7 } == 7)
    }
  }
}

/// A clock that stands still, and whose sleep ends at once.
private struct Hasty: Clock {
  struct Failure: Error {}

  let fails: Bool
  var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    if fails { throw Failure() }
  }
}
