import Synchronization

/// Does the work for a key once, however many ask for it at the same time.
///
/// Holds the work that is under way and those who wait for it, and nothing of what came: neither values nor failures.
/// Every member may be used from any thread.
package final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var decisions = CoalescerState<Key>()
    var waiting: [UInt64: CheckedContinuation<Value, any Error>] = [:]
    var works: [UInt64: (task: Task<Void, Never>?, ticket: LoadTicket)] = [:]
    var nextWaiter: UInt64 = 1
    var statistics = CoalescerStatistics()
  }

  private let state = Mutex(State())

  package init() {}

  /// How often work was begun and joined.
  package var statistics: CoalescerStatistics { state.withLock { $0.statistics } }

  /// Whether somebody waits for that key.
  package func isLoading(_ key: Key) -> Bool { state.withLock { $0.decisions.isLoading(key) } }

  /// The value of a key, by work that is done for all who ask meanwhile.
  ///
  /// A caller whose task is cancelled leaves at once; when the last one leaves, the work is cancelled, and whoever asks
  /// from that instant on gets fresh work.
  ///
  /// - Parameters:
  ///   - key: What is wanted.
  ///   - ticket: How urgently; the work runs at the highest priority of those who wait for it.
  ///   - load: The work, for whoever asks first. Runs in a task of its own with a ticket of its own.
  ///   - keep: Stores the value, before anyone gets it; never called for work that nobody waits for any more. Once begun
  ///     it isn't cancelled, and who asks meanwhile joins.
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
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: waiter, to: ticket.priority) }
    defer { ticket.stopObserving(observation) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        join(waiter, key, ticket, continuation, load, keep)
        // It may have changed between its being read and the joining.
        priorityChanged(of: waiter, to: ticket.priority)
      }
    } onCancel: {
      leave(waiter)
    }
  }

  private func join(
    _ waiter: UInt64, _ key: Key, _ ticket: LoadTicket, _ continuation: CheckedContinuation<Value, any Error>,
    _ load: @escaping @Sendable @concurrent (LoadTicket) async throws -> Value,
    _ keep: @escaping @Sendable @concurrent (Value) async -> Void
  ) {
    let priority = ticket.priority
    let joining = state.withLock { state -> (CoalescerState<Key>.Joining, LoadTicket)? in
      // A cancellation from here on finds the waiter; one before has set the flag.
      if Task.isCancelled { return nil }
      state.waiting[waiter] = continuation
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
    let task = Task.detached {
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
      return waiters.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  private func leave(_ waiter: UInt64) {
    let (continuation, task, changed) = state.withLock {
      state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?, (UInt64, LoadTicket)?) in
      let continuation = state.waiting.removeValue(forKey: waiter)
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

  private func priorityChanged(of waiter: UInt64, to priority: LoadPriority) {
    let changed = state.withLock { state -> (UInt64, LoadTicket)? in
      state.decisions.reprioritised(waiter, to: priority).flatMap { change in
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
  package var starts = 0
  package var joins = 0
}
