import Synchronization

/// Runs work when its turn comes: the most urgent first, so many at a time, so many of one group.
///
/// Waiting work follows its ticket's priority, and moves up with time so that it is late and never starved. Work that
/// is cancelled before its turn never starts. Holds the jobs that wait or run, and one task that sleeps while debounced
/// or throttled work waits for its time. Every member may be used from any thread.
package final class LoadScheduler: Sendable {
  private struct Waiting {
    let continuation: CheckedContinuation<Void, any Error>
    let ticket: LoadTicket
    var priority: LoadPriority
  }

  private struct State {
    var decisions: SchedulerState
    var waiting: [UInt64: Waiting] = [:]
    var nextID: UInt64 = 1
    /// What sleeps until the next moment that the decisions asked for.
    var waker: Task<Void, Never>?
  }

  private let state: Mutex<State>
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async throws -> Void

  /// A scheduler with nothing to do.
  ///
  /// - Parameters:
  ///   - config: How much runs at once; values out of their range are clamped.
  ///   - clock: What ageing, debouncing and throttling are measured on.
  package init(config: LoadSchedulerConfig = .init(), clock: any Clock<Duration> = ContinuousClock()) {
    state = Mutex(State(decisions: SchedulerState(config: config)))
    (elapsed, sleep) = Self.time(on: clock)
  }

  deinit { state.withLock { $0.waker }?.cancel() }

  private static func time<C: Clock<Duration>>(
    on clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return ({ start.duration(to: clock.now) }, { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
  }

  /// Runs `operation` in the caller's task, off its actor, when its turn comes.
  ///
  /// - Parameters:
  ///   - ticket: The place in line; its priority counts while the work waits.
  ///   - group: What else runs at the cost of this.
  ///   - pacing: Keeps jobs of one key apart in time.
  ///   - operation: The work. It holds a slot until it returns, also when it ignores cancellation; so it must not wait
  ///     for other work of this scheduler.
  /// - Returns: What the work returned.
  /// - Throws: What the work threw; `CancellationError` when the task was cancelled before its turn, or when a later
  ///   job of its debounce key took its place. Therefore untyped.
  package func run<Value: Sendable>(
    _ ticket: LoadTicket = LoadTicket(), group: LoadGroup? = nil, pacing: LoadPacing? = nil,
    operation: @escaping @Sendable @concurrent () async throws -> Value
  ) async throws -> Value {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await turn(of: id, ticket, group, pacing)
    defer { perform { $0.decisions.ended(id, now: $1) } }
    try Task.checkCancellation()
    return try await operation()
  }

  /// Whether nothing starts for now; default false. What runs goes on, what waits starts in its order when this is set
  /// back.
  package var isSuspended: Bool {
    get { state.withLock { $0.decisions.isSuspended } }
    set { perform { $0.decisions.suspended(newValue, now: $1) } }
  }

  /// How many jobs wait and how many run.
  package var load: (waiting: Int, running: Int) {
    state.withLock { ($0.decisions.waiting, $0.decisions.running) }
  }

  private func turn(of id: UInt64, _ ticket: LoadTicket, _ group: LoadGroup?, _ pacing: LoadPacing?) async throws {
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: id) }
    defer { ticket.stopObserving(observation) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var isCancelled = false
        perform { state, now in
          // A cancellation from here on finds the job; one before has set the flag.
          isCancelled = Task.isCancelled
          if isCancelled { return [] }
          let priority = ticket.priority
          state.waiting[id] = Waiting(continuation: continuation, ticket: ticket, priority: priority)
          return state.decisions.queued(id, priority: priority, group: group, pacing: pacing, now: now)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      cancelled(id)
    }
  }

  /// Reads the priority under the lock: of changes made at the same time, the last one to come here sees what holds.
  private func priorityChanged(of id: UInt64) {
    perform { state, now in
      guard let waiting = state.waiting[id] else { return [] }
      let priority = waiting.ticket.priority
      guard priority != waiting.priority else { return [] }
      state.waiting[id]?.priority = priority
      return state.decisions.reprioritised(id, from: waiting.priority, to: priority, now: now)
    }
  }

  private func cancelled(_ id: UInt64) {
    var continuation: CheckedContinuation<Void, any Error>?
    perform { state, now in
      let (wasWaiting, actions) = state.decisions.cancelled(id, now: now)
      if wasWaiting { continuation = state.waiting.removeValue(forKey: id)?.continuation }
      return actions
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Lets one event happen, and does outside the lock what follows from it.
  ///
  /// - Parameter moment: What the time is at least; a waker's, since a clock may wake it a little early.
  private func perform(
    notBefore moment: Duration = .zero, _ event: (inout State, _ now: Duration) -> [SchedulerState.Action]
  ) {
    let now = max(elapsed(), moment)
    var replaced: Task<Void, Never>?
    let resumed = state.withLock { state in
      var resumed: [(CheckedContinuation<Void, any Error>, starts: Bool)] = []
      for action in event(&state, now) {
        switch action {
        case .start(let id): state.waiting.removeValue(forKey: id).map { resumed.append(($0.continuation, true)) }
        case .supersede(let id): state.waiting.removeValue(forKey: id).map { resumed.append(($0.continuation, false)) }
        case .wake(let moment):
          replaced = state.waker
          state.waker = waker(at: moment)
        }
      }
      return resumed
    }
    replaced?.cancel()
    for (continuation, starts) in resumed {
      if starts { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
    }
  }

  private func waker(at moment: Duration) -> Task<Void, Never> {
    Task.detached { [weak self, sleep] in
      do { try await sleep(moment) } catch {
        // Replaced by a later one, or the scheduler has gone. A clock that fails otherwise must not hold work up for
        // good.
        if Task.isCancelled { return }
      }
      self?.perform(notBefore: moment) { $0.decisions.timePassed(now: $1) }
    }
  }
}
