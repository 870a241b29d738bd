import Synchronization

/// Something took longer than a verifier waits.
struct OutOfPatience: Error {
  let patience: Duration
}

/// How long a verifier waits for what it calls, so that code that never returns fails its test and doesn't hang it.
struct Patience: Sendable {
  let duration: Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  init(_ duration: Duration, clock: some Clock<Duration>) {
    self.duration = duration
    sleep = { try await clock.sleep(for: $0) }
  }

  /// What `body` returns or throws.
  ///
  /// - Parameters:
  ///   - share: The part of the patience that it has; default all of it.
  ///   - isCancelled: Whether the task of `body` is cancelled while it runs.
  /// - Throws: What `body` throws; ``OutOfPatience``, after which `body` goes on in a task of its own that is
  ///   cancelled; `CancellationError` likewise, when the task that waits is cancelled.
  func wait<Value: Sendable>(
    divided share: Int = 1, cancelling isCancelled: Bool = false,
    for body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let race = Race<Value>()
    let limit = duration / share
    let running = Task {
      do { race.finish(.success(try await body())) } catch { race.finish(.failure(error)) }
    }
    let waiting = Task { [sleep] in
      do { try await sleep(limit) } catch { return }
      race.finish(.failure(OutOfPatience(patience: limit)))
    }
    defer {
      waiting.cancel()
      running.cancel()
    }
    return try await withTaskCancellationHandler {
      if isCancelled {
        // It is in the middle of its work by now, if it ever waits.
        for _ in 0..<16 { await Task.yield() }
        running.cancel()
      }
      return try await race.value()
    } onCancel: {
      running.cancel()
      race.finish(.failure(CancellationError()))
    }
  }
}

/// A value that several tasks try to give first, for one that waits.
private final class Race<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiting: CheckedContinuation<Value, any Error>?
  }

  private let state = Mutex(State())

  func finish(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(with: result)
  }

  func value() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting = continuation }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
