import Loading

/// Which stages of which pictures are under way, and who waits for them: every decision of the pipeline, with no lock,
/// no task and no clock.
///
/// A picture comes by stages, each made of the one below it: the bytes, the decoded picture, the picture after each
/// transform. Who asks names the stages, the bytes first; stages of one name are shared by all who ask for them, or for
/// one above.
///
/// | a stage is | meanwhile | when all who wait have gone |
/// |---|---|---|
/// | looking | memory, and perhaps the disk, is asked for its result | it is cancelled |
/// | waiting | the stage below it comes | the one below loses a user |
/// | working | its bytes are fetched, or it is decoded or transformed | it is cancelled |
/// | keeping | its result is put into memory | it goes |
/// | done | those above work on from it, and whoever asks gets it at once | it goes |
///
/// A stage that has gone can't be found any more in the same instant, so whoever asks then gets a fresh one. Each event
/// costs O(stages of the picture), and O(waiters) where some are served.
struct PipelineState<Job: Sendable>: Sendable {
  typealias Waiter = UInt64
  typealias Stage = UInt64

  /// What tells stages apart.
  struct Name: Hashable, Sendable {
    let key: ImageKey
    /// How it may be had: those who may ask the network don't wait for what only looks into caches.
    let manner: Int

    init(_ key: ImageKey, manner: Int = 0) {
      self.key = key
      self.manner = manner
    }
  }

  /// What the shell is to do after an event.
  enum Action: Equatable {
    /// Look whether memory or the disk has the result: ``looked(_:found:)``.
    case look(Stage)
    /// Do the work; what is below is done: ``worked(_:)``, ``failed(_:)`` or ``rejected(_:insteadUse:)``.
    case work(Stage)
    /// Put the result into memory: ``kept(_:)``.
    case keep(Stage)
    /// The priority has changed; read it.
    case reprioritise(Stage)
    /// Nobody waits for it any more: end what runs for it.
    case cancel(Stage)
    /// It is over: its result is of no more use here.
    case drop(Stage)
    /// The waiter has what it waited for: the result of that stage.
    case finish(Waiter, Stage)
    /// What it waited for has failed.
    case fail(Waiter)
    /// What it waited for died while nothing was to start: that is no failure.
    case abandon(Waiter)
  }

  enum Phase: Equatable {
    case looking, waiting, working, keeping, done
  }

  /// Who keeps a stage alive.
  enum User: Hashable {
    case waiter(Waiter)
    case stage(Stage)
  }

  struct Node {
    /// The names of the stages up to this one.
    var chain: [Name]
    let job: Job
    var phase: Phase
    var below: Stage?
    var users: [User: LoadPriority] = [:]
    var priority: LoadPriority
    /// Found no more: what it was made of no longer holds.
    var isStale = false

    var name: Name? { chain.last }
  }

  var nodes: [Stage: Node] = [:]
  var live: [Name: Stage] = [:]
  var stageOf: [Waiter: Stage] = [:]
  var isSuspended = false
  /// Stages whose start is kept back until it may be, in their order.
  var held: [Stage] = []
  var out: [Action] = []
  private var nextStage: Stage = 1

  /// How many stages are alive.
  var count: Int { nodes.count }

  // MARK: - Those who wait

  /// Someone asks for a picture.
  ///
  /// - Parameters:
  ///   - waiter: A number of the caller's choice that was never used before.
  ///   - chain: The stages up to the one that is wanted, the bytes first; none does nothing.
  ///   - job: What the shell needs to do the work, where this waiter is the first to ask.
  mutating func joined(_ waiter: Waiter, _ chain: [Name], priority: LoadPriority, job: Job) -> [Action] {
    guard !chain.isEmpty else { return [] }
    let (stage, isNew) = obtain(chain, priority, job)
    if nodes[stage]?.phase == .done {
      out.append(.finish(waiter, stage))
      return taken()
    }
    stageOf[waiter] = stage
    nodes[stage]?.users[.waiter(waiter)] = priority
    if isNew { begin(stage) } else { reweigh(stage) }
    return taken()
  }

  /// A waiter has gone.
  mutating func left(_ waiter: Waiter) -> [Action] {
    guard let stage = stageOf.removeValue(forKey: waiter) else { return [] }
    release(stage, by: .waiter(waiter))
    return taken()
  }

  /// A waiter's ticket says another priority.
  mutating func reprioritised(_ waiter: Waiter, to priority: LoadPriority) -> [Action] {
    guard let stage = stageOf[waiter] else { return [] }
    nodes[stage]?.users[.waiter(waiter)] = priority
    reweigh(stage)
    return taken()
  }

  // MARK: - What stages tell

  /// Memory and disk were looked at for a stage's result.
  mutating func looked(_ stage: Stage, found: Bool) -> [Action] {
    guard let node = nodes[stage], node.phase == .looking else { return [] }
    if found {
      nodes[stage]?.phase = .keeping
      out.append(.keep(stage))
    } else {
      descend(from: stage)
    }
    return taken()
  }

  /// A stage's work has come well.
  mutating func worked(_ stage: Stage) -> [Action] {
    guard nodes[stage]?.phase == .working else { return [] }
    nodes[stage]?.phase = .keeping
    out.append(.keep(stage))
    return taken()
  }

  /// A stage's result is where it is found by whoever asks from now on.
  mutating func kept(_ stage: Stage) -> [Action] {
    guard let node = nodes[stage], node.phase == .keeping else { return [] }
    nodes[stage]?.phase = .done
    nodes[stage]?.below = nil
    for waiter in waiters(on: stage) {
      nodes[stage]?.users[.waiter(waiter)] = nil
      stageOf[waiter] = nil
      out.append(.finish(waiter, stage))
    }
    for above in stages(above: stage) where nodes[above]?.phase == .waiting {
      nodes[above]?.phase = .working
      begin(above)
    }
    if let below = node.below { release(below, by: .stage(stage)) }
    if nodes[stage]?.users.isEmpty == true { remove(stage) } else { reweigh(stage) }
    return taken()
  }

  /// A stage can't be had: nor can those above it.
  mutating func failed(_ stage: Stage) -> [Action] {
    guard let node = nodes[stage], node.phase == .looking || node.phase == .working else { return [] }
    fail(stage)
    return taken()
  }

  /// What is below a stage is no good: it is to be had in another manner.
  ///
  /// - Parameter name: What to use in its place.
  mutating func rejected(_ stage: Stage, insteadUse name: Name) -> [Action] {
    guard let node = nodes[stage], node.phase == .working, let below = node.below, node.chain.count > 1 else {
      return []
    }
    // Nobody is to join what is known to be no good.
    hide(below)
    nodes[stage]?.below = nil
    nodes[stage]?.chain[node.chain.count - 2] = name
    release(below, by: .stage(stage))
    descend(from: stage)
    return taken()
  }

  // MARK: - What the host says

  /// Nothing starts from now on, or all may start that was kept back.
  mutating func suspended(_ isSuspended: Bool) -> [Action] {
    self.isSuspended = isSuspended
    guard !isSuspended else { return [] }
    let waiting = held
    held = []
    for stage in waiting { begin(stage) }
    return taken()
  }

  /// What those stages are made of no longer holds: who waits gets it still, nobody joins them, and nothing of it is
  /// kept.
  mutating func invalidated(where isMeant: (Name) -> Bool) {
    for (stage, node) in nodes where node.name.map(isMeant) == true {
      hide(stage)
      nodes[stage]?.isStale = true
    }
  }

  /// All is over: everyone who waits fails.
  mutating func closed() -> [Action] {
    for waiter in stageOf.keys.sorted() { out.append(.fail(waiter)) }
    for (stage, node) in nodes.sorted(by: { $0.key < $1.key }) {
      out.append(Self.hasStarted(node.phase) ? .cancel(stage) : .drop(stage))
    }
    nodes = [:]
    live = [:]
    stageOf = [:]
    held = []
    return taken()
  }

  // MARK: - Deciding

  /// Finds a stage or makes it; one that is made has no user yet.
  private mutating func obtain(_ chain: [Name], _ priority: LoadPriority, _ job: Job) -> (Stage, isNew: Bool) {
    if let name = chain.last, let stage = live[name] { return (stage, false) }
    let stage = nextStage
    nextStage += 1
    nodes[stage] = Node(chain: chain, job: job, phase: chain.count > 1 ? .looking : .working, priority: priority)
    if let name = chain.last { live[name] = stage }
    return (stage, true)
  }

  /// Has a stage wait for the one below it.
  private mutating func descend(from stage: Stage) {
    guard let node = nodes[stage] else { return }
    let (below, isNew) = obtain(Array(node.chain.dropLast()), node.priority, node.job)
    nodes[stage]?.below = below
    nodes[below]?.users[.stage(stage)] = node.priority
    if nodes[below]?.phase == .done {
      nodes[stage]?.phase = .working
      reweigh(below)
      begin(stage)
    } else {
      nodes[stage]?.phase = .waiting
      if isNew { begin(below) } else { reweigh(below) }
    }
  }

  private mutating func begin(_ stage: Stage) {
    guard let node = nodes[stage] else { return }
    if isSuspended {
      held.append(stage)
    } else {
      out.append(node.phase == .looking ? .look(stage) : .work(stage))
    }
  }

  /// A stage is as urgent as the most urgent of its users.
  private mutating func reweigh(_ stage: Stage) {
    guard let node = nodes[stage], let highest = node.users.values.max(), highest != node.priority else { return }
    nodes[stage]?.priority = highest
    out.append(.reprioritise(stage))
    if let below = node.below {
      nodes[below]?.users[.stage(stage)] = highest
      reweigh(below)
    }
  }

  private mutating func release(_ stage: Stage, by user: User) {
    nodes[stage]?.users[user] = nil
    if nodes[stage]?.users.isEmpty == true { remove(stage) } else { reweigh(stage) }
  }

  private mutating func remove(_ stage: Stage) {
    hide(stage)
    guard let node = nodes.removeValue(forKey: stage) else { return }
    held.removeAll { $0 == stage }
    out.append(Self.hasStarted(node.phase) ? .cancel(stage) : .drop(stage))
    if let below = node.below { release(below, by: .stage(stage)) }
  }

  private mutating func fail(_ stage: Stage) {
    hide(stage)
    guard let node = nodes.removeValue(forKey: stage) else { return }
    out.append(.drop(stage))
    for waiter in Self.waiters(of: node) {
      stageOf[waiter] = nil
      out.append(isSuspended ? .abandon(waiter) : .fail(waiter))
    }
    for above in Self.stages(of: node) { fail(above) }
    if let below = node.below { release(below, by: .stage(stage)) }
  }

  private mutating func hide(_ stage: Stage) {
    if let name = nodes[stage]?.name, live[name] == stage { live[name] = nil }
  }

  private mutating func taken() -> [Action] {
    defer { out = [] }
    return out
  }

  private static func hasStarted(_ phase: Phase) -> Bool { phase == .looking || phase == .working }
}

// MARK: - What the shell asks

extension PipelineState {
  /// How urgent a stage is; nil where it has gone.
  func priority(of stage: Stage) -> LoadPriority? { nodes[stage]?.priority }

  /// What the shell needs to do a stage's work.
  func job(of stage: Stage) -> Job? { nodes[stage]?.job }

  /// 0 for the bytes, 1 for the decoded picture, then one more for each transform.
  func level(of stage: Stage) -> Int? { nodes[stage].map { $0.chain.count - 1 } }

  /// Whether a stage's result may be found by others.
  func mayKeep(_ stage: Stage) -> Bool { nodes[stage]?.isStale == false }

  /// Those who wait for that stage itself, in the order of their numbers.
  func waiters(on stage: Stage) -> [Waiter] { nodes[stage].map(Self.waiters(of:)) ?? [] }

  /// The stages that are made of that one.
  func stages(above stage: Stage) -> [Stage] { nodes[stage].map(Self.stages(of:)) ?? [] }

  /// All who wait for that stage or for one that is made of it.
  func audience(of stage: Stage) -> [Waiter] {
    waiters(on: stage) + stages(above: stage).flatMap { audience(of: $0) }
  }

  private static func waiters(of node: Node) -> [Waiter] {
    node.users.keys.compactMap { if case .waiter(let waiter) = $0 { waiter } else { nil } }.sorted()
  }

  private static func stages(of node: Node) -> [Stage] {
    node.users.keys.compactMap { if case .stage(let stage) = $0 { stage } else { nil } }.sorted()
  }
}
