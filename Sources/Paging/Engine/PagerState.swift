import Loading

/// What the shell is to do after an event.
enum PagerAction: Sendable {
  /// Make the source of that generation, or take the one there is, and ask it; answer with `sourceOpened`.
  case openSource(generation: UInt64, question: SourceQuestion)
  /// The generation is over: its source is no longer needed.
  case closeSource(generation: UInt64)
  /// Ask the source which row stands in for an anchor that is gone; answer with `survivorChosen`.
  case chooseSurvivor(generation: UInt64, anchor: OpaqueRow, candidates: [OpaqueRow])
  /// Start a load; answer with `pageLoaded` or `loadFailed`.
  case load(id: UInt64, generation: UInt64, params: OpaqueParams)
  /// Ask the mediator how to begin; answer with `mediatorInitialized`.
  case openMediator(id: UInt64)
  /// Start a load of the mediator; answer with `mediatorLoaded` or `mediatorFailed`.
  case mediate(id: UInt64, type: LoadType, loaded: LoadedPages)
  /// Cancel a load, or the question to the mediator; no answer is waited for.
  case cancel(id: UInt64)
  /// Tell whoever waits for a command how it ended.
  case finish(CommandID, (any Error)?)
  /// Call `timePassed` after that long.
  case wake(after: Duration)
  /// Tell the observer.
  case report(PagingEvent)
}

/// Every decision of a pager: events in, actions out.
///
/// It holds no lock, no task and no clock. Each event that happens is a method; what it returns is to be done outside,
/// in order. `now` is the time since the pager was made, on the pager's clock.
///
/// Further files hold the rest: what commands do, what loads bring, how a candidate becomes the shown generation, and
/// what a mediator does.
struct PagerState {
  let config: PagingConfig
  let initialKey: OpaqueKey?
  /// Where the reader was in an earlier life of the list; until rows are shown.
  let restoring: SavedPlace?
  let access: any RowAccess

  /// What is shown; generation 0, which is empty, before the first page of the first one.
  var shown: Generation
  /// What is to replace it. Reading it copies all of it: what is asked for after every event has members of its own below.
  var candidate: Candidate? {
    get { candidateBox?.candidate }
    set { candidateBox = newValue.map { CandidateBox($0) } }
  }
  /// Apart, since it is larger than what is shown and a list at rest has none.
  private var candidateBox: CandidateBox?
  var viewports = Viewports()
  /// What the user has changed and the source has not said yet.
  var overlay = EditOverlay()
  /// What became of the anchor when `shown` began, as a coordinate of it.
  var anchorKind: AnchorOutcome.Kind?
  var anchorCoordinate: Int?

  var isStarted = false
  var isClosed = false
  var observers = 0
  var conditions = LoadConditions.normal
  /// The source's data changed, and no generation has begun since.
  var invalidated = false
  /// Commands to load a page that came while a candidate ran or before anything was shown.
  var waitingLoads: [(side: EdgeSide, command: CommandID)] = []
  /// The first load, or one that an invalidation asked for, was cancelled: it waits for a stream, a report, a command
  /// or another invalidation.
  var firstAwaitsSign = false
  /// How often in a row a load called its own source out of date.
  var thrownInvalidations = 0
  /// Which expired cursors are still answered by starting again.
  var expiries = ExpiryGuard()
  /// How often in a row pages that were read again did not lead to the rows that are shown.
  var driftsReadingBack = 0
  /// When `timePassed` is due.
  var wakesAt: Duration?
  /// When nobody has observed for long enough.
  var graceEnds: Duration?
  /// A jump into placeholders that the source gave no key for: not asked again in this generation.
  var cannotJumpToPlaceholders = false
  /// The latest report has had its jump into placeholders, however that ended: another waits for another report.
  var jumpAwaitsReport = false
  /// What fills the store that the source reads; nil without a mediator.
  var mediator: MediatorGate?

  var now = Duration.zero
  private var out: [PagerAction] = []
  private var nextNumber: UInt64 = 1
  private var failures: UInt64 = 0

  init(
    config: PagingConfig, initialKey: OpaqueKey? = nil, restoring: SavedPlace? = nil, hasMediator: Bool = false,
    access: any RowAccess
  ) {
    self.config = config
    self.initialKey = initialKey
    self.restoring = restoring
    self.access = access
    mediator = hasMediator ? MediatorGate() : nil
    shown = Generation(number: 0, config: config, access: access)
  }

  // MARK: - Plumbing

  /// A number that no other load, generation or event of this pager has.
  mutating func number() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func failure(_ error: any Error) -> LoadFailure {
    failures += 1
    return LoadFailure(number: failures, error: error)
  }

  mutating func emit(_ action: PagerAction) { out.append(action) }

  /// Ends an event: starts what is wanted now and hands over what is to be done.
  mutating func settle() -> [PagerAction] {
    presentEdits()
    advance()
    presentEdits()
    defer { out = [] }
    return out
  }

  /// Asks to be told when the time is `moment`, unless that is asked for already.
  mutating func wake(at moment: Duration) {
    if let wakesAt, wakesAt <= moment { return }
    wakesAt = moment
    emit(.wake(after: moment - now))
  }

  mutating func finish(_ commands: [CommandID], _ error: (any Error)? = nil) {
    for command in commands { emit(.finish(command, error)) }
  }

  /// Whether something is to replace what is shown, under way or not.
  var hasCandidate: Bool { candidateBox != nil }

  /// What the candidate does, if there is one.
  var candidateActivity: Candidate.Activity? { candidateBox?.candidate.activity }

  /// Whether a candidate is under way.
  var isCandidateRunning: Bool { candidateBox?.candidate.isRunning == true }

  /// The load of a candidate that is under way.
  var candidateLoad: LoadInFlight? { candidateBox?.candidate.inFlight }

  // MARK: - What a screen sees

  /// Whether a generation is shown.
  var isShowing: Bool { shown.number != 0 }

  var states: LoadStates {
    LoadStates(
      refresh: candidateBox?.candidate.state ?? .notLoading(endReached: false),
      prepend: isShowing ? shown.prepend.state : .notLoading(endReached: false),
      append: isShowing ? shown.append.state : .notLoading(endReached: false))
  }

  /// Whether nothing runs. What is wanted runs, since every event ends by starting it.
  var isSettled: Bool {
    if isCandidateRunning || mediator?.isBusy == true { return false }
    return shown.prepend.loadID == nil && shown.append.loadID == nil
  }

  /// Whether a load of that number is still waited for.
  func isInFlight(_ id: UInt64) -> Bool {
    candidateLoad?.id == id || shown.prepend.loadID == id || shown.append.loadID == id
      || mediator?.isInFlight(id) == true
  }

  /// Whether a generation is shown or on its way.
  func uses(_ generation: UInt64) -> Bool {
    !isClosed && (shown.number == generation || candidate?.build.number == generation)
  }

  // MARK: - What starts now

  /// Starts what is wanted and allowed: the end of every event.
  private mutating func advance() {
    guard isStarted, !isClosed, mediatorLetsLoad() else { return }
    beginFollowUp()
    // A candidate under way comes first: an invalidation meanwhile is one more generation, not the end of this one.
    if isCandidateRunning || candidateContinues() { return }
    beginWhatIsDue()
    if isCandidateRunning { return }
    guard conditions != .suspended, isShowing else { return }
    takeWaitingLoads()
    if startJumpIntoPlaceholders() { return }
    startEdges()
    startMediatorLoad()
  }

  /// Begins the first generation, or the one that an invalidation asks for.
  private mutating func beginWhatIsDue() {
    guard conditions != .suspended, !isCandidateRunning else { return }
    beginFollowUp()
    guard !isCandidateRunning else { return }
    if invalidated, observers > 0, !firstAwaitsSign, isShowing || hasCandidate {
      beginRefresh(.anchor, reason: .invalidation, commands: [])
    } else if !isShowing, !hasCandidate, !firstAwaitsSign {
      beginFirst()
    }
  }

  private mutating func startEdges() {
    let rule = prefetchRule
    if rule.contents != nil || shown.prepend.isBlank || shown.append.isBlank { stopBlankEdges(by: rule) }
    let prepend = shown.prepend.want(.prepend, by: rule)
    let append = shown.append.want(.append, by: rule)
    // What is on screen goes first.
    let appendIsFirst = append?.purpose == .visible && prepend?.purpose != .visible
    if appendIsFirst, let append { startEdge(.append, append) }
    if let prepend { startEdge(.prepend, prepend) }
    if !appendIsFirst, let append { startEdge(.append, append) }
  }

  private mutating func startEdge(_ side: EdgeSide, _ want: Edge.Want) {
    guard want.purpose == .visible || conditions == .normal, isShowing else { return }
    let (number, next) = (shown.number, shown[side].next)
    let (purpose, reason) = (want.purpose, want.reason)
    let params: OpaqueParams
    switch next {
    case .end: return
    case .key(let key):
      params = OpaqueParams(type: side.loadType, key: key, loadSize: config.pageSize, purpose: purpose)
    case .again(let record):
      params = OpaqueParams(type: .append, key: record.key, loadSize: record.loadSize, purpose: purpose)
    case .outOfReach:
      let commands = shown[side].takeCommands()
      shown[side].rest(awaitingReport: true)
      let failure = failure(PagingError.frontOutOfReach)
      shown[side].activity = .failed(failure)
      finish(commands, PagingError.frontOutOfReach)
      return
    }
    let load = began(params, side: side, reason: reason, generation: number)
    shown[side].activity = .loading(load)
    shown[side].following = nil
    shown[side].forced = nil
    if let patience = config.abandonAfter, reason == .viewport { wake(at: now + patience) }
  }

  /// Notes that a load begins, and asks for it.
  mutating func began(
    _ params: OpaqueParams, side: EdgeSide?, reason: LoadReason, generation: UInt64
  ) -> LoadInFlight {
    var params = params
    params.load = number()
    let load = LoadInFlight(id: params.load, params: params, reason: reason, began: now)
    var event = PagingEvent("load", .begin, id: load.id)
    event.loadType = side?.loadType ?? .refresh
    event.purpose = params.purpose
    event.reason = reason.rawValue
    event.keyKind = shown.number == generation ? shown.traits.keyKind : candidateBox?.candidate.build.traits.keyKind
    emit(.report(event))
    emit(.load(id: load.id, generation: generation, params: params))
    return load
  }
}

/// A candidate by itself in memory.
///
/// It never changes, so that states that are copied share it: to change one is to box another.
private final class CandidateBox {
  let candidate: Candidate

  init(_ candidate: Candidate) { self.candidate = candidate }
}
