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
      let recipient = Recipient(subscriber: subscriber)
      let demand = demand
      let task = Task {
        var iterator = snapshots.makeAsyncIterator()
        while await demand.isThere() {
          guard let snapshot = await iterator.next() else { return recipient.subscriber.receive(completion: .finished) }
          if Task.isCancelled { return }
          demand.take()
          demand.add(recipient.subscriber.receive(snapshot))
        }
      }
      reading.withLock { $0 = task }
    }

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

  // Called by one task, which calls it once at a time, as Combine asks; it is never used elsewhere.
  private struct Recipient<S: Subscriber>: @unchecked Sendable {
    let subscriber: S
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
