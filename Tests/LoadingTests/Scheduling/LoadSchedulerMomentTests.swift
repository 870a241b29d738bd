import PagingTesting
import Synchronization
import Testing

@testable import Loading

/// Moments between two steps of the shell, which a test that only lets all happen at once seldom meets.
@Suite(.timeLimit(.minutes(10))) struct LoadSchedulerMomentTests {
  /// A clock that does something when it is asked for the time: a scheduler asks before it takes its lock.
  private final class Meddling: Clock {
    let meddle = Mutex<(@Sendable () -> Void)?>(nil)

    var now: ManualClock.Instant {
      // Once, as what it does may ask for the time.
      let meddle = meddle.withLock { meddle in
        defer { meddle = nil }
        return meddle
      }
      meddle?()
      return ManualClock.Instant(offset: .zero)
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test func L1_aCallerWhoIsCancelledAlreadyDoesNotWaitForItsTurn() async throws {
    let (scheduler, stop, log) = (
      LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 1, ageing: .zero)), Stop(), Log<String>()
    )
    let holder = Task {
      try await scheduler.run {
        log.add("holder")
        await stop.pass()
      }
    }
    await log.reached(1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await scheduler.run { log.add("ran") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.load == (0, 1))
    stop.open()
    try await holder.value
    #expect(log.entries == ["holder"])
  }

  /// The ticket is raised when the caller has asked and isn't in line yet.
  @Test func L1_aTicketThatIsRaisedAsItsJobIsQueuedCounts() async throws {
    let clock = Meddling()
    let (stop, log) = (Stop(), Log<String>())
    let scheduler = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 1, ageing: .zero), clock: clock)
    let holder = Task {
      try await scheduler.run {
        log.add("holder")
        await stop.pass()
      }
    }
    await log.reached(1)
    let first = Task { try await scheduler.run { log.add("first") } }
    await until { scheduler.load.waiting == 1 }
    let ticket = LoadTicket(priority: .low)
    clock.meddle.withLock { $0 = { ticket.priority = .high } }
    let raised = Task { try await scheduler.run(ticket) { log.add("raised") } }
    await until { scheduler.load.waiting == 2 }
    stop.open()
    for task in [holder, first, raised] { try await task.value }
    #expect(log.entries == ["holder", "raised", "first"])
  }
}
