import Synchronization

/// Runs work when its turn comes: the most urgent first, so many at a time, so many of one group.
///
/// Waiting work follows its ticket's priority, and moves up with time so that it is late and never starved. Work that is
/// cancelled before its turn never starts. Holds the jobs that wait or run; every member may be used from any thread.
package final class LoadScheduler: Sendable {
  private struct Waiting {
    let continuation: CheckedContinuation<Void, any Error>
    let ticket: LoadTicket
    var priority: LoadPriority
    let observation: UInt64
  }

  private struct State {
    var decisions: SchedulerState
    var waiting: [UInt64: Waiting] = [:]
    /// Cancelled before they were queued.
    var nextID: UInt64 = 1
  }

  private let state: Mutex<State>
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(config: LoadSchedulerConfig = .init(), clock: any Clock<Duration> = ContinuousClock()) {
    state = Mutex(State(decisions: SchedulerState(config: config)))
    (elapsed, sleep) = Self.time(on: clock)
  }

  private static func time<C: Clock<Duration>>(
    on clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return ({ start.duration(to: clock.now) }, { try await clock.sleep(for: $0) })
  }

  /// Runs `operation` in the caller's task, off its actor, when its turn comes.
  ///
  /// - Parameters:
  ///   - ticket: The place in line; its priority counts while the work waits.
  ///   - group: What else runs at the cost of this.
  ///   - pacing: Keeps jobs of one key apart in time.
  ///   - operation: The work. It holds a slot until it returns, also when it ignores cancellation.
  /// - Returns: What the work returned.
  /// - Throws: What the work threw; `CancellationError` when the task was cancelled before its turn, or when a later job
  ///   of its debounce key took its place. Therefore untyped.
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

  /// How many jobs wait and how many run.
  package var load: (waiting: Int, running: Int) {
    state.withLock { ($0.decisions.waiting, $0.decisions.running) }
  }

  private func turn(of id: UInt64, _ ticket: LoadTicket, _ group: LoadGroup?, _ pacing: LoadPacing?) async throws {
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: id) }
    defer { ticket.stopObserving(observation) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let priority = ticket.priority
        let waiting = Waiting(
          continuation: continuation, ticket: ticket, priority: priority, observation: observation)
        perform { state, now in
          // A cancellation from here on finds the job; one before has set the flag.
          if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
            return []
          }
          state.waiting[id] = waiting
          return state.decisions.queued(id, priority: priority, group: group, pacing: pacing, now: now)
        }
        // The priority may have changed between its being read and the job's being queued.
        priorityChanged(of: id)
      }
    } onCancel: {
      cancelled(id)
    }
  }

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
  private func perform(_ event: (inout State, _ now: Duration) -> [SchedulerState.Action]) {
    let now = elapsed()
    var wakesIn: Duration?
    let resumed = state.withLock { state -> [(CheckedContinuation<Void, any Error>, starts: Bool)] in
      event(&state, now).compactMap { action in
        switch action {
        case .start(let id): state.waiting.removeValue(forKey: id).map { ($0.continuation, true) }
        case .supersede(let id): state.waiting.removeValue(forKey: id).map { ($0.continuation, false) }
        case .wake(let moment):
          {
            wakesIn = moment - now
            return nil
          }()
        }
      }
    }
    for (continuation, starts) in resumed {
      if starts { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
    }
    if let wakesIn { wake(after: wakesIn) }
  }

  private func wake(after duration: Duration) {
    Task.detached { [weak self, sleep] in
      try? await sleep(duration)
      self?.perform { $0.decisions.timePassed(now: $1) }
    }
  }
}
