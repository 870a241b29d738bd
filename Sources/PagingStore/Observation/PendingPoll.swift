import Synchronization

/// Asks a remote at an interval for the number of newer items of one list, while anybody observes it.
final class PendingPoll: Sendable {
  private struct State {
    var observers = 0
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// An observer is there; the first one starts the asking.
  ///
  /// - Parameters:
  ///   - interval: How long to wait before each question.
  ///   - clock: What it is measured on.
  ///   - ask: Asks once; nil: there is nobody to ask.
  func began(every interval: Duration, clock: any Clock<Duration>, ask: (@Sendable () async -> Void)?) {
    state.withLock { state in
      state.observers += 1
      guard state.task == nil, let ask, interval > .zero else { return }
      state.task = Task.detached {
        while !Task.isCancelled {
          do { try await clock.sleep(for: interval) } catch { return }
          await ask()
        }
      }
    }
  }

  /// An observer is gone; the last one ends the asking.
  func ended() {
    let task: Task<Void, Never>? = state.withLock { state in
      state.observers -= 1
      guard state.observers <= 0 else { return nil }
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }
}
