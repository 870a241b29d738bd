import PagingTesting
import Testing

@testable import Loading

@Suite(.timeLimit(.minutes(10))) struct SuspensionTests {
  @Test func whileSuspendedNothingStartsAndThenAllDoesInOrder() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 2))
    #expect(state.queued(1, priority: .medium, now: .zero) == [.start(1)])
    #expect(state.suspended(true, now: .zero) == [])
    #expect(state.queued(2, priority: .low, now: .zero) == [])
    #expect(state.queued(3, priority: .high, now: .zero) == [])
    #expect(state.ended(1, now: .zero) == [])
    #expect(state.running == 0)
    #expect(state.suspended(false, now: .zero) == [.start(3), .start(2)])
  }

  @Test func whatIsCancelledMeanwhileNeverStarts() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 2))
    _ = state.suspended(true, now: .zero)
    _ = state.queued(1, priority: .medium, now: .zero)
    #expect(state.cancelled(1, now: .zero).wasWaiting)
    #expect(state.suspended(false, now: .zero) == [])
    #expect(state.count == 0)
  }

  @Test func B31_aSchedulerStartsWhatWaitedWhenItMayAgain() async throws {
    let scheduler = LoadScheduler(clock: ManualClock())
    scheduler.isSuspended = true
    let work = Task { try await scheduler.run { 7 } }
    await until { scheduler.load.waiting == 1 }
    #expect(scheduler.load.running == 0)
    scheduler.isSuspended = false
    #expect(try await work.value == 7)
  }
}
