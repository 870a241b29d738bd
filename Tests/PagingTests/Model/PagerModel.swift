import Loading
import Paging

/// What a pager must do, written as plainly as can be: rows are numbers, pages are ranges of them, every question is
/// answered by looking at all there is. Nothing of the engine is used, so that what both do is said twice.
struct PagerModel {
  let config: PagingConfig
  var server: StillServer
  let initialKey: Int?

  var shown: ModelList?
  var candidate: ModelCandidate?
  var viewport: ModelViewport?
  var isStarted = false
  var observers = 0
  var conditions = LoadConditions.normal
  var isInvalidated = false
  var waitingLoads: [(side: LoadType, command: UInt64)] = []
  var firstAwaitsSign = false
  var thrownInvalidations = 0
  var cannotJumpToPlaceholders = false
  var jumpAwaitsReport = false
  /// How each command ended: nil for well.
  var ended: [UInt64: String?] = [:]
  var generations = 0
  /// How many candidates have begun: each has a number, and the one that is shown too.
  var begun = 0
  var shownNumber = 0
  var loadsBegun = 0
  var edits: [ModelEdit] = []
  /// The own rows and the inserted ones in the order of the list; nil without edits.
  var order: [ModelElement]?
  /// Which identity an item's row goes by, the newest last.
  var aliases: [(item: Int, row: Int)] = []
  /// What fills what the source reads; nil without one.
  var mediator: ModelMediator?

  init(config: PagingConfig, server: StillServer, initialKey: Int?) {
    self.config = config
    self.server = server
    self.initialKey = initialKey
  }

  var loads: [ModelLoad] {
    [candidate?.load, shown?.prepend.load, shown?.append.load].compactMap { $0 }
  }

  /// Refresh, prepend, append.
  var states: [String] {
    [candidate?.state ?? "rests", shown?.prepend.state ?? "rests", shown?.append.state ?? "rests"]
  }

  mutating func finish(_ commands: [UInt64], _ error: String? = nil) {
    for command in commands { ended[command] = .some(error) }
  }

  // MARK: - What starts

  /// Starts what is wanted: the end of every event.
  mutating func advance() {
    presentEdits()
    guard isStarted, mediatorLetsLoad() else { return }
    _ = beginFollowUp()
    if candidate?.isRunning == true || candidateContinues() { return }
    guard conditions != .suspended else { return }
    if beginFollowUp() { return advance() }
    if isInvalidated, observers > 0, !firstAwaitsSign, shown != nil || candidate != nil {
      beginRefresh(.anchor, commands: [])
      return advance()
    }
    if shown == nil, candidate == nil, !firstAwaitsSign {
      begin(ModelCandidate(goal: .firstPage, key: initialKey, budget: 1))
      return advance()
    }
    guard shown != nil else { return }
    let waiting = waitingLoads
    waitingLoads = []
    for (side, command) in waiting where !mediatorTakes(side, command) { force(side, command) }
    if startJumpIntoPlaceholders() { return advance() }
    // A jump that failed stands for all that the viewport wants.
    if candidate?.isJumpIntoPlaceholders == true, placeholderToJumpTo != nil { return }
    startEdges()
    startMediatorLoad()
  }

  private mutating func startEdges() {
    let (prepend, append) = (want(.prepend), want(.append))
    let order: [LoadType] =
      append == .visible && prepend != .visible ? [.append, .prepend] : [.prepend, .append]
    for side in order {
      guard let purpose = side == .prepend ? prepend : append, purpose == .visible || conditions == .normal,
        var edge = shown?[side]
      else { continue }
      switch edge.next {
      case .end: continue
      case .key(let key):
        edge.doing = .loading(numbered(ModelLoad(type: side, key: key, size: config.pageSize, purpose: purpose)))
      case .again(let page):
        let load = ModelLoad(type: .append, key: page.key, size: page.size, purpose: purpose)
        edge.doing = .loading(numbered(load))
      }
      edge.following = nil
      edge.isLoadForced = edge.isForced
      edge.isForced = false
      shown?[side] = edge
    }
  }

  mutating func numbered(_ load: ModelLoad) -> ModelLoad {
    var load = load
    loadsBegun += 1
    load.number = loadsBegun
    return load
  }

  /// Why an edge would load now; nil: it wouldn't.
  private func want(_ side: LoadType) -> LoadPurpose? {
    guard let shown, shown[side].doing == .nothing, shown[side].next != .end else { return nil }
    let edge = shown[side]
    if edge.isForced { return .visible }
    if edge.awaitsReport { return nil }
    return edge.following ?? purpose(side)
  }

  /// Why rows beyond those of a side are wanted; nil: they aren't.
  func purpose(_ side: LoadType) -> LoadPurpose? {
    guard shown != nil, config.prefetchDistance > 0 else { return nil }
    let loaded = presentedLoaded
    guard let viewport = presentedViewport else { return loaded.isEmpty && observers > 0 ? .visible : nil }
    let beyond =
      side == .prepend
      ? min(viewport.lower, loaded.upperBound) - loaded.lowerBound
      : loaded.upperBound - max(viewport.upper, loaded.lowerBound)
    if beyond >= config.prefetchDistance { return nil }
    return beyond <= 0 ? .visible : .prefetch
  }

  /// True: the event goes on with a jump, or with nothing where one has failed.
  private mutating func startJumpIntoPlaceholders() -> Bool {
    guard let index = placeholderToJumpTo, candidate?.isJumpIntoPlaceholders != true, !jumpAwaitsReport else {
      return false
    }
    jumpAwaitsReport = true
    beginJump(.index(index), commands: [], keepsIndices: true)
    return true
  }

  private var placeholderToJumpTo: Int? {
    guard let threshold = config.jumpThreshold, !cannotJumpToPlaceholders, let viewport, let shown else { return nil }
    let loaded = shown.loaded
    let isFar = loaded.lowerBound - viewport.upper >= threshold || viewport.lower - loaded.upperBound >= threshold
    return isFar ? viewport.lower - shown.bounds.lowerBound : nil
  }

  // MARK: - Commands

  mutating func refresh(from origin: RefreshOrigin, _ command: UInt64) {
    wake()
    if mediator == nil { beginRefresh(origin, commands: [command]) } else { refreshMediator(origin, command) }
    advance()
  }

  mutating func jump(_ target: ModelTarget, _ command: UInt64) {
    wake()
    switch way(to: target) {
    case .none: finish([command])
    case .to(let target): beginJump(target, commands: [command])
    case .removed: finish([command], "itemNotFound")
    }
    advance()
  }

  private enum Way {
    case none
    case to(ModelTarget)
    case removed
  }

  /// Targets are rows as screens see them.
  private func way(to target: ModelTarget) -> Way {
    guard let shown else { return .to(target) }
    switch target {
    case .index(let index):
      let coordinate = shown.bounds.lowerBound + index
      if presentedLoaded.contains(coordinate) { return .none }
      let came = presentedLoaded.count - shown.loaded.count
      return .to(.index(coordinate < presentedLoaded.lowerBound ? index : index - came))
    case .item(let row):
      let row = resolved(row)
      if order?.contains(where: { $0.item == row && $0.isVisible }) == true { return .none }
      guard shown.rows.contains(row) else { return .to(.item(row)) }
      return order == nil ? .none : .removed
    }
  }

  mutating func load(_ side: LoadType, _ command: UInt64) {
    wake()
    if shown == nil, case .failed(let error) = candidate?.doing {
      finish([command], error)
    } else {
      waitingLoads.append((side, command))
    }
    advance()
  }

  private mutating func force(_ side: LoadType, _ command: UInt64) {
    guard var edge = shown?[side], edge.next != .end else { return finish([command]) }
    edge.commands.append(command)
    if edge.load == nil {
      if edge.hasFailed { edge.emptyPages = 0 }
      edge.doing = .nothing
      edge.awaitsReport = false
      edge.isForced = true
    }
    shown?[side] = edge
  }

  mutating func retry(_ type: LoadType?, _ command: UInt64) {
    wake()
    var isWaited = retryMediator(type, command)
    if type == nil || type == .refresh, let failed = candidate, failed.hasFailed {
      if retryCandidate(failed, isWaited ? [] : [command]) { isWaited = true }
    }
    for side in [LoadType.prepend, .append] where type == nil || type == side {
      guard shown?[side].hasFailed == true else { continue }
      if isWaited {
        shown?[side].emptyPages = 0
        shown?[side].doing = .nothing
        shown?[side].isForced = true
      } else {
        force(side, command)
        isWaited = true
      }
    }
    if !isWaited { finish([command]) }
    advance()
  }

  /// - Returns: Whether anything is repeated.
  private mutating func retryCandidate(_ failed: ModelCandidate, _ commands: [UInt64]) -> Bool {
    if failed.isJumpIntoPlaceholders {
      guard let index = placeholderToJumpTo else {
        giveUpCandidate("cancelled")
        return false
      }
      beginJump(.index(index), commands: commands, keepsIndices: true)
      return true
    }
    var hasMoved = failed.beganUnseen && anchor != nil
    if case .anchor = failed.goal, let began = failed.anchorPage, let anchor { hasMoved = anchor.page != began }
    if hasMoved {
      beginRefresh(.anchor, commands: commands)
      return true
    }
    candidate?.doing = .nothing
    candidate?.emptyPages = 0
    candidate?.commands += commands
    return true
  }

  private mutating func wake() {
    isStarted = true
    firstAwaitsSign = false
    mediator?.signCame()
    thrownInvalidations = 0
  }

  // MARK: - The source's and the host's word

  mutating func invalidate() {
    if shown != nil || candidate != nil {
      (isInvalidated, firstAwaitsSign) = (true, false)
      mediator?.sourceSaysChanged()
    }
    advance()
  }

  mutating func observe(_ began: Bool) {
    if began {
      isStarted = true
      firstAwaitsSign = false
      mediator?.signCame()
      observers += 1
    } else if observers > 0 {
      observers -= 1
    }
    advance()
  }

  mutating func change(_ conditions: LoadConditions) {
    if self.conditions == .suspended, conditions != .suspended {
      firstAwaitsSign = false
      mediator?.signCame()
    }
    self.conditions = conditions
    advance()
  }

  /// Rows of a snapshot are on screen.
  mutating func look(at rows: Range<Int>, in snapshot: ModelSnapshot) {
    defer { advance() }
    guard let shown else { return }
    let lower = min(
      max(snapshot.bounds.lowerBound, snapshot.bounds.lowerBound + rows.lowerBound), snapshot.bounds.upperBound)
    let upper = min(max(lower, snapshot.bounds.lowerBound + rows.upperBound), snapshot.bounds.upperBound)
    var seen = ownRows(of: ModelViewport(lower: lower, upper: upper))
    if snapshot.generation != shown.generation {
      let survivors = (lower..<upper).filter { snapshot.loaded.contains($0) && shown.rows.contains($0 + snapshot.base) }
      guard let first = survivors.first, let now = shown.coordinate(of: first + snapshot.base) else { return }
      seen = ModelViewport(lower: lower + now - first, upper: upper + now - first)
    }
    viewport = seen.clamped(to: shown.bounds)
    firstAwaitsSign = false
    self.shown?.prepend.awaitsReport = false
    self.shown?.append.awaitsReport = false
    jumpAwaitsReport = false
    mediator?.reported()
  }

  /// The first loaded row of the viewport.
  var anchor: ModelAnchor? {
    guard let shown, let viewport = anchoringViewport else { return nil }
    let coordinate = max(viewport.lower, shown.loaded.lowerBound)
    guard coordinate < max(viewport.upper, viewport.lower + 1), let page = shown.page(at: coordinate) else {
      return nil
    }
    let row = coordinate + shown.base
    return ModelAnchor(row: row, coordinate: coordinate, page: page.number, offset: row - page.rows.lowerBound)
  }

  var snapshot: ModelSnapshot {
    guard let shown else { return ModelSnapshot(generation: 0, base: 0, loaded: 0..<0, bounds: 0..<0) }
    let loaded = presentedLoaded
    return ModelSnapshot(
      generation: shown.generation, base: shown.base, loaded: loaded,
      bounds: shown.bounds.lowerBound..<loaded.upperBound + shown.after, isRearranged: isRearranged)
  }
}

/// The row that is to stay in place: its number, and where it was.
struct ModelAnchor {
  let row: Int
  let coordinate: Int
  let page: Int
  let offset: Int
}

/// What a screen was shown.
struct ModelSnapshot {
  let generation: Int
  let base: Int
  let loaded: Range<Int>
  let bounds: Range<Int>
  /// Rows had come or gone by edits.
  var isRearranged = false
}

enum ModelTarget {
  case index(Int)
  case item(Int)
}
