import Synchronization

/// Who watches the states of pages, and what each was told last.
///
/// Every member may be used from any thread.
final class StateWatchers<Item: Sendable>: Sendable {
  /// What tells one state from the next.
  enum Stamp: Hashable {
    case absent, loading
    case loaded(UInt64, isStale: Bool)
    case failed(UInt64)
  }

  private struct Watcher {
    let request: PaginatorRequest
    let continuation: AsyncStream<PaginatorPageState<Item>>.Continuation
    var last: Stamp?
  }

  private struct State {
    var watchers: [UInt64: Watcher] = [:]
    var nextID: UInt64 = 1
    /// Whether somebody tells them, and whether something has changed meanwhile.
    var isTelling = false
    var isDue = false
  }

  private let state = Mutex(State())

  /// A stream of a page's states; only the newest waits for a reader.
  func watch(_ request: PaginatorRequest) -> AsyncStream<PaginatorPageState<Item>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PaginatorPageState<Item>.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.watchers[state.nextID] = Watcher(request: request, continuation: continuation)
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      // Handed out so that it goes after the lock.
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
    }
    return stream
  }

  /// Tells each watcher whose page's state is not what it was told last.
  ///
  /// One caller tells at a time, outside the lock, since judging a page and letting an old one go run code of others.
  /// Who comes meanwhile leaves it to that one to look again; so what is told last is what holds.
  func publish(_ current: (PaginatorRequest) -> (state: PaginatorPageState<Item>, stamp: Stamp)) {
    var due = begin()
    while !due.isEmpty {
      for (id, watcher) in due {
        let (page, stamp) = current(watcher.request)
        guard stamp != watcher.last else { continue }
        state.withLock { $0.watchers[id]?.last = stamp }
        watcher.continuation.yield(page)
      }
      due = next()
    }
  }

  /// - Returns: Those to tell; none where there is nobody, or somebody tells already.
  private func begin() -> [UInt64: Watcher] {
    state.withLock { state in
      state.isDue = state.isTelling
      guard !state.isTelling, !state.watchers.isEmpty else { return [:] }
      state.isTelling = true
      return state.watchers
    }
  }

  /// - Returns: Those to tell again, since something has changed meanwhile.
  private func next() -> [UInt64: Watcher] {
    state.withLock { state in
      state.isTelling = state.isDue && !state.watchers.isEmpty
      state.isDue = false
      return state.isTelling ? state.watchers : [:]
    }
  }

  func finish() {
    let all = state.withLock { Array($0.watchers.values) }
    for watcher in all { watcher.continuation.finish() }
  }
}
