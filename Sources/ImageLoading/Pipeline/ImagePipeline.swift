import ImageCodecs
import Loading
import Synchronization

/// The shell around the pipeline's decisions: it holds them under a lock, and does outside it what they ask for.
///
/// Every event goes the same way: under the lock the state decides, and what follows is gathered with all that it
/// needs; after the lock is released tasks are cancelled, memory is asked and filled, waiters hear. Each stage's work
/// runs in a task of its own, which is cancelled when nobody waits any more; decoders and transforms see that by
/// `Task.isCancelled`. Every member may be used from any thread.
final class ImagePipeline: Sendable {
  typealias State = PipelineState<PipelineJob>

  struct Waiter {
    let job: PipelineJob
    let ticket: LoadTicket
    let observation: UInt64
    let tell: @Sendable (StageNews) -> Void
  }

  /// What belongs to a stage while it is alive.
  struct Work {
    let ticket: LoadTicket
    var task: Task<Void, Never>?
    var result: StageResult?
    var feed: PreviewFeed?
  }

  struct Guarded {
    var state = State()
    var waiters: [State.Waiter: Waiter] = [:]
    var works: [State.Stage: Work] = [:]
    /// Loads that interceptors may hold outside the stages.
    var loads: [UInt64: @Sendable (any Error) -> Void] = [:]
    var conditions = LoadConditions.normal
    var isClosed = false
    var nextID: UInt64 = 1
    /// How often something was invalidated.
    var invalidations: UInt64 = 0
    /// What is to be let go of after the lock.
    var discarded: [Waiter] = []

    mutating func newID() -> UInt64 {
      defer { nextID += 1 }
      return nextID
    }
  }

  /// What follows from an event, outside the lock.
  private enum Effect {
    case look(State.Stage, PipelineJob, level: Int)
    /// The task was begun under the lock, so that whoever cancels finds it.
    case began(PreviewFeed?)
    /// With how often something had been invalidated when it was decided.
    case keep(State.Stage, StageResult, writer: PipelineJob?, invalidations: UInt64)
    case pass(State.Stage, LoadTicket)
    case end(Work, cancels: Bool)
    case tell(Waiter, Result<StageResult, any Error>)
  }

  let guarded = Mutex(Guarded())
  let fetcher: any ByteFetching
  let memory: any PictureKeeping
  let config: ImageLoaderConfig
  let decoders: ImageDecoderList
  let interceptors: [any ImageInterceptor]
  let lane: LoadScheduler
  let undecodable: UndecodableBook
  let events: ImageEvents
  let time: ElapsedTime

  /// A pipeline with nothing to do.
  init(
    config: ImageLoaderConfig, fetcher: any ByteFetching, memory: any PictureKeeping, decoders: [any ImageDecoder],
    interceptors: [any ImageInterceptor] = [], clock: any Clock<Duration>, events: ImageEvents? = nil
  ) {
    self.config = config
    self.fetcher = fetcher
    self.memory = memory
    self.decoders = ImageDecoderList(decoders)
    self.interceptors = interceptors
    let time = ElapsedTime(on: clock)
    self.time = time
    self.events = events ?? ImageEvents(observer: nil, now: time.now)
    lane = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: config.maxConcurrentDecodes), clock: clock)
    undecodable = UndecodableBook(lifetime: config.failureLifetime, now: time.now)
  }

  // MARK: - Loads

  /// Starts a load: the one way to do so.
  ///
  /// Memory isn't asked for the picture first, and no figures of its hits change: whoever calls has looked.
  ///
  /// - Parameters:
  ///   - request: As ``ImageLoader/prepared(_:)`` made it.
  ///   - ticket: How urgently; its priority counts at any time.
  ///   - deliver: Called outside locks, from any thread, one call after the other, perhaps before this method returns.
  ///     `finished` comes exactly once, unless the load is cancelled first: then nothing comes any more.
  /// - Returns: What cancels the load; without effect when it is over.
  func start(
    _ request: ImageRequest, ticket: LoadTicket, destination: PrefetchDestination = .memory,
    deliver: @escaping @Sendable (ImageLoadStep) -> Void
  ) -> @Sendable () -> Void {
    let isForDisk = destination == .disk
    // Where the disk keeps what was decoded and nothing else, that is what is brought there.
    let purpose: PipelineJob.Purpose = isForDisk && config.diskContent != .processed ? .bytes : .picture
    let order = LoadOrder(
      pipeline: self, request: request, purpose: purpose, writesMemory: !isForDisk, ticket: ticket)
    let load = PipelineLoad(order) { news in
      switch news {
      case .progress(let progress): deliver(.progress(progress))
      case .preview(let image): if !isForDisk { deliver(.preview(image)) }
      case .ended(let result): deliver(.finished(result.map { isForDisk ? nil : $0.response }))
      }
    }
    load.begin()
    return { load.cancel() }
  }

  /// A load that memory answered: nothing is done, and it counts.
  func answeredFromMemory(_ request: ImageRequest) {
    events.loadEnded(events.loadBegan(request.surface), origin: .memory)
  }

  // MARK: - Waiting for stages

  func newID() -> UInt64 { guarded.withLock { $0.newID() } }

  /// Waits for what a job wants.
  ///
  /// - Parameters:
  ///   - isOver: Asked under the lock: whether the waiter has left already.
  ///   - tell: Called outside the lock; `ended` once, unless the waiter leaves before.
  func join(
    _ waiter: State.Waiter, _ job: PipelineJob, ticket: LoadTicket, isOver: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (StageNews) -> Void
  ) {
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: waiter) }
    var isClosed = false
    var hasJoined = false
    perform { guarded in
      isClosed = guarded.isClosed
      if isClosed || isOver() { return [] }
      hasJoined = true
      guarded.waiters[waiter] = Waiter(job: job, ticket: ticket, observation: observation, tell: tell)
      return guarded.state.joined(waiter, job.chain, priority: ticket.priority, job: job)
    }
    if !hasJoined { ticket.stopObserving(observation) }
    if isClosed { tell(.ended(.failure(Self.closedError))) }
  }

  /// Stops waiting; nothing is told from here on but what is being told already.
  func leave(_ waiter: State.Waiter) {
    perform { guarded in
      if let gone = guarded.waiters.removeValue(forKey: waiter) { guarded.discarded.append(gone) }
      return guarded.state.left(waiter)
    }
  }

  private func priorityChanged(of waiter: State.Waiter) {
    // Read under the lock: of changes made at the same time, the last one to come here sees what holds.
    perform { guarded in
      guard let ticket = guarded.waiters[waiter]?.ticket else { return [] }
      return guarded.state.reprioritised(waiter, to: ticket.priority)
    }
  }

  // MARK: - What the host says

  var conditions: LoadConditions {
    get { guarded.withLock { $0.conditions } }
    set {
      let isSuspended = newValue == .suspended
      // What waits for its turn in a lane hasn't started either.
      lane.isSuspended = isSuspended
      fetcher.suspend(isSuspended)
      perform { guarded in
        guarded.conditions = newValue
        return guarded.state.suspended(isSuspended)
      }
    }
  }

  /// Whoever asks from now on gets fresh work for those bytes, or for all where the key is nil, and nothing of what is
  /// under way is kept in memory.
  func invalidate(_ bytes: ImageKey?) {
    guarded.withLock { guarded in
      guarded.invalidations += 1
      guarded.state.invalidated { name in bytes.map { name.key.begins(with: $0) } ?? true }
    }
  }

  var isClosed: Bool { guarded.withLock { $0.isClosed } }

  /// All loads fail, now and later.
  func close() {
    var loads: [@Sendable (any Error) -> Void] = []
    perform(failing: Self.closedError) { guarded in
      guarded.isClosed = true
      loads = Array(guarded.loads.values)
      guarded.loads = [:]
      return guarded.state.closed()
    }
    for fail in loads { fail(Self.closedError) }
  }

  static var closedError: ImageError {
    ImageError(.closed, message: "the image loader was closed; make another one, or close it later")
  }

  // MARK: - Deciding and doing

  /// Lets one event happen, and does outside the lock what follows from it.
  ///
  /// - Parameter error: What those hear whose stage has failed by it.
  func perform(failing error: any Error = CancellationError(), _ event: (inout Guarded) -> [State.Action]) {
    let (effects, discarded) = guarded.withLock { guarded in
      let effects = event(&guarded).compactMap { effect(of: $0, error, &guarded) }
      defer { guarded.discarded = [] }
      return (effects, guarded.discarded)
    }
    for waiter in discarded { waiter.ticket.stopObserving(waiter.observation) }
    for effect in effects { run(effect) }
  }

  private func effect(of action: State.Action, _ error: any Error, _ guarded: inout Guarded) -> Effect? {
    switch action {
    case .look(let stage):
      guard let job = guarded.state.job(of: stage), let level = guarded.state.level(of: stage) else { return nil }
      work(on: stage, in: &guarded) { _ in }
      return .look(stage, job, level: level)
    case .work(let stage):
      guard let node = guarded.state.nodes[stage] else { return nil }
      let below = node.below.flatMap { guarded.works[$0]?.result }
      var feed: PreviewFeed?
      work(on: stage, in: &guarded) { work in
        feed = work.feed
        work.feed = nil
        let ticket = work.ticket
        work.task = Task.detached { await self.work(on: stage, node, below, ticket) }
      }
      return .began(feed)
    case .keep(let stage):
      guard let result = guarded.works[stage]?.result else { return nil }
      let writers = guarded.state.mayKeep(stage) ? guarded.state.waiters(on: stage) : []
      return .keep(
        stage, result, writer: writers.compactMap { guarded.waiters[$0]?.job }.first { $0.writesMemory },
        invalidations: guarded.invalidations)
    case .reprioritise(let stage): return guarded.works[stage].map { .pass(stage, $0.ticket) }
    case .cancel(let stage): return guarded.works.removeValue(forKey: stage).map { .end($0, cancels: true) }
    case .drop(let stage): return guarded.works.removeValue(forKey: stage).map { .end($0, cancels: false) }
    case .finish(let waiter, let stage):
      guard let result = guarded.works[stage]?.result else { return nil }
      return guarded.waiters.removeValue(forKey: waiter).map { .tell($0, .success(result)) }
    case .fail(let waiter): return guarded.waiters.removeValue(forKey: waiter).map { .tell($0, .failure(error)) }
    case .abandon(let waiter):
      return guarded.waiters.removeValue(forKey: waiter).map { .tell($0, .failure(CancellationError())) }
    }
  }

  private func work(on stage: State.Stage, in guarded: inout Guarded, _ change: (inout Work) -> Void) {
    var work =
      guarded.works[stage] ?? Work(ticket: LoadTicket(priority: guarded.state.priority(of: stage) ?? .medium))
    change(&work)
    guarded.works[stage] = work
  }

  private func run(_ effect: Effect) {
    switch effect {
    case .look(let stage, let job, let level): look(for: stage, job, level)
    case .began(let feed): feed?.end()
    case .keep(let stage, let result, let writer, let invalidations): keep(stage, result, writer, invalidations)
    case .pass(let stage, let ticket): pass(priorityOf: stage, to: ticket)
    case .end(let work, let cancels):
      work.feed?.end()
      if cancels { work.task?.cancel() }
    case .tell(let waiter, let result):
      waiter.ticket.stopObserving(waiter.observation)
      waiter.tell(.ended(result))
    }
  }

  private func keep(
    _ stage: State.Stage, _ result: StageResult, _ writer: PipelineJob?, _ invalidations: UInt64
  ) {
    if let writer, case .picture(let picture) = result, !picture.isKept {
      memory.insert(picture.image, for: writer.request, keys: writer.keys)
      // What was invalidated between the decision and the insertion must not stay. That a stage has gone is no sign of
      // it: who waited may have left.
      let isInvalid = guarded.withLock { $0.invalidations != invalidations && !$0.state.mayKeep(stage) }
      if isInvalid { memory.remove(bytes: writer.keys.bytes) }
    }
    perform { $0.state.kept(stage) }
  }

  /// Writes a stage's priority on its ticket. Two threads may do so at once: whoever comes last sees what holds.
  private func pass(priorityOf stage: State.Stage, to ticket: LoadTicket) {
    while let priority = guarded.withLock({ $0.state.priority(of: stage) }), priority != ticket.priority {
      ticket.priority = priority
    }
  }
}
