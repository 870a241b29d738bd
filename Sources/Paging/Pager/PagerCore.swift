import Loading
import Synchronization

/// The shell around a pager's decisions: it holds them under a lock, runs what they ask for, and shows what came of it.
///
/// Every event goes the same way: under the lock the state decides and a snapshot is taken if anything visible changed;
/// after the lock is released streams are offered it, loads begin or are cancelled, commands end and observers hear of
/// it. Tasks hold the core weakly, so releasing its pager ends them.
final class PagerCore<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  typealias Source = any PageSource<Key, Item>

  let guarded: Mutex<GuardedPager>
  let hub: SnapshotHub<Item>
  let origin: SnapshotOrigin
  let clock: PagerClock
  let config: PagingConfig
  let mediator: (any Mediator<Key, Item>)?
  private let observer: PagingObserver?

  init(
    config: PagingConfig, initialKey: Key?, mediator: (any Mediator<Key, Item>)?,
    restoring: PagingSavedState<Key, Item.ID>? = nil, clock: any Clock<Duration>, observer: PagingObserver?,
    sources: SourceShelf
  ) {
    let link = WeakLink<PagerCore>()
    origin = SnapshotOrigin()
    let state = PagerState(
      config: config, initialKey: initialKey.map { OpaqueKey($0) },
      restoring: restoring.map { SavedPlace($0, of: Item.self) }, hasMediator: mediator != nil,
      access: TypedRows<Item>())
    hub = SnapshotHub(PagingSnapshot(showing: state, origin: origin)) { began in
      link.value?.perform { began ? $0.observerAdded(now: $1) : $0.observerRemoved(now: $1) }
    }
    guarded = Mutex(
      GuardedPager(
        state: state, publisher: SnapshotPublisher(origin: origin, maker: TypedRows<Item>(), showing: state.visible),
        board: hub.untyped, sources: sources,
        jitter: config.retry.seed.map { SeededGenerator(seed: $0) as any RandomNumberGenerator & Sendable }
          ?? SystemRandomNumberGenerator()))
    self.clock = PagerClock(clock)
    self.mediator = mediator
    self.observer = observer
    self.config = config
    link.value = self
  }

  // MARK: - Events

  /// Lets one event happen, and does what follows from it.
  func perform(_ event: (inout PagerState, _ now: Duration) -> [PagerAction]) {
    let now = clock.elapsed()
    let turn = guarded.withLock { guarded -> PagerTurn in
      let actions = event(&guarded.state, now)
      return guarded.turn(doing: actions, hasObserver: observer != nil)
    }
    run(turn)
  }

  /// A command: an event with somebody who may wait for its end.
  func command(_ event: (inout PagerState, _ id: CommandID, _ now: Duration) -> [PagerAction]) -> PagingCommand {
    let outcome = PagingCommand.Outcome()
    let now = clock.elapsed()
    let turn = guarded.withLock { guarded -> PagerTurn in
      let id = guarded.nextCommand
      guarded.nextCommand += 1
      guarded.outcomes[id] = outcome
      let actions = event(&guarded.state, id, now)
      return guarded.turn(doing: actions, hasObserver: observer != nil)
    }
    run(turn)
    return PagingCommand(outcome)
  }

  private func run(_ turn: PagerTurn) {
    if let snapshot = turn.snapshot { hub.untyped.offer(snapshot) }
    for task in turn.cancelled { task.cancel() }
    if turn.hasNews { report() }
    for action in turn.actions { run(action) }
    for (outcome, error) in turn.finished { outcome.finish(error) }
    for continuation in turn.settled { continuation.resume() }
  }

  private func run(_ action: PagerAction) {
    switch action {
    case .load(let id, let generation, let params): start(id, generation, params)
    case .openMediator(let id): openMediator(id)
    case .mediate(let id, let type, let loaded): mediate(id, type, loaded)
    case .openSource(let generation, let question): open(generation, question)
    case .closeSource(let generation): close(generation)
    case .chooseSurvivor(let generation, let anchor, let candidates):
      let source = guarded.withLock { $0.sources.source(of: generation) }.map(typed)
      let items = candidates.map { $0.item(as: Item.self) }
      let chosen = source?.survivor(of: anchor.item(as: Item.self), among: items)
      let row = chosen.map { PageBox([$0]) }.map { OpaqueRow(page: $0, offset: 0, hash: $0.hashes[0]) }
      perform { $0.survivorChosen(generation, row, now: $1) }
    case .wake(let delay):
      // A clock may wake a little early, or fail: what waits for the time must not wait for good.
      let due = clock.elapsed() + delay
      Task.detached { [weak self, sleep = clock.sleep] in
        try? await sleep(delay)
        self?.perform { $0.timePassed(now: max($1, due)) }
      }
    case .cancel, .finish, .report: break  // Done in the turn itself, under the lock.
    }
  }

  /// Tells the observer what it has not heard, in order. One thread tells at a time; what happens meanwhile is told by
  /// it.
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
  private func open(_ generation: UInt64, _ question: SourceQuestion) {
    let make = guarded.withLock { $0.sources.maker(for: generation) }
    let made = make()
    let source = typed(made)
    // The generation may be over before its source is there: then nobody would ever let the source go.
    let isNew = guarded.withLock { $0.state.uses(generation) ? $0.sources.keep(made, for: generation) : nil }
    guard let isNew else { return }
    if isNew, let changes = source.changes() {
      let listening = Task.detached { [weak self] in
        for await change in changes {
          guard let self else { return }
          self.changed(change)
        }
      }
      let isOver = guarded.withLock { !$0.sources.keep(listening, for: generation) || $0.state.isClosed }
      if isOver { listening.cancel() }
    }
    let traits = SourceTraits(keyKind: source.keyKind, allowsRepeatedKeys: source.allowsRepeatedKeys)
    let key: Key? =
      switch question {
      case .traits: nil
      case .refreshKey(let loaded): source.refreshKey(for: loaded.state(Key.self, Item.self, config: config))
      case .index(let index): source.key(forIndex: index)
      case .item(let item): source.key(around: item.id.typed(as: Item.ID.self))
      case .recovery: source.recoveryKey
      }
    let opaque = key.map { OpaqueKey($0) }
    perform { $0.sourceOpened(generation, traits: traits, key: opaque, now: $1) }
  }

  /// What a source says, or the pager's user for it.
  func changed(_ change: SourceChange<Item>) {
    switch change.kind {
    case .everything: perform { $0.sourceInvalidated(now: $1) }
    case .items(let items):
      let rows = OpaquePage(Page<Key, Item>(items))
      perform { $0.sourceRefreshed(rows, now: $1) }
    }
  }

  private func close(_ generation: UInt64) {
    guarded.withLock { $0.sources.remove(generation, isClosed: $0.state.isClosed) }?.cancel()
  }

  // MARK: - Loads

  private func start(_ id: UInt64, _ generation: UInt64, _ params: OpaqueParams) {
    guard let source = guarded.withLock({ $0.sources.source(of: generation) }) else { return }
    let first = LoadJob(id: id, params: params, source: source)
    let task = Task.detached { [weak self, config, sleep = clock.sleep] in
      var job: LoadJob? = first
      while let next = job {
        guard let result = await Self.page(of: next, config: config, sleep: sleep, core: { self }) else { return }
        job = self?.ended(next, result)
      }
    }
    keep(task, for: id)
  }

  /// Keeps the task of a load, or cancels it where the load is wanted no more.
  func keep(_ task: Task<Void, Never>, for id: UInt64) {
    let isWanted = guarded.withLock { guarded in
      guard guarded.state.isInFlight(id) else { return false }
      guarded.loads[id] = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  /// Right because a pager's shelf holds its own sources.
  private func typed(_ source: SourceNode) -> Source { Self.typed(source) }

  private static func typed(_ source: SourceNode) -> Source {
    Paging.typed(source, as: SourceBox<Key, Item>.self).source
  }

  /// Loads one page, again and again where the retry policy says so.
  ///
  /// - Returns: Nil when it was cancelled: whoever did that has put the edge in order already.
  private static func page(
    of job: LoadJob, config: PagingConfig, sleep: @Sendable (Duration) async throws -> Void, core: () -> PagerCore?
  ) async -> Result<OpaquePage, any Error>? {
    let source = typed(job.source)
    let params = job.params.typed(as: Key.self, placeholdersEnabled: config.placeholders)
    var attempt = 1
    while true {
      do {
        return .success(OpaquePage(try await source.load(params)))
      } catch {
        if Task.isCancelled { return nil }
        guard let delay = core()?.delay(after: attempt, error, config.retry) else { return .failure(error) }
        attempt += 1
        do { try await sleep(delay) } catch { return nil }
      }
    }
  }

  /// A load is over. The task that ran it takes over one that begins now, which saves making a task and waking a
  /// thread.
  private func ended(_ job: LoadJob, _ result: Result<OpaquePage, any Error>) -> LoadJob? {
    let now = clock.elapsed()
    let (turn, next) = guarded.withLock { guarded -> (PagerTurn, LoadJob?) in
      let task = guarded.loads[job.id]
      let actions =
        switch result {
        case .success(let page): guarded.state.pageLoaded(job.id, page, now: now)
        case .failure(let error): guarded.state.loadFailed(job.id, error, now: now)
        }
      var turn = guarded.turn(doing: actions, hasObserver: observer != nil)
      guard case .success = result, let task, !task.isCancelled,
        let position = turn.actions.firstIndex(where: \.isLoad),
        case .load(let id, let generation, let params) = turn.actions[position],
        let source = guarded.sources.source(of: generation)
      else { return (turn, nil) }
      turn.actions.remove(at: position)
      guarded.loads[id] = task
      return (turn, LoadJob(id: id, params: params, source: source))
    }
    run(turn)
    return next
  }

  func delay(after attempt: Int, _ error: any Error, _ retry: RetryPolicy) -> Duration? {
    guarded.withLock { guarded in
      guard guarded.state.conditions != .suspended, (error as? PagingError)?.asksForRefresh != true,
        !PagerState.isExpired(error)
      else { return nil }
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
    hub.untyped.end()
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
