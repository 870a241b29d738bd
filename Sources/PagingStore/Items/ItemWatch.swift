import Synchronization

/// What one observer of an item has seen, and when to look again.
final class ItemWatch: Sendable {
  private struct State {
    /// Whether anything was given out.
    var hasStarted = false
    var number: Int64?
    var blob: [UInt8]?
    var subscription: ChangeSubscription?
  }

  private let core: StoreCore
  private let key: ItemKey
  private let kind: String
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>

  /// Listens from now on, so that nothing that is committed after this is missed.
  init(_ key: ItemKey, kind: String, core: StoreCore) {
    self.core = core
    self.key = key
    self.kind = kind
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    let subscription = core.hub.subscribe { [weak self] change in
      if self?.isConcerned(by: change) ?? false { continuation.yield() }
    }
    state.withLock { $0.subscription = subscription }
  }

  deinit {
    let number = state.withLock { $0.number }
    if let number { core.observed.ended(number) }
  }

  /// The item as it is now, the first time; then each time that it is another. nil when the task that waits is
  /// cancelled.
  func next() async throws(ListStoreError) -> Sight? {
    if let first = try look() { return first }
    for await _ in signals {
      if let sight = try look() { return sight }
    }
    return nil
  }

  /// What an observer is told.
  struct Sight: Sendable {
    /// The encoded item; nil: there is none now.
    var blob: [UInt8]?
  }

  private func look() throws(ListStoreError) -> Sight? {
    let sight = try core.sight(of: key, kind: kind)
    let (isNews, began, ended): (Bool, Int64?, Int64?) = state.withLock { state in
      let isNews = !state.hasStarted || state.blob != sight?.blob
      let old = state.number
      state.hasStarted = true
      state.blob = sight?.blob
      state.number = sight?.number
      return old == state.number ? (isNews, nil, nil) : (isNews, state.number, old)
    }
    if let began { core.observed.began(began) }
    if let ended { core.observed.ended(ended) }
    return isNews ? Sight(blob: sight?.blob) : nil
  }

  private func isConcerned(by change: StoreChange) -> Bool {
    if change.isEverything { return true }
    guard let number = state.withLock({ $0.number }) else { return !change.items.isEmpty || !change.lists.isEmpty }
    return change.items.contains(number)
  }
}
