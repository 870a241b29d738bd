import Synchronization

/// Does the work for a key once, however many ask for it at the same time.
///
/// Holds the work that is under way and those who wait for it, and nothing of what came: neither values nor failures.
/// Every member may be used from any thread.
package final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Waiter {
    let continuation: CheckedContinuation<Value, any Error>
    let ticket: LoadTicket
  }

  private struct State {
    var decisions: CoalescerState<Key>
    var waiting: [UInt64: Waiter] = [:]
    /// The task is not known for a moment after the work was begun.
    var works: [UInt64: (task: Task<Void, Never>?, ticket: LoadTicket)] = [:]
    var nextWaiter: UInt64 = 1
    var statistics = CoalescerStatistics()

    mutating func dropAbandoned(unless key: Key? = nil) -> Task<Void, Never>? {
      decisions.dropAbandoned(unless: key).flatMap { works.removeValue(forKey: $0)?.task }
    }
  }

  private let state: Mutex<State>
  private let begin: @Sendable (_ work: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never>

  /// A coalescer with nothing under way.
  ///
  /// - Parameter lingers: Whether work goes on when its last waiter leaves, one piece at most, until somebody asks for another
  ///   key or ``dropAbandoned()`` is called: for askers who give up and soon ask for the same again. Default: it is
  ///   cancelled.
  package convenience init(lingers: Bool = false) {
    self.init(lingers: lingers) { Task.detached(operation: $0) }
  }

  /// A coalescer whose work is begun by `begin`, so that a test can do something in the moment in which the task is not
  /// known yet.
  init(
    lingers: Bool = false,
    begin: @escaping @Sendable (_ work: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never>
  ) {
    state = Mutex(State(decisions: CoalescerState(lingers: lingers)))
    self.begin = begin
  }

  /// How often work was begun and joined.
  package var statistics: CoalescerStatistics { state.withLock { $0.statistics } }

  /// Whether work for that key is under way, which whoever asks would join.
  package func isLoading(_ key: Key) -> Bool { state.withLock { $0.decisions.isLoading(key) } }

  /// The value of a key, by work that is done for all who ask meanwhile.
  ///
  /// A caller whose task is cancelled leaves at once; when the last one leaves, the work is cancelled unless it may linger,
  /// and whoever asks from that instant on gets fresh work.
  ///
  /// - Parameters:
  ///   - key: What is wanted.
  ///   - ticket: How urgently; the work runs at the highest priority of those who wait for it.
  ///   - load: The work, for whoever asks first. Runs in a task of its own with a ticket of its own, which it only
  ///     reads.
  ///   - keep: Stores the value, before anyone gets it; never called for work that nobody waits for any more. Once
  ///     begun it isn't cancelled, and who asks meanwhile joins.
  /// - Throws: What the work threw, to all who wait; `CancellationError` when the caller's task was cancelled.
  package func value(
    for key: Key, ticket: LoadTicket = LoadTicket(),
    load: @escaping @Sendable @concurrent (_ ticket: LoadTicket) async throws -> Value,
    keep: @escaping @Sendable @concurrent (Value) async -> Void = { _ in }
  ) async throws -> Value {
    let waiter = state.withLock { state in
      defer { state.nextWaiter += 1 }
      return state.nextWaiter
    }
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: waiter) }
    defer { ticket.stopObserving(observation) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        join(waiter, key, ticket, continuation, load, keep)
      }
    } onCancel: {
      leave(waiter)
    }
  }

  /// Cancels work that lingers: nobody is going to ask for it again.
  package func dropAbandoned() {
    state.withLock { $0.dropAbandoned() }?.cancel()
  }

  private func join(
    _ waiter: UInt64, _ key: Key, _ ticket: LoadTicket, _ continuation: CheckedContinuation<Value, any Error>,
    _ load: @escaping @Sendable @concurrent (LoadTicket) async throws -> Value,
    _ keep: @escaping @Sendable @concurrent (Value) async -> Void
  ) {
    var dropped: Task<Void, Never>?
    let joining = state.withLock { state -> (CoalescerState<Key>.Joining, LoadTicket)? in
      // A cancellation from here on finds the waiter; one before has set the flag.
      if Task.isCancelled { return nil }
      dropped = state.dropAbandoned(unless: key)
      let priority = ticket.priority
      state.waiting[waiter] = Waiter(continuation: continuation, ticket: ticket)
      let joining = state.decisions.joined(waiter, key, priority: priority)
      switch joining {
      case .starts(let work):
        let own = LoadTicket(priority: priority)
        state.works[work] = (nil, own)
        state.statistics.starts += 1
        return (joining, own)
      case .joins(let work, _):
        state.statistics.joins += 1
        return (joining, state.works[work]?.ticket ?? ticket)
      }
    }
    dropped?.cancel()
    switch joining {
    case nil: continuation.resume(throwing: CancellationError())
    case (.starts(let work), let own)?: start(work, own, load, keep)
    case (.joins(let work, let changed), let own)?: if changed != nil { pass(priorityOf: work, to: own) }
    }
  }

  private func start(
    _ work: UInt64, _ ticket: LoadTicket, _ load: @escaping @Sendable @concurrent (LoadTicket) async throws -> Value,
    _ keep: @escaping @Sendable @concurrent (Value) async -> Void
  ) {
    let task = begin {
      // All may have left before it came to run.
      guard self.state.withLock({ $0.decisions.isAlive(work) }) else { return }
      do {
        let value = try await load(ticket)
        guard self.state.withLock({ $0.decisions.finishes(work) }) else { return }
        await keep(value)
        self.ended(work, .success(value))
      } catch {
        self.ended(work, .failure(error))
      }
    }
    let isAlive = state.withLock { state in
      guard state.works[work] != nil else { return false }
      state.works[work]?.task = task
      return true
    }
    // All may have left before the task was known.
    if !isAlive { task.cancel() }
  }

  private func ended(_ work: UInt64, _ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard let waiters = state.decisions.ended(work) else { return [] }
      state.works[work] = nil
      return waiters.compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  private func leave(_ waiter: UInt64) {
    let (continuation, task, changed) = state.withLock {
      state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?, (UInt64, LoadTicket)?) in
      let continuation = state.waiting.removeValue(forKey: waiter)?.continuation
      switch state.decisions.left(waiter) {
      case .nothing: return (continuation, nil, nil)
      case .cancels(let work): return (continuation, state.works.removeValue(forKey: work)?.task, nil)
      case .stays(let work, let lowered):
        return (continuation, nil, lowered == nil ? nil : state.works[work].map { (work, $0.ticket) })
      }
    }
    task?.cancel()
    if let (work, ticket) = changed { pass(priorityOf: work, to: ticket) }
    continuation?.resume(throwing: CancellationError())
  }

  /// Reads the priority under the lock: of changes made at the same time, the last one to come here sees what holds.
  private func priorityChanged(of waiter: UInt64) {
    let changed = state.withLock { state -> (UInt64, LoadTicket)? in
      guard let ticket = state.waiting[waiter]?.ticket else { return nil }
      return state.decisions.reprioritised(waiter, to: ticket.priority).flatMap { change in
        state.works[change.work].map { (change.work, $0.ticket) }
      }
    }
    if let (work, ticket) = changed { pass(priorityOf: work, to: ticket) }
  }

  /// Writes a work's priority on its ticket. Two threads may do so at once: whoever comes last sees what holds.
  private func pass(priorityOf work: UInt64, to ticket: LoadTicket) {
    while let priority = state.withLock({ $0.decisions.priority(of: work) }), priority != ticket.priority {
      ticket.priority = priority
    }
  }
}

/// How often a coalescer began work, and how often somebody joined work that was under way.
package struct CoalescerStatistics: Hashable, Sendable {
  /// Pieces of work that were begun.
  package var starts: Int
  /// Callers who joined one that was under way.
  package var joins: Int

  /// The figures.
  package init(starts: Int = 0, joins: Int = 0) {
    self.starts = starts
    self.joins = joins
  }
}
