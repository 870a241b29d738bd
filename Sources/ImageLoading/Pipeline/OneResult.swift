import Synchronization

/// A result that comes once and is waited for by one task: the first one counts, whichever comes first, it or the one
/// who waits.
final class OneResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case there(Result<Value, any Error>)
    case over
  }

  private let state = Mutex(State.open)

  init() {}

  /// Gives the result; later ones are ignored.
  func finish(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .open:
        state = .there(result)
        return nil
      case .awaited(let continuation):
        state = .over
        return continuation
      case .there, .over: return nil
      }
    }
    continuation?.resume(with: result)
  }

  /// The result; to be asked for once.
  func value() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state -> Result<Value, any Error>? in
        switch state {
        case .there(let result):
          state = .over
          return result
        case .open, .awaited, .over:
          state = .awaited(continuation)
          return nil
        }
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
