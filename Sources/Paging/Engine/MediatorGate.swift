/// A pager's mediator as the engine sees it: which of its loads runs, what they came to, and what is asked of it next.
///
/// One load runs at a time. What a load brought is known when it ends, and is told together with the rows: by the first
/// generation that has read the source since, the one that *follows*.
///
/// | a load | is left | afterwards |
/// |---|---|---|
/// | succeeded | loading, until the generation that follows is shown | ended or not, as it said |
/// | failed | failed | so until `retry`, or a remote refresh that succeeds |
/// | was cancelled | as before it began | once more after a report or a command |
struct MediatorGate {
  /// Whether the mediator was asked how to begin; nothing loads before it has answered.
  enum Opening {
    case unasked
    case asking(id: UInt64)
    case answered
  }

  /// A load under way.
  struct Load {
    let id: UInt64
    let type: LoadType
    let purpose: LoadPurpose
    let reason: LoadReason
    let began: Duration
    /// The failure that it repeats.
    var repeated: LoadFailure?
    /// The source has said that its data changed since this began, and no generation has begun since.
    var hearsChange = false
    /// The first generation that began after the source had said, while this ran, that its data changed: what this load
    /// wrote may be why.
    var seenFrom: UInt64?
  }

  struct Refresh {
    /// To be begun as soon as it may.
    var isWanted = false
    /// The mediator asked for it at the start, and none has succeeded since.
    var isRequired = false
    var origin = RefreshOrigin.anchor
    var reason = LoadReason.start
    var commands: [CommandID] = []
    var failure: LoadFailure?
    /// What it said of the ends, which are shown with the generation that follows.
    var brought: Bool?
    /// It was cancelled and waits for a stream, a report or a command.
    var awaitsSign = false
  }

  struct Side {
    var isEnded = false
    var commands: [CommandID] = []
    var failure: LoadFailure?
    /// What a load said of the end, which is shown with the generation that follows.
    var brought: Bool?
    /// A retry asked for a load, whatever the distance.
    var isRetried = false
    var awaitsReport = false
    /// Loads in a row that added no row.
    var emptyLoads = 0
    /// The row at the edge when the last load began, until it is known whether that load added one.
    var edgeBefore: EdgeRow?
  }

  /// The row at an edge; none where the list is empty.
  struct EdgeRow {
    let row: OpaqueRow?
  }

  /// A load has succeeded, and the generation that shows it isn't shown.
  struct Following {
    /// The number of the first generation that will do.
    var from: UInt64
    var origin = RefreshOrigin.anchor
    /// A remote refresh: nothing that began before is worth finishing.
    var replaces = false
    var commands: [CommandID] = []
    /// It was cancelled and waits for a stream, a report or a command.
    var awaitsSign = false
  }

  private(set) var opening = Opening.unasked
  private(set) var running: Load?
  private(set) var refresh = Refresh()
  private var prepend = Side()
  private var append = Side()
  var following: Following?

  subscript(side: EdgeSide) -> Side {
    get { side == .prepend ? prepend : append }
    _modify {
      if side == .prepend { yield &prepend } else { yield &append }
    }
  }

  // MARK: - What is seen

  /// Whether a load of a side may begin: after a refresh, if one is wanted, and after the generation that follows.
  var isFree: Bool {
    guard case .answered = opening else { return false }
    return running == nil && following == nil && !refresh.isWanted && !refresh.isRequired
  }

  /// Whether it is being asked or loads.
  var isBusy: Bool {
    if case .asking = opening { true } else { running != nil }
  }

  /// Whether a retry asks for a load of a side.
  var hasRetries: Bool { prepend.isRetried || append.isRetried }

  func isInFlight(_ id: UInt64) -> Bool {
    if case .asking(id) = opening { true } else { running?.id == id }
  }

  /// - Parameter isFollowed: Whether the generation that follows is on its way.
  func states(isFollowed: Bool) -> LoadStates {
    LoadStates(
      refresh: refreshState(isFollowed), prepend: state(.prepend, isFollowed), append: state(.append, isFollowed))
  }

  private func refreshState(_ isFollowed: Bool) -> LoadState {
    if case .asking = opening { return .loading }
    if running?.type == .refresh || (refresh.brought != nil && isFollowed) { return .loading }
    return refresh.failure.map { .failed($0) } ?? .notLoading(endReached: false)
  }

  private func state(_ side: EdgeSide, _ isFollowed: Bool) -> LoadState {
    if running?.type == side.loadType || (self[side].brought != nil && isFollowed) { return .loading }
    return self[side].failure.map { .failed($0) } ?? .notLoading(endReached: self[side].isEnded)
  }

  /// What a side would load, if the source has reached its end there; nil: nothing.
  func want(_ side: EdgeSide, by rule: PrefetchRule) -> Edge.Want? {
    let state = self[side]
    if state.isRetried { return Edge.Want(purpose: .visible, reason: .retry) }
    guard state.failure == nil, !state.isEnded, !state.awaitsReport else { return nil }
    return rule.purpose(side).map { Edge.Want(purpose: $0, reason: .viewport) }
  }

  // MARK: - Beginnings

  mutating func asked(_ id: UInt64) { opening = .asking(id: id) }

  mutating func answered(_ action: InitializeAction) {
    opening = .answered
    guard action.refreshes else { return }
    refresh.isRequired = true
    // A command that came before the answer is this very refresh.
    if refresh.isWanted { return }
    refresh.isWanted = true
    refresh.reason = .start
  }

  /// A command asks for a refresh.
  ///
  /// - Returns: The commands whose place it takes.
  mutating func askForRefresh(_ origin: RefreshOrigin, reason: LoadReason, _ command: CommandID) -> [CommandID] {
    defer { refresh.commands = [command] }
    refresh.isWanted = true
    refresh.awaitsSign = false
    refresh.origin = origin
    refresh.reason = reason
    return refresh.commands
  }

  /// The list was moved by something newer than a refresh that is on its way, which then is to leave it there.
  mutating func keepPlace() {
    refresh.origin = .anchor
    following?.origin = .anchor
  }

  mutating func began(_ load: Load, at edge: EdgeRow?) {
    var load = load
    defer { running = load }
    guard let side = EdgeSide(load.type) else {
      load.repeated = refresh.failure
      refresh.failure = nil
      refresh.isWanted = false
      return
    }
    load.repeated = self[side].failure
    self[side].failure = nil
    self[side].isRetried = false
    self[side].awaitsReport = false
    self[side].edgeBefore = edge
  }

  // MARK: - Ends

  /// The running load succeeded.
  ///
  /// - Parameters:
  ///   - endReached: What it said.
  ///   - from: The number of the first generation that shows what it wrote.
  /// - Returns: Retries that have nothing left to do.
  mutating func succeeded(endReached: Bool, from: UInt64) -> [CommandID] {
    guard let load = running else { return [] }
    running = nil
    var next = following ?? Following(from: from)
    next.from = max(next.from, from)
    next.awaitsSign = false
    var done: [CommandID] = []
    if let side = EdgeSide(load.type) {
      self[side].brought = endReached
      next.commands += self[side].takeCommands()
    } else {
      next.commands += refresh.takeCommands()
      next.origin = refresh.origin
      next.replaces = true
      refresh.brought = endReached
      refresh.isRequired = false
      refresh.origin = .anchor
      for side in EdgeSide.allCases {
        done += self[side].takeCommands()
        self[side] = Side(isEnded: self[side].isEnded)
      }
    }
    following = next
    return done
  }

  /// The running load failed.
  ///
  /// - Returns: Who waited for it.
  mutating func failed(_ failure: LoadFailure) -> [CommandID] {
    guard let load = running else { return [] }
    running = nil
    guard let side = EdgeSide(load.type) else {
      refresh.failure = failure
      return refresh.takeCommands()
    }
    self[side].failure = failure
    self[side].edgeBefore = nil
    return self[side].takeCommands()
  }

  /// The running load was cancelled: all is as it was before.
  ///
  /// - Parameters:
  ///   - isHeld: Conditions forbid loads; what ran is to run again by itself.
  ///   - awaitingSign: It begins again only after a report or a command.
  /// - Returns: Who waited for it in vain.
  mutating func cancelled(isHeld: Bool = false, awaitingSign: Bool) -> [CommandID] {
    guard let load = running else { return [] }
    running = nil
    if let side = EdgeSide(load.type) {
      self[side].failure = isHeld ? nil : load.repeated
      self[side].awaitsReport = awaitingSign && !isHeld
      self[side].edgeBefore = nil
      return self[side].takeCommands()
    }
    if isHeld {
      refresh.isWanted = true
      return []
    }
    refresh.failure = load.repeated
    refresh.isWanted = refresh.isRequired && load.repeated == nil
    refresh.awaitsSign = awaitingSign
    return refresh.takeCommands()
  }

  /// A generation is shown.
  ///
  /// - Returns: Who waited for it.
  mutating func shown(_ generation: UInt64) -> [CommandID] {
    guard let shown = following, generation >= shown.from else { return [] }
    following = nil
    for side in EdgeSide.allCases {
      self[side].isEnded = self[side].brought ?? refresh.brought ?? self[side].isEnded
      self[side].brought = nil
    }
    refresh.brought = nil
    return shown.commands
  }

  /// Whether the last load of a side added no row is known now: the row at its edge is the same one.
  mutating func counted(_ side: EdgeSide, addedNone: Bool) {
    self[side].emptyLoads = addedNone ? self[side].emptyLoads + 1 : 0
    self[side].edgeBefore = nil
  }

  // MARK: - Signs

  /// Nobody looks: a refresh that is wanted, or will be once the mediator has answered, is not for now.
  ///
  /// - Returns: Who waited for it in vain.
  mutating func awaitSign() -> [CommandID] {
    refresh.awaitsSign = true
    return refresh.takeCommands()
  }

  /// Somebody looks, or gave a command.
  mutating func signCame() {
    refresh.awaitsSign = false
    following?.awaitsSign = false
  }

  /// A viewport was reported.
  mutating func reported() {
    signCame()
    prepend.awaitsReport = false
    append.awaitsReport = false
  }

  /// The source said that its data changed. What it said before a load began does not speak of what that load wrote.
  mutating func sourceSaysChanged() { running?.hearsChange = true }

  /// A generation began.
  mutating func generationBegan(_ number: UInt64) {
    guard running?.hearsChange == true else { return }
    running?.seenFrom = number
    running?.hearsChange = false
  }

  /// The pager was closed: nothing runs, and nothing is wanted.
  ///
  /// - Returns: All who waited.
  mutating func close() -> [CommandID] {
    var waiting = refresh.takeCommands() + (following?.commands ?? [])
    for side in EdgeSide.allCases {
      waiting += self[side].takeCommands()
      self[side].isRetried = false
      self[side].brought = nil
    }
    (opening, running, following) = (.answered, nil, nil)
    refresh.isWanted = false
    refresh.brought = nil
    return waiting
  }
}

extension MediatorGate.Side {
  init(isEnded: Bool) {
    self.init()
    self.isEnded = isEnded
  }

  /// Hands over who waits here.
  mutating func takeCommands() -> [CommandID] {
    defer { commands = [] }
    return commands
  }

  /// A command asks for a load: what went before counts no more.
  mutating func startOver() {
    emptyLoads = 0
    edgeBefore = nil
  }
}

extension MediatorGate.Refresh {
  /// Hands over who waits for it.
  mutating func takeCommands() -> [CommandID] {
    defer { commands = [] }
    return commands
  }
}
