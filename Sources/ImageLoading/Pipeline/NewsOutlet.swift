import Synchronization

/// Hands on what a load tells, one piece after the other whatever thread it comes from, and nothing after the end.
final class NewsOutlet: Sendable {
  private struct State {
    var queue: [LoadNews] = []
    var isTelling = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let deliver: @Sendable (LoadNews) -> Void

  init(_ deliver: @escaping @Sendable (LoadNews) -> Void) { self.deliver = deliver }

  /// Hands on what came, on this thread or on the one that is at it already.
  func tell(_ news: LoadNews) {
    let tells = state.withLock { state in
      guard !state.isOver else { return false }
      if case .ended = news { state.isOver = true }
      if case .progress = news, case .progress? = state.queue.last { state.queue.removeLast() }
      state.queue.append(news)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    guard tells else { return }
    while let next = next() { deliver(next) }
  }

  /// Nothing is handed on from here on, but what is being handed on already.
  func silence() {
    let unheard = state.withLock { state in
      state.isOver = true
      defer { state.queue = [] }
      return state.queue
    }
    // Pictures are let go of here, outside the lock.
    _ = unheard
  }

  private func next() -> LoadNews? {
    state.withLock { state in
      if state.queue.isEmpty {
        state.isTelling = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }
}
