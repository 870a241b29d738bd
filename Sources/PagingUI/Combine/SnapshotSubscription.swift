#if canImport(Combine)
  import Combine
  import Paging
  import Synchronization

  /// One subscriber's stream, from which a snapshot is taken whenever the subscriber asks for one.
  final class SnapshotSubscription<Item: Identifiable & Sendable>: Subscription where Item.ID: Sendable {
    private let demand = OpenDemand()
    private let reading = Mutex<Task<Void, Never>?>(nil)

    init<S: Subscriber>(_ snapshots: PagingSnapshots<Item>, to subscriber: S)
    where S.Input == PagingSnapshot<Item>, S.Failure == Never {
      let recipient = Recipient<Item>(
        take: { subscriber.receive($0) }, finish: { subscriber.receive(completion: .finished) })
      let demand = demand
      let task = Task {
        var iterator = snapshots.makeAsyncIterator()
        while await demand.isThere() {
          let snapshot = await iterator.next()
          // A reader that is cancelled gets nil too, and who has cancelled wants to hear nothing.
          if Task.isCancelled { return }
          guard let snapshot else { return recipient.finish() }
          demand.take()
          demand.add(recipient.take(snapshot))
        }
      }
      reading.withLock { $0 = task }
    }

    deinit { cancel() }

    func request(_ demand: Subscribers.Demand) { self.demand.add(demand) }

    func cancel() {
      let task = reading.withLock { task in
        defer { task = nil }
        return task
      }
      task?.cancel()
      demand.close()
    }
  }

  // A subscriber, which one task calls, one call after another, as Combine asks; it is never used elsewhere.
  private struct Recipient<Item: Identifiable & Sendable>: @unchecked Sendable where Item.ID: Sendable {
    let take: (PagingSnapshot<Item>) -> Subscribers.Demand
    let finish: () -> Void
  }

  /// How many values a subscriber has asked for and not been given.
  private final class OpenDemand: Sendable {
    private struct State {
      var open = Subscribers.Demand.none
      var isClosed = false
      var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ demand: Subscribers.Demand) { change { $0.open += demand } }

    func close() { change { $0.isClosed = true } }

    func take() { state.withLock { if $0.open > 0 { $0.open -= 1 } } }

    /// Waits until a value is asked for; false when the subscription is over.
    func isThere() async -> Bool {
      await withCheckedContinuation { continuation in
        let isKnown = state.withLock { state in
          let isKnown = state.isClosed || state.open > 0
          if !isKnown { state.waiting = continuation }
          return isKnown
        }
        if isKnown { continuation.resume() }
      }
      return state.withLock { !$0.isClosed }
    }

    private func change(_ body: (inout State) -> Void) {
      let waiting = state.withLock { state in
        body(&state)
        guard state.isClosed || state.open > 0 else { return nil as CheckedContinuation<Void, Never>? }
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }
  }
#endif
