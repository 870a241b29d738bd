import Loading
import Synchronization

/// What one call fetches ahead.
final class PrefetchRun: Sendable {
  struct Item {
    let key: ImageKey
    let request: ImageRequest
    fileprivate var load: PrefetchLoad?

    init(key: ImageKey, request: ImageRequest) {
      self.key = key
      self.request = request
    }
  }

  /// What isn't done yet, in order.
  private let items: Mutex<[Item]>
  private let destination: PrefetchDestination
  private let start: PrefetchRuns.Start
  private let done: @Sendable () -> Void

  /// - Parameter done: Called when nothing is left to do; perhaps more than once.
  init(
    _ items: [Item], _ destination: PrefetchDestination, _ start: @escaping PrefetchRuns.Start,
    done: @escaping @Sendable () -> Void
  ) {
    self.items = Mutex(items)
    self.destination = destination
    self.start = start
    self.done = done
  }

  /// Begins what isn't done and doesn't run.
  func resume() {
    let begun = items.withLock { items -> [(ImageRequest, ImageKey, PrefetchLoad)] in
      var begun: [(ImageRequest, ImageKey, PrefetchLoad)] = []
      for index in items.indices where items[index].load == nil {
        let load = PrefetchLoad()
        items[index].load = load
        begun.append((items[index].request, items[index].key, load))
      }
      return begun
    }
    for (request, key, load) in begun where !load.isEnded {
      load.attach(
        start(request, LoadTicket(priority: .low), destination) { [weak self] in
          load.forget()
          self?.finished(key, load)
        })
    }
  }

  /// Ends what runs; it stays to be done.
  func pause() {
    let loads = items.withLock { items in
      let loads = items.compactMap(\.load)
      for index in items.indices { items[index].load = nil }
      return loads
    }
    for load in loads { load.end() }
  }

  /// Ends what runs; nothing is left to do.
  func cancel() {
    let left = items.withLock { items in
      defer { items = [] }
      return items
    }
    for item in left { item.load?.end() }
    if !left.isEmpty { done() }
  }

  private func finished(_ key: ImageKey, _ load: PrefetchLoad) {
    let (gone, isDone) = items.withLock { items -> (Item?, Bool) in
      guard let index = items.firstIndex(where: { $0.key == key && $0.load === load }) else { return (nil, false) }
      let gone = items.remove(at: index)
      return (gone, items.isEmpty)
    }
    withExtendedLifetime(gone) {}
    if isDone { done() }
  }
}

/// One load that is ended at most once, by whoever may come before what ends it is known.
final class PrefetchLoad: Sendable {
  private struct State {
    var isEnded = false
    var isFinished = false
    var end: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isEnded: Bool { state.withLock { $0.isEnded } }

  func attach(_ end: @escaping @Sendable () -> Void) {
    let isTooLate = state.withLock { state in
      if !state.isEnded { state.end = end }
      return state.isEnded && !state.isFinished
    }
    if isTooLate { end() }
  }

  func end() {
    let end = state.withLock { state in
      defer {
        state.isEnded = true
        state.end = nil
      }
      return state.end
    }
    end?()
  }

  /// The load has ended by itself.
  func forget() {
    let end = state.withLock { state in
      defer {
        state.isEnded = true
        state.isFinished = true
        state.end = nil
      }
      return state.end
    }
    withExtendedLifetime(end) {}
  }
}
