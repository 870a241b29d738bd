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
  func publish(_ current: (PaginatorRequest) -> (state: PaginatorPageState<Item>, stamp: Stamp)) {
    state.withLock { state in
      guard !state.watchers.isEmpty else { return }
      for (id, watcher) in state.watchers {
        let (page, stamp) = current(watcher.request)
        guard stamp != watcher.last else { continue }
        state.watchers[id]?.last = stamp
        watcher.continuation.yield(page)
      }
    }
  }

  func finish() {
    let all = state.withLock { Array($0.watchers.values) }
    for watcher in all { watcher.continuation.finish() }
  }
}
