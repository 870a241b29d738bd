import Foundation
import Synchronization

/// Something that happens once, waited for by tasks and by threads.
public final class Signal: Sendable {
  private struct State {
    var isFired = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let condition = NSCondition()

  /// A signal that has not been fired.
  public init() {}

  /// Whether it was fired.
  public var isFired: Bool { state.withLock { $0.isFired } }

  /// Lets all go on, those who come later too.
  public func fire() {
    let waiters = state.withLock { state in
      state.isFired = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }

  /// Suspends the task until the signal is fired.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isFired = state.withLock {
        if !$0.isFired { $0.waiters.append(continuation) }
        return $0.isFired
      }
      if isFired { continuation.resume() }
    }
  }

  /// Blocks the thread until the signal is fired.
  public func block() {
    condition.lock()
    while !isFired { condition.wait() }
    condition.unlock()
  }
}
