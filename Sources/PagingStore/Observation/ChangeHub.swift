import Synchronization

/// Tells all who listen what each commit changed, in the order of the commits.
///
/// Handlers run on a thread that has just written, outside every lock of the store, so they may read it; one change is
/// handed out at a time. They must not write.
final class ChangeHub: Sendable {
  typealias Handler = @Sendable (StoreChange) -> Void

  private struct State {
    var handlers: [(id: UInt64, handler: Handler)] = []
    var nextID: UInt64 = 0
    var queue: [StoreChange] = []
    var isDelivering = false
    var whenListened: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether anybody listens.
  var isListenedTo: Bool { state.withLock { !$0.handlers.isEmpty } }

  /// Calls `handler` after the first listener came and after the last has gone. Calls from several threads may overtake
  /// each other: ``isListenedTo`` says how it is.
  func onListening(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenListened = handler }
  }

  /// Listens to all changes from now on, until the subscription is let go of.
  func subscribe(_ handler: @escaping Handler) -> ChangeSubscription {
    let (id, told) = state.withLock { state in
      state.nextID += 1
      state.handlers.append((state.nextID, handler))
      return (state.nextID, state.handlers.count == 1 ? state.whenListened : nil)
    }
    told?()
    return ChangeSubscription { [weak self] in self?.unsubscribe(id) }
  }

  /// Every change from now on, none skipped: for what is derived from the store, such as a search index.
  ///
  /// Memory: all that was not read yet.
  func log() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChange.self, bufferingPolicy: .unbounded)
    let subscription = subscribe { continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }

  /// Puts a change in line. To be called in the order of the commits, so before the writer is let go of.
  func enqueue(_ change: StoreChange) {
    guard !change.isEmpty else { return }
    state.withLock { $0.queue.append(change) }
  }

  /// Hands out what is in line. To be called outside every lock.
  ///
  /// Where another thread is at it, that one hands out this too.
  func deliver() {
    while let (change, handlers) = next() {
      for handler in handlers { handler(change) }
      state.withLock { $0.isDelivering = false }
    }
  }

  private func next() -> (StoreChange, [Handler])? {
    state.withLock { state in
      guard !state.isDelivering, !state.queue.isEmpty else { return nil }
      state.isDelivering = true
      return (state.queue.removeFirst(), state.handlers.map(\.handler))
    }
  }

  private func unsubscribe(_ id: UInt64) {
    let told: (@Sendable () -> Void)? = state.withLock { state in
      guard let place = state.handlers.firstIndex(where: { $0.id == id }) else { return nil }
      state.handlers.remove(at: place)
      return state.handlers.isEmpty ? state.whenListened : nil
    }
    told?()
  }
}

/// A listener's place at a hub, given up with the last reference to it, or by ``cancel()``.
final class ChangeSubscription: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Mutex(end)
  }

  deinit { cancel() }

  /// Hears no more. A change that is being handed out may still come.
  func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
