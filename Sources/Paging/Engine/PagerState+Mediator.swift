import Loading

// How source and mediator go together: the mediator is asked first, refreshes beside the source's own loads, goes on
// where the source has ended, and one generation shows what each of its loads brought.
extension PagerState {
  // MARK: - What the mediator says

  /// The mediator has said how to begin.
  mutating func mediatorInitialized(_ action: InitializeAction, now: Duration) -> [PagerAction] {
    self.now = now
    guard !isClosed, case .asking = mediator?.opening else { return settle() }
    mediator?.answered(action)
    return settle()
  }

  /// A load of the mediator succeeded.
  mutating func mediatorLoaded(_ id: UInt64, endReached: Bool, now: Duration) -> [PagerAction] {
    self.now = now
    guard let load = mediator?.running, load.id == id else { return settle() }
    mediatorEnded(load, outcome: "ok")
    // A generation that began because of what the source said meanwhile has read what this load wrote, unless the
    // source has said more since. It stands where the reader is, so it won't do for a refresh that is to start over.
    let startsOver = load.type == .refresh && mediator?.refresh.origin == .start
    let from = (invalidated || load.hearsChange || startsOver ? nil : load.seenFrom) ?? number()
    finish(mediator?.succeeded(endReached: endReached, from: from) ?? [])
    showMediatorStates()
    return settle()
  }

  /// A load of the mediator threw. Cancellation is told from failure here.
  mutating func mediatorFailed(_ id: UInt64, _ error: any Error, now: Duration) -> [PagerAction] {
    self.now = now
    guard let load = mediator?.running, load.id == id else { return settle() }
    let isHeld = conditions == .suspended
    if isHeld || error is CancellationError {
      mediatorEnded(load, outcome: "cancelled")
      finish(mediator?.cancelled(isHeld: isHeld, awaitingSign: true) ?? [], CancellationError())
    } else {
      mediatorEnded(load, outcome: Self.outcome(of: error))
      let failure = failure(error)
      finish(mediator?.failed(failure) ?? [], error)
    }
    return settle()
  }

  // MARK: - What a screen sees

  /// The states of the mediator; nil without one.
  var mediatorStates: LoadStates? { mediator?.states(isFollowed: isFollowed) }

  /// Whether the generation that follows a mediator's load is on its way.
  private var isFollowed: Bool {
    guard let following = mediator?.following, !following.awaitsSign, followUpFailure == nil else { return false }
    return conditions != .suspended || isCandidateRunning
  }

  /// What the generation that was to follow failed with. A jump is no such generation, though one that succeeds will
  /// do.
  private var followUpFailure: LoadFailure? {
    isFollowUp(candidate) ? candidate?.state.failure : nil
  }

  private func isFollowUp(_ candidate: Candidate?) -> Bool {
    guard let candidate, let following = mediator?.following else { return false }
    return candidate.build.number >= following.from && candidate.reason != .jump
  }

  // MARK: - What starts now

  /// Asks the mediator how to begin, and begins a remote refresh that is wanted.
  ///
  /// - Returns: Whether other loads may begin.
  mutating func mediatorLetsLoad() -> Bool {
    // Asked after every event, so only what is looked at is copied.
    switch mediator?.opening {
    case nil: return true
    case .unasked:
      guard conditions != .suspended else { return false }
      let id = number()
      mediator?.asked(id)
      emit(.openMediator(id: id))
      return false
    case .asking: return false
    case .answered: break
    }
    guard mediator?.refresh.isWanted == true, mediator?.refresh.awaitsSign == false, conditions != .suspended,
      let reason = mediator?.refresh.reason
    else { return true }
    cancelMediatorLoad(awaitingSign: false)
    beginMediatorLoad(.refresh, purpose: .visible, reason: reason)
    return true
  }

  /// Begins the generation that follows a mediator's load, if there is none that will do.
  mutating func beginFollowUp() {
    guard let following = mediator?.following, !following.awaitsSign, conditions != .suspended else { return }
    if let candidate {
      let isOver = candidate.state.failure != nil
      guard candidate.build.number < following.from || (isOver && candidate.reason == .jump) else { return }
      // It is let to end first, unless it would show once more what a refresh has just replaced.
      guard isOver || (following.replaces && candidate.reason != .jump) else { return }
      mediator?.following?.commands += candidate.commands
      self.candidate?.commands = []
    }
    beginRefresh(following.origin, reason: .mediator, commands: [])
  }

  /// Begins a load of the mediator at an end of the source's, if one is wanted: on screen first, then ahead of it.
  mutating func startMediatorLoad() {
    guard mediator != nil else { return }
    settleMediatorRetries()
    stopBlankMediatorSides()
    while mediator?.isFree == true, let (side, want) = mediatorWant() {
      guard want.reason == .retry || mediatorAddsRows(side) else { continue }
      return beginMediatorLoad(side.loadType, purpose: want.purpose, reason: want.reason)
    }
  }

  /// Which side's load is next. Of two that are equal the append, since a list mostly grows at its end.
  private func mediatorWant() -> (EdgeSide, Edge.Want)? {
    guard shown.append.isAtEnd || shown.prepend.isAtEnd else { return nil }
    let rule = prefetchRule
    var next: (side: EdgeSide, want: Edge.Want)?
    for side in [EdgeSide.append, .prepend] where shown[side].isAtEnd {
      guard let want = mediator?.want(side, by: rule), want.purpose == .visible || conditions == .normal else {
        continue
      }
      if next == nil || (want.purpose == .visible && next?.want.purpose != .visible) { next = (side, want) }
    }
    return next
  }

  /// Whether a side's loads still bring rows; where too many brought none, it fails.
  private mutating func mediatorAddsRows(_ side: EdgeSide) -> Bool {
    if let before = mediator?[side].edgeBefore {
      let addedNone = isAtEdge(before, side)
      mediator?.counted(side, addedNone: addedNone)
    }
    guard let empty = mediator?[side].emptyLoads, empty >= config.emptyPageBudget else { return true }
    let failure = failure(PagingError.emptyMediatorLoads(empty))
    mediator?[side].startOver()
    mediator?[side].failure = failure
    return false
  }

  private func edgeRow(_ side: EdgeSide) -> MediatorGate.EdgeRow {
    MediatorGate.EdgeRow(row: shown.row(at: side == .prepend ? shown.loaded.lowerBound : shown.loaded.upperBound - 1))
  }

  private func isAtEdge(_ before: MediatorGate.EdgeRow, _ side: EdgeSide) -> Bool {
    switch (before.row, edgeRow(side).row) {
    case (nil, nil): true
    case (let old?, let new?): access.isSame(old.offset, in: old.page, as: new.offset, in: new.page)
    default: false
    }
  }

  private mutating func beginMediatorLoad(_ type: LoadType, purpose: LoadPurpose, reason: LoadReason) {
    let load = MediatorGate.Load(id: number(), type: type, purpose: purpose, reason: reason, began: now)
    let edge = EdgeSide(type).map { edgeRow($0) }
    mediator?.began(load, at: edge)
    var event = PagingEvent("mediatorLoad", .begin, id: load.id)
    event.loadType = type
    event.purpose = purpose
    event.reason = reason.rawValue
    emit(.report(event))
    emit(.mediate(id: load.id, type: type, loaded: shown.loadedPages(anchoredAt: viewports.union)))
  }

  // MARK: - Commands

  /// A refresh was asked for: the mediator's first.
  mutating func refreshMediator(_ origin: RefreshOrigin, reason: LoadReason, _ command: CommandID) {
    if mediator?.running?.type == .refresh { cancelMediatorLoad(awaitingSign: false) }
    finish(mediator?.askForRefresh(origin, reason: reason, command) ?? [], CancellationError())
  }

  /// Repeats what failed of the mediator: a refresh alone, since its success makes good the others.
  ///
  /// - Returns: Whether the command waits for it.
  mutating func retryMediator(_ type: LoadType?, _ command: CommandID) -> Bool {
    guard let gate = mediator else { return false }
    if type == nil || type == .refresh, gate.refresh.failure != nil {
      refreshMediator(gate.refresh.origin, reason: .retry, command)
      return true
    }
    let failed = EdgeSide.allCases.filter { (type ?? $0.loadType) == $0.loadType && gate[$0].failure != nil }
    for side in failed {
      mediator?[side].startOver()
      mediator?[side].isRetried = true
    }
    guard let first = failed.first else { return false }
    mediator?[first].commands.append(command)
    return true
  }

  /// Ends retries of sides for which there is nothing to do, or that can't be done.
  private mutating func settleMediatorRetries() {
    guard mediator?.hasRetries == true else { return }
    for side in EdgeSide.allCases where mediator?[side].isRetried == true {
      let block = mediatorBlock
      guard block != nil || !shown[side].isAtEnd else { continue }
      mediator?[side].isRetried = false
      if block == nil { mediator?[side].failure = nil }
      finish(mediator?[side].takeCommands() ?? [], block)
    }
  }

  /// One page was asked for at an edge; where the source has none, the mediator may.
  ///
  /// - Returns: Whether the command is taken care of.
  mutating func mediatorTakes(_ side: EdgeSide, _ command: CommandID) -> Bool {
    guard let gate = mediator, shown[side].isAtEnd else { return false }
    if gate.running?.type == side.loadType {
      mediator?[side].commands.append(command)
    } else if let block = mediatorBlock {
      finish([command], block)
    } else if !gate.isFree {
      waitingLoads.append((side, command))
    } else if gate[side].isEnded {
      finish([command])
    } else {
      mediator?[side].startOver()
      mediator?[side].commands.append(command)
      beginMediatorLoad(side.loadType, purpose: .visible, reason: .command)
    }
    return true
  }

  /// Why the mediator can load nothing more until something is repeated.
  private var mediatorBlock: (any Error)? {
    guard let gate = mediator else { return nil }
    if let failure = followUpFailure { return failure.error }
    if gate.refresh.isRequired, let failure = gate.refresh.failure, !gate.refresh.isWanted { return failure.error }
    let awaitsSign = gate.following?.awaitsSign == true || (gate.refresh.isWanted && gate.refresh.awaitsSign)
    return awaitsSign ? CancellationError() : nil
  }

  // MARK: - What becomes of generations

  /// A generation is shown: if it follows a load of the mediator, so is what that load said.
  mutating func showMediatorStates() {
    finish(mediator?.shown(shown.number) ?? [])
  }

  /// The candidate failed; if it was to follow a load of the mediator, who waits for that is told.
  mutating func followUpFailed(_ error: any Error) {
    guard isFollowUp(candidate) else { return }
    endFollowUp(error)
  }

  /// The generation that follows was cancelled: another one begins after a report or a command.
  mutating func followUpWasCancelled() {
    mediator?.following?.awaitsSign = true
    endFollowUp(CancellationError())
  }

  private mutating func endFollowUp(_ error: any Error) {
    finish(mediator?.following?.commands ?? [], error)
    mediator?.following?.commands = []
  }

  /// Whether the candidate that is about to be cancelled follows a load of the mediator.
  var cancelsFollowUp: Bool { isFollowUp(candidate) }

  // MARK: - Ends

  /// Cancels the load that runs, if one does.
  mutating func cancelMediatorLoad(awaitingSign: Bool) {
    guard let load = mediator?.running else { return }
    emit(.cancel(id: load.id))
    mediatorEnded(load, outcome: "cancelled")
    finish(mediator?.cancelled(awaitingSign: awaitingSign) ?? [], CancellationError())
  }

  /// Nobody has looked for the grace period: nothing goes on for nobody.
  mutating func releaseMediator() {
    guard mediator != nil else { return }
    cancelMediatorLoad(awaitingSign: true)
    finish(mediator?.awaitSign() ?? [], CancellationError())
    if mediator?.following != nil { followUpWasCancelled() }
  }

  mutating func closeMediator() {
    guard let gate = mediator else { return }
    if case .asking(let id) = gate.opening { emit(.cancel(id: id)) }
    if let load = gate.running {
      emit(.cancel(id: load.id))
      mediatorEnded(load, outcome: "cancelled")
    }
    finish(mediator?.close() ?? [], PagingError.closed)
  }

  private mutating func mediatorEnded(_ load: MediatorGate.Load, outcome: String) {
    var event = PagingEvent("mediatorLoad", .end, id: load.id)
    event.loadType = load.type
    event.purpose = load.purpose
    event.reason = load.reason.rawValue
    event.duration = now - load.began
    event.outcome = outcome
    emit(.report(event))
  }
}

extension PagingError {
  static func emptyMediatorLoads(_ count: Int) -> PagingError {
    PagingError(
      .emptyPages,
      message: "\(count) loads of the mediator in a row added no row at that end, and none said that it was reached. "
        + "Let the mediator write where the source reads and return endReached, retry, or raise emptyPageBudget.")
  }
}
