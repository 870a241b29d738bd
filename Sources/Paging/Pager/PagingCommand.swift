import Synchronization

/// A command that was given to a content; it can be ignored or awaited.
public struct PagingCommand: Sendable {
  private let outcome: Outcome

  init(_ outcome: Outcome) {
    self.outcome = outcome
  }

  /// Returns when what this command asked for is shown.
  ///
  /// A command that had nothing to do is finished at once.
  ///
  /// - Throws: What its load failed with; `CancellationError` if a later command took its place or its load was
  ///   cancelled, or if the task that waits is cancelled, which does not cancel the command;
  ///   ``PagingError/Code/closed`` if the pager was closed.
  public func finished() async throws {
    try await outcome.value()
  }

  /// How a command ended, and who waits for that.
  final class Outcome: Sendable {
    private struct State {
      var result: Result<Void, any Error>?
      var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
      var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    func finish(_ error: (any Error)?) {
      let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
      let waiting = state.withLock { state in
        guard state.result == nil else { return [CheckedContinuation<Void, any Error>]() }
        state.result = result
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
      for continuation in waiting { continuation.resume(with: result) }
    }

    func value() async throws {
      let id = state.withLock { state in
        defer { state.nextID += 1 }
        return state.nextID
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let known = state.withLock { state -> Result<Void, any Error>? in
            if let result = state.result { return result }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiting[id] = continuation
            return nil
          }
          if let known { continuation.resume(with: known) }
        }
      } onCancel: {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
      }
    }
  }
}
