import Loading
import Synchronization

/// The shell around a pager's decisions: it holds them under a lock, runs what they ask for, and shows what came of it.
///
/// Every event goes the same way: under the lock the state decides and a snapshot is taken if anything visible changed;
/// after the lock is released the snapshot is shown, loads begin or are cancelled, commands end and observers hear of it.
/// Tasks hold the core weakly, so releasing its pager ends them.
final class PagerCore<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  typealias State = PagerState<Key, Item>
  typealias Action = PagerAction<Key, Item>
  typealias Source = any PageSource<Key, Item>

  struct Guarded {
    var state: State
    var publisher: SnapshotPublisher<Key, Item>
    /// The tasks of loads that are under way.
    var loads: [UInt64: Task<Void, Never>] = [:]
    var sources: SourceShelf<Key, Item>
    var outcomes: [CommandID: PagingCommand.Outcome] = [:]
    var nextCommand: CommandID = 1
    var settling: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextSettling: UInt64 = 0
    var statistics = PagerStatistics()
    /// Events that the observer has not heard of, and whether somebody is telling it.
    var unheard: [PagingEvent] = []
    var isReporting = false
    var jitter: any RandomNumberGenerator & Sendable
  }

  let guarded: Mutex<Guarded>
  let hub: SnapshotHub<Item>
  let clock: PagerClock
  let retry: RetryPolicy
  private let observer: PagingObserver?

  init(
    config: PagingConfig, initialKey: Key?, clock: any Clock<Duration>, observer: PagingObserver?,
    sources: SourceShelf<Key, Item>
  ) {
    let link = WeakLink<PagerCore>()
    let publisher = SnapshotPublisher<Key, Item>(origin: SnapshotOrigin())
    hub = SnapshotHub(publisher.first) { began in
      link.value?.perform { began ? $0.observerAdded(now: $1) : $0.observerRemoved(now: $1) }
    }
    guarded = Mutex(
      Guarded(
        state: State(config: config, initialKey: initialKey), publisher: publisher, sources: sources,
        jitter: config.retry.seed.map { SeededGenerator(seed: $0) as any RandomNumberGenerator & Sendable }
          ?? SystemRandomNumberGenerator()))
    self.clock = PagerClock(clock)
    self.observer = observer
    retry = config.retry
    link.value = self
  }

  // MARK: - Events

  /// Lets one event happen, and does what follows from it.
  func perform(_ event: (inout State, _ now: Duration) -> [Action]) {
    let now = clock.elapsed()
    let turn = guarded.withLock { guarded -> Turn in
      let actions = event(&guarded.state, now)
      return guarded.turn(doing: actions, hasObserver: observer != nil)
    }
    run(turn)
  }

  /// A command: an event with somebody who may wait for its end.
  func command(_ event: (inout State, _ id: CommandID, _ now: Duration) -> [Action]) -> PagingCommand {
    let outcome = PagingCommand.Outcome()
    let now = clock.elapsed()
    let turn = guarded.withLock { guarded -> Turn in
      let id = guarded.nextCommand
      guarded.nextCommand += 1
      guarded.outcomes[id] = outcome
      let actions = event(&guarded.state, id, now)
      return guarded.turn(doing: actions, hasObserver: observer != nil)
    }
    run(turn)
    return PagingCommand(outcome)
  }

  /// What an event leaves to do outside the lock.
  struct Turn {
    var actions: [Action] = []
    var snapshot: PagingSnapshot<Item>?
    var finished: [(outcome: PagingCommand.Outcome, error: (any Error)?)] = []
    var cancelled: [Task<Void, Never>] = []
    var settled: [CheckedContinuation<Void, Never>] = []
    var hasNews = false
  }

  private func run(_ turn: Turn) {
    if let snapshot = turn.snapshot { hub.publish(snapshot) }
    for task in turn.cancelled { task.cancel() }
    if turn.hasNews { report() }
    for action in turn.actions { run(action) }
    for (outcome, error) in turn.finished { outcome.finish(error) }
    for continuation in turn.settled { continuation.resume() }
  }

  private func run(_ action: Action) {
    switch action {
    case .load(let id, let generation, let params): start(id, generation, params)
    case .openSource(let generation, let question): open(generation, question)
    case .closeSource(let generation): close(generation)
    case .chooseSurvivor(let generation, let anchor, let candidates):
      let source = guarded.withLock { $0.sources.source(of: generation) }
      let chosen = source?.survivor(of: anchor, among: candidates)?.id
      perform { $0.survivorChosen(generation, id: chosen, now: $1) }
    case .wake(let delay):
      Task.detached { [weak self, sleep = clock.sleep] in
        try? await sleep(delay)
        self?.perform { $0.timePassed(now: $1) }
      }
    case .cancel, .finish, .report: break  // Done in the turn itself, under the lock.
    }
  }

  /// Tells the observer what it has not heard, in order. One thread tells at a time; what happens meanwhile is told by it.
  private func report() {
    guard let observer else { return }
    while true {
      let events = guarded.withLock { guarded -> [PagingEvent] in
        defer { guarded.unheard = [] }
        guarded.isReporting = !guarded.unheard.isEmpty
        return guarded.unheard
      }
      if events.isEmpty { return }
      for event in events { observer(event) }
    }
  }

  // MARK: - Sources

  /// Makes or finds the source of a generation, hears its changes, and asks where to start.
  private func open(_ generation: UInt64, _ question: SourceQuestion<Key, Item>) {
    let make = guarded.withLock { $0.sources.maker(for: generation) }
    let source = make()
    let isNew = guarded.withLock { $0.sources.keep(source, for: generation) }
    if isNew, let changes = source.changes() {
      let listening = Task.detached { [weak self] in
        for await change in changes {
          guard let self else { return }
          self.perform { $0.sourceChanged(change, now: $1) }
        }
      }
      let isOver = guarded.withLock { !$0.sources.keep(listening, for: generation) || $0.state.isClosed }
      if isOver { listening.cancel() }
    }
    let traits = SourceTraits(keyKind: source.keyKind, allowsRepeatedKeys: source.allowsRepeatedKeys)
    let key: Key? =
      switch question {
      case .traits: nil
      case .refreshKey(let state): source.refreshKey(for: state)
      case .index(let index): source.key(forIndex: index)
      case .item(let id): source.key(around: id)
      }
    perform { $0.sourceOpened(generation, traits: traits, key: key, now: $1) }
  }

  private func close(_ generation: UInt64) {
    guarded.withLock { $0.sources.remove(generation, isClosed: $0.state.isClosed) }?.cancel()
  }

  // MARK: - Loads

  private func start(_ id: UInt64, _ generation: UInt64, _ params: LoadParams<Key>) {
    guard let source = guarded.withLock({ $0.sources.source(of: generation) }) else { return }
    let task = Task.detached { [weak self, retry, sleep = clock.sleep] in
      var attempt = 1
      while true {
        do {
          let page = try await source.load(params)
          self?.perform { $0.pageLoaded(id, page, now: $1) }
          return
        } catch {
          // Dead tasks tell nobody: whoever cancelled this one has put its edge in order already.
          if Task.isCancelled { return }
          guard let delay = self?.delay(after: attempt, error, retry) else {
            self?.perform { $0.loadFailed(id, error, now: $1) }
            return
          }
          attempt += 1
          do { try await sleep(delay) } catch { return }
        }
      }
    }
    let isWanted = guarded.withLock { guarded in
      guard guarded.state.isInFlight(id) else { return false }
      guarded.loads[id] = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  private func delay(after attempt: Int, _ error: any Error, _ retry: RetryPolicy) -> Duration? {
    guarded.withLock { guarded in
      guard guarded.state.conditions != .suspended, (error as? PagingError)?.code != .invalidated else { return nil }
      var jitter = guarded.jitter
      defer { guarded.jitter = jitter }
      return retry.delay(afterAttempt: attempt, error: error, using: &jitter)
    }
  }

  // MARK: - Waiting

  func settled() async {
    perform { $0.observerAdded(now: $1) }
    let id = guarded.withLock { guarded in
      guarded.nextSettling += 1
      return guarded.nextSettling
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSettled = guarded.withLock { guarded in
          if Task.isCancelled || guarded.state.isSettled || guarded.state.isClosed { return true }
          guarded.settling[id] = continuation
          return false
        }
        if isSettled { continuation.resume() }
      }
    } onCancel: {
      guarded.withLock { $0.settling.removeValue(forKey: id) }?.resume()
    }
    perform { $0.observerRemoved(now: $1) }
  }

  func close() {
    perform { $0.closed(now: $1) }
    hub.end()
  }
}

extension PagerCore.Guarded {
  /// Sorts an event's actions into what is done here and what is left to do outside the lock.
  mutating func turn(
    doing actions: [PagerCore.Action], hasObserver: Bool
  ) -> PagerCore.Turn {
    var turn = PagerCore.Turn()
    for action in actions {
      switch action {
      case .report(let event):
        statistics.fold(event)
        if event.name == "load", event.phase == .end, let task = loads.removeValue(forKey: event.id),
          event.outcome == "cancelled"
        {
          turn.cancelled.append(task)
        }
        if hasObserver { unheard.append(event) }
      case .finish(let command, let error):
        if let outcome = outcomes.removeValue(forKey: command) { turn.finished.append((outcome, error)) }
      case .cancel: break
      case .load, .openSource, .closeSource, .chooseSurvivor, .wake: turn.actions.append(action)
      }
    }
    turn.hasNews = !unheard.isEmpty && !isReporting
    if turn.hasNews { isReporting = true }
    turn.snapshot = publisher.snapshot(of: state)
    if !settling.isEmpty, state.isSettled || state.isClosed {
      turn.settled = Array(settling.values)
      settling = [:]
    }
    return turn
  }
}

/// A reference that is set once its object is made, and doesn't keep it.
private final class WeakLink<Object: AnyObject & Sendable>: Sendable {
  private struct Box {
    weak var object: Object?
  }

  private let box = Mutex(Box())

  var value: Object? {
    get { box.withLock { $0.object } }
    set { box.withLock { $0.object = newValue } }
  }
}
