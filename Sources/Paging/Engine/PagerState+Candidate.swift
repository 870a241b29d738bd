import Loading

// How a generation begins, loads beside the shown one, and takes its place.
extension PagerState {
  /// How often in a row a load may call its own source out of date before that is a failure.
  private static var thrownInvalidationLimit: Int { 3 }

  // MARK: - Begins

  mutating func beginFirst() {
    begin(firstCandidate(reason: restoring == nil ? .start : .restore), asking: .traits)
  }

  mutating func beginRefresh(_ origin: RefreshOrigin, reason: LoadReason, commands: [CommandID]) {
    var next = Candidate(build: newGeneration(), goal: .firstPage, reason: reason, pageBudget: 1)
    next.commands = commands
    guard isShowing else {
      if origin != .start { next = firstCandidate(reason: reason) }
      next.commands = commands
      return begin(next, asking: .traits)
    }
    let viewport = anchoringViewport
    next.pageBudget = pagesTouched(by: viewport) + 2
    guard origin == .anchor else {
      next.goal = .rows(viewport?.count ?? 1)
      return begin(next, asking: .traits)
    }
    next.goal = .rows(1)
    next.firstKey = initialKey
    if let viewport {
      let nearest = min(
        max(viewport.lower, shown.loaded.lowerBound), max(shown.loaded.lowerBound, shown.loaded.upperBound - 1))
      if let place = shown.place(at: nearest) {
        next.firstKey = shown.records[place.pageIndex]?.key
        next.anchorOrdinal = shown.firstOrdinal + place.pageIndex
      }
      if let anchor = shown.anchor(of: viewport) {
        next.goal = .anchor(anchor, rows: viewport.upper - anchor.coordinate)
      } else {
        next.keepsIndices = true
      }
    } else {
      next.beganUnseen = true
    }
    begin(next, asking: .refreshKey(shown.loadedPages(anchoredAt: viewport)))
  }

  mutating func beginJump(to target: JumpTarget, commands: [CommandID], keepsIndices: Bool = false) {
    mediator?.keepPlace()
    let rows = viewports.union?.count ?? 1
    var next = Candidate(
      build: newGeneration(), goal: .rows(rows), reason: .jump, pageBudget: pagesTouched(by: viewports.union) + 2)
    next.commands = commands
    next.keepsIndices = keepsIndices
    switch target {
    case .index(let index):
      // What a row below zero means is for the source to say; what comes of it is looked at from the first one.
      next.goal = .index(max(0, index), rows: rows)
      begin(next, asking: .index(index))
    case .item(let item):
      next.goal = .item(item, rows: rows, walks: false)
      begin(next, asking: .item(item))
    case .key(let key):
      next.firstKey = key
      begin(next, asking: .traits)
    }
  }

  mutating func begin(_ next: Candidate, asking question: SourceQuestion) {
    var next = next
    next.owesInvalidation = invalidated || next.reason == .invalidation || candidate?.owesInvalidation == true
    discardCandidate(CancellationError())
    mediator?.generationBegan(next.build.number)
    invalidated = false
    candidate = next
    emit(.openSource(generation: next.build.number, question: question))
  }

  mutating func newGeneration() -> Generation {
    Generation(number: number(), config: config, access: access)
  }

  private func pagesTouched(by viewport: Viewport?) -> Int {
    guard isShowing, let viewport, shown.pages.pageCount > 0 else { return 1 }
    let last = shown.loaded.upperBound - 1
    let from = min(max(viewport.lower, shown.loaded.lowerBound), last)
    let to = min(max(viewport.upper - 1, from), last)
    guard let first = shown.place(at: from), let end = shown.place(at: to) else { return 1 }
    return end.pageIndex - first.pageIndex + 1
  }

  /// The source is made and has answered; `key` is where it says to start.
  mutating func sourceOpened(
    _ generation: UInt64, traits: SourceTraits, key: OpaqueKey?, now: Duration
  ) -> [PagerAction] {
    self.now = now
    guard var next = candidate, next.build.number == generation, case .opening = next.activity else { return settle() }
    next.build.traits = traits
    next.activity = .held
    switch next.goal {
    case _ where next.isRecovery: next.firstKey = key
    case .index:
      guard let key else { return jumpFailed(.unreachableTarget) }
      next.firstKey = key
    case .item(let item, let rows, _):
      next.firstKey = key
      if key == nil {
        next.goal = .item(item, rows: rows, walks: true)
        next.pageBudget = config.jumpWalkLimit
      }
    case .anchor, .rows, .firstPage, .saved:
      if let key {
        next.firstKey = key
      } else if isShowing, let ordinal = next.anchorOrdinal {
        next.build.inheritPassed(from: shown, before: ordinal)
      }
    }
    candidate = next
    return settle()
  }

  private mutating func jumpFailed(_ error: PagingError) -> [PagerAction] {
    if candidate?.keepsIndices == true { cannotJumpToPlaceholders = true }
    giveUpCandidate(error)
    return settle()
  }

  // MARK: - Goes on

  /// Takes the candidate's next step, if it rests and may.
  ///
  /// - Returns: Whether it runs now, so that the shown generation's edges start nothing.
  mutating func candidateContinues() -> Bool {
    guard case .held = candidateActivity, conditions != .suspended else { return false }
    aimAtCurrentAnchor()
    guard let aimed = candidate else { return false }
    switch aimed.nextStep(looksBefore: { looksBefore(aimed) }) {
    case .load(let params):
      let load = began(
        params, side: EdgeSide(params.type), reason: aimed.reason, generation: aimed.build.number)
      candidate?.activity = .loading(load)
      return true
    case .fail(let error) where error.code == .itemNotFound:
      giveUpCandidate(error)
      return false
    case .fail(let error):
      failCandidate(error)
      return false
    case .ready:
      return present()
    }
  }

  /// The viewport may have moved since the candidate began: it is the row that is on screen now that is to stay.
  private mutating func aimAtCurrentAnchor() {
    guard let aiming = candidate, isShowing, let viewport = anchoringViewport, let anchor = shown.anchor(of: viewport)
    else { return }
    if case .anchor = aiming.goal {} else if !aiming.beganUnseen { return }
    let rows = rowsWanted(by: aiming, from: anchor, to: viewport.upper)
    candidate?.goal = .anchor(anchor, rows: rows)
  }

  /// Whether no row that stood before the anchor has come: then the anchor may still be before those that have.
  private func looksBefore(_ candidate: Candidate) -> Bool {
    guard case .anchor(let anchor, _) = candidate.goal, isShowing else { return false }
    for position in 0..<candidate.build.pages.pageCount {
      let page = candidate.build.page(at: position)
      for (offset, hash) in access.hashes(of: page).enumerated() {
        let row = OpaqueRow(page: page, offset: offset, hash: hash)
        if let old = shown.coordinate(of: row), old < anchor.coordinate { return false }
      }
    }
    return true
  }

  mutating func candidateTook(_ page: OpaquePage, _ load: LoadInFlight) {
    guard var taking = candidate else { return }
    candidate = nil
    let arrival = taking.took(page, loadedBy: load.params)
    taking.activity = .held
    if taking.isRecovery { trim(&taking) }
    candidate = taking
    ended(load, type: load.params.type, outcome: "ok", items: page.count)
    reportDuplicates(arrival.duplicates)
  }

  mutating func candidateFailed(_ error: any Error, isInvalidated: Bool) {
    guard let failed = candidate else { return }
    guard isInvalidated, allowsThrownInvalidation() else { return candidateWasRefused(failed, error) }
    mediator?.sourceSaysChanged()
    restart(failed, reason: .invalidation)
  }

  /// Begins a refresh in the place of a candidate, with those who wait for it.
  private mutating func restart(_ old: Candidate, reason: LoadReason) {
    candidate?.commands = []
    candidate?.edgeLoads = []
    beginRefresh(.anchor, reason: reason, commands: old.commands)
    candidate?.edgeLoads = old.edgeLoads
  }

  mutating func failCandidate(_ error: any Error) {
    let commands = (candidate?.commands ?? []) + (candidate?.edgeLoads ?? []).map(\.command)
    let failure = failure(error)
    candidate?.activity = .failed(failure)
    candidate?.commands = []
    candidate?.edgeLoads = []
    finish(commands, error)
    followUpFailed(error)
    endWaitingLoads(error)
  }

  /// Where there are no first rows, commands to load more have nothing to wait for.
  mutating func endWaitingLoads(_ error: any Error) {
    guard !isShowing else { return }
    finish(waitingLoads.map(\.command), error)
    waitingLoads = []
  }

  /// Counts a load that called its source out of date; false: too often in a row to try once more.
  mutating func allowsThrownInvalidation() -> Bool {
    thrownInvalidations += 1
    return thrownInvalidations <= Self.thrownInvalidationLimit
  }

  /// Its load was cancelled from outside: all is as it was before.
  mutating func candidateWasCancelled() {
    if conditions == .suspended {
      candidate?.activity = .held
    } else {
      if cancelsFollowUp { followUpWasCancelled() }
      if candidate?.isJumpIntoPlaceholders == true {
        // Nor is the way there read page by page.
        for side in EdgeSide.allCases { shown[side].awaitsReport = true }
      }
      giveUpCandidate(CancellationError())
      endWaitingLoads(CancellationError())
      firstAwaitsSign = !isShowing || invalidated
    }
  }

  /// Gives a candidate up with nothing in its place: a change of the data that it was to read is not lost.
  mutating func giveUpCandidate(_ error: any Error) {
    if candidate?.owesInvalidation == true { invalidated = true }
    discardCandidate(error)
  }

  /// Ends a candidate that another takes the place of, or that nobody waits for.
  mutating func discardCandidate(_ error: any Error) {
    guard let discarded = candidate else { return }
    candidate = nil
    if let load = discarded.inFlight {
      emit(.cancel(id: load.id))
      ended(load, type: load.params.type, outcome: "cancelled")
    }
    emit(.closeSource(generation: discarded.build.number))
    finish(discarded.commands + discarded.edgeLoads.map(\.command), error)
  }

  // MARK: - Takes over

  /// The candidate has what it needs: shows it, or first asks what stands in for an anchor that is gone.
  ///
  /// - Returns: Whether it still runs.
  private mutating func present() -> Bool {
    guard let ready = candidate, isShowing, case .anchor(let anchor, _) = ready.goal else {
      swapIn()
      return false
    }
    if let coordinate = ready.build.coordinate(of: anchor.row) {
      swapIn(.kept, from: anchor.coordinate, to: coordinate)
      return false
    }
    if ready.beganUnseen || (ready.anchorOrdinal ?? anchor.address.ordinal) != anchor.address.ordinal {
      // The reader has scrolled on while it loaded: it begins again where the reader is.
      restart(ready, reason: ready.reason)
      return true
    }
    if failsShortOfThePlace(ready, anchor) { return false }
    let survivors = shown.survivors(in: ready.build)
    if survivors.isEmpty {
      swapInWithoutAnchor(anchor)
      return false
    }
    candidate?.activity = .choosing
    emit(.chooseSurvivor(generation: ready.build.number, anchor: anchor.row, candidates: survivors))
    return true
  }

  /// The source has named the row that stands in for the anchor, or has left it to the old order.
  mutating func survivorChosen(
    _ generation: UInt64, _ survivor: OpaqueRow?, now: Duration
  ) -> [PagerAction] {
    self.now = now
    guard let ready = candidate, ready.build.number == generation, case .choosing = ready.activity, isShowing,
      case .anchor(let anchor, _) = ready.goal
    else { return settle() }
    if let survivor, let coordinate = ready.build.coordinate(of: survivor) {
      swapIn(.moved, from: anchor.coordinate, to: coordinate)
    } else if let nearest = shown.nearestSurvivor(to: anchor.coordinate, in: ready.build) {
      // The survivor keeps its own distance to the top of the screen.
      swapIn(.moved, from: nearest.old, to: nearest.new)
    } else {
      swapInWithoutAnchor(anchor)
    }
    return settle()
  }

  private mutating func swapInWithoutAnchor(_ anchor: Anchor) {
    guard let build = candidate?.build else { return }
    let last = max(build.loaded.lowerBound, build.loaded.upperBound - 1)
    swapIn(.lost, from: anchor.coordinate, to: min(build.loaded.lowerBound + anchor.address.offset, last))
  }

  /// Shows the candidate: the viewport moves by what its anchor moved.
  private mutating func swapIn(_ kind: AnchorOutcome.Kind? = nil, from old: Int = 0, to new: Int = 0) {
    guard let ready = candidate else { return }
    for side in EdgeSide.allCases {
      cancelEdge(side, awaitingReport: false)
      // A retry that waited for the candidate: what had failed is gone.
      finish(shown[side].takeCommands())
    }
    let replaced = isShowing ? (number: shown.number, start: shown.bounds.lowerBound) : nil
    candidate = nil
    var next = ready.build
    next.append.emptyPages = ready.emptyPages
    if ready.emptyPages > 0, !next.append.isAtEnd { next.append.following = .visible }
    if ready.wentRound { next.append.activity = .failed(failure(PagingError.keyCycle)) }
    let bounds = next.bounds
    anchorKind = kind
    anchorCoordinate = kind == nil ? nil : new
    if case .saved(let item) = ready.goal {
      stand(at: item, in: &next)
    } else if kind != nil {
      viewports.carry { $0.moved(by: new - old).clamped(to: bounds) }
    } else if let target = target(of: ready.goal, in: next), !ready.keepsIndices {
      if ready.reason == .jump { (anchorKind, anchorCoordinate) = (.kept, target) }
      viewports.carry { Viewport(lower: target, upper: target + $0.count).clamped(to: bounds) }
    } else if let replaced {
      let shift = bounds.lowerBound - replaced.start
      viewports.carry { $0.moved(by: shift).clamped(to: bounds) }
      if ready.reason != .jump, ready.keepsIndices { (anchorKind, anchorCoordinate) = (.kept, viewports.union?.lower) }
    }
    shown = next
    waitingLoads.insert(contentsOf: ready.edgeLoads, at: 0)
    if !ready.isRecovery { expiries = ExpiryGuard() }
    cannotJumpToPlaceholders = false
    if let replaced {
      var event = PagingEvent("generation", .instant, id: number())
      event.reason = ready.reason.rawValue
      emit(.report(event))
      emit(.closeSource(generation: replaced.number))
    }
    finish(ready.commands)
    showMediatorStates()
    dropPages(grew: .append)
    // What is loaded next is decided by the rows that are shown now.
    presentEdits()
  }

  /// The coordinate that a goal without an anchor is about.
  private func target(of goal: Candidate.Goal, in build: Generation) -> Int? {
    switch goal {
    case .firstPage, .anchor, .saved: return nil
    case .rows: return build.loaded.lowerBound
    case .index(let index, _):
      return min(max(build.bounds.lowerBound + index, build.bounds.lowerBound), build.bounds.upperBound)
    case .item(let item, _, _): return build.address(of: item).map { build.coordinate(at: $0) }
    }
  }
}
