public import Loading
import Synchronization

/// A fetch with callbacks: what it is cancelled with, and how urgent it is.
///
/// Every member may be used from any thread. Letting it go cancels nothing.
public final class PaginatorExecution: Sendable {
  private struct State {
    var isCancelled = false
    var hasEnded = false
    var task: Task<Void, Never>?
  }

  let ticket: LoadTicket
  private let state = Mutex(State())

  init(priority: LoadPriority) {
    ticket = LoadTicket(priority: priority)
  }

  /// Ends the fetch: after this has returned on the main actor no callback runs.
  ///
  /// Called elsewhere, at most the callback that is running at that moment ends. The work itself goes on while somebody
  /// else waits for it.
  public func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }

  /// How urgent the fetch is; takes effect while it waits for its turn.
  public var priority: LoadPriority {
    get { ticket.priority }
    set { ticket.priority = newValue }
  }

  /// Starts the fetch. Called once.
  func run(_ body: @escaping @Sendable @concurrent () async -> Void) {
    let task = Task.detached {
      await body()
      self.state.withLock { state in
        state.hasEnded = true
        state.task = nil
      }
    }
    let wasCancelled = state.withLock { state in
      if !state.isCancelled, !state.hasEnded { state.task = task }
      return state.isCancelled
    }
    if wasCancelled { task.cancel() }
  }

  /// Makes a callback on the main actor, unless the fetch was cancelled.
  @MainActor func call(_ callback: @MainActor () -> Void) {
    // Looked at on the main actor, so that a cancellation there comes either before this or after the callback.
    guard !state.withLock({ $0.isCancelled }) else { return }
    callback()
  }
}
