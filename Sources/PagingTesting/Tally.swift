import Synchronization

/// A number that tasks can wait for to grow: how many sleep, wait at a gate, or have begun.
package final class Tally: Sendable {
  private struct Waiter {
    let id: UInt64
    let threshold: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var count = 0
    var nextID: UInt64 = 0
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  /// Zero.
  package init() {}

  /// Where it stands.
  package var count: Int { state.withLock { $0.count } }

  /// Counts `change` more, or fewer, and lets those go on who waited for it.
  package func add(_ change: Int) { update { $0 += change } }

  /// Counts up to `count`, unless it stands higher, and lets those go on who waited for it.
  package func rise(to count: Int) { update { $0 = max($0, count) } }

  private func update(_ change: (inout Int) -> Void) {
    let reached = state.withLock { state in
      change(&state.count)
      let reached = state.waiters.filter { $0.threshold <= state.count }
      state.waiters.removeAll { $0.threshold <= state.count }
      return reached
    }
    for waiter in reached { waiter.continuation.resume() }
  }

  /// Returns when the number is at least `threshold`, or when the task that waits is cancelled.
  package func reached(_ threshold: Int) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.count >= threshold || Task.isCancelled { return true }
          state.waiters.append(Waiter(id: id, threshold: threshold, continuation: continuation))
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume()
    }
  }
}
