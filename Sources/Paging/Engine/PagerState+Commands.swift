import Loading

// What the host says: commands, reports of viewports, conditions, observers; and what its source says.
extension PagerState {
  // MARK: - Commands

  /// `refresh(from:)` was called.
  mutating func refreshAsked(_ origin: RefreshOrigin, _ command: CommandID, now: Duration) -> [PagerAction] {
    guard wake(now, for: command) else { return settle() }
    if mediator == nil {
      beginRefresh(origin, reason: .refresh, commands: [command])
    } else {
      refreshMediator(origin, reason: .refresh, command)
    }
    return settle()
  }

  /// `jump` was called.
  mutating func jumpAsked(
    _ target: JumpTarget, _ command: CommandID, now: Duration
  ) -> [PagerAction] {
    guard wake(now, for: command) else { return settle() }
    switch way(to: target) {
    case .none: finish([command])
    case .to(let target): beginJump(to: target, commands: [command])
    case .removed: finish([command], PagingError.itemRemoved)
    }
    return settle()
  }

  /// `load(_:)` was called: one page at that edge, whatever the distance.
  mutating func loadAsked(_ type: LoadType, _ command: CommandID, now: Duration) -> [PagerAction] {
    guard let side = EdgeSide(type) else { return refreshAsked(.anchor, command, now: now) }
    guard wake(now, for: command) else { return settle() }
    if !isShowing, let failure = candidate?.state.failure {
      finish([command], failure.error)
      return settle()
    }
    waitingLoads.append((side, command))
    return settle()
  }

  /// Gives the commands that waited for a candidate to their edges.
  mutating func takeWaitingLoads() {
    guard !waitingLoads.isEmpty else { return }
    let waiting = waitingLoads
    waitingLoads = []
    for (side, command) in waiting where !mediatorTakes(side, command) { force(side, .command, command) }
  }

  /// Has an edge load one page, whatever the distance and whatever failed before.
  private mutating func force(_ side: EdgeSide, _ reason: LoadReason, _ command: CommandID) {
    let edge = shown[side]
    guard isShowing, !edge.isAtEnd else { return finish([command]) }
    shown[side].commands.append(command)
    guard edge.inFlight == nil else { return }
    if edge.state.failure != nil { forgive(side) }
    shown[side].activity = .idle
    shown[side].awaitsReport = false
    shown[side].forced = reason
  }

  /// Has an edge that failed count empty pages and keys anew.
  private mutating func forgive(_ side: EdgeSide) {
    shown[side].emptyPages = 0
    shown[side].cycle = CycleGuard()
    shown[side].forgiven = side == .prepend ? shown.ordinals.lowerBound : shown.ordinals.upperBound
  }

  /// `retry` was called: repeats what failed, and nothing else.
  mutating func retryAsked(_ type: LoadType?, _ command: CommandID, now: Duration) -> [PagerAction] {
    guard wake(now, for: command) else { return settle() }
    var isWaited = retryMediator(type, command)
    if type == nil || type == .refresh, let failed = candidate, failed.state.failure != nil {
      if retryCandidate(failed, isWaited ? [] : [command]) { isWaited = true }
    }
    for side in EdgeSide.allCases where type == nil || type == side.loadType {
      guard shown[side].state.failure != nil else { continue }
      if isWaited {
        // The refresh outranks the edge and will replace it; should it fail, the edge's turn comes by itself.
        forgive(side)
        shown[side].activity = .idle
        shown[side].forced = .retry
        continue
      }
      force(side, .retry, command)
      isWaited = true
    }
    if !isWaited { finish([command]) }
    return settle()
  }

  /// Repeats a candidate that failed: where the reader has moved since it began, for where he is now.
  ///
  /// - Returns: Whether there is anything to repeat.
  private mutating func retryCandidate(_ failed: Candidate, _ commands: [CommandID]) -> Bool {
    if failed.isJumpIntoPlaceholders { return retryJumpIntoPlaceholders(commands) }
    if failed.hasExpired {
      recover(failed, reason: failed.reason, commands: commands)
      return true
    }
    let anchor = isShowing ? anchoringViewport.flatMap { shown.anchor(of: $0) } : nil
    var hasMoved = failed.beganUnseen
    if case .anchor = failed.goal, let began = failed.anchorOrdinal { hasMoved = anchor?.address.ordinal != began }
    if anchor != nil, hasMoved {
      beginRefresh(.anchor, reason: .retry, commands: commands)
      return true
    }
    candidate?.activity = .held
    candidate?.emptyPages = 0
    candidate?.wentRound = false
    candidate?.commands += commands
    return true
  }

  /// Any command starts the pager and ends waiting.
  ///
  /// - Returns: Whether the pager is open.
  private mutating func wake(_ now: Duration, for command: CommandID) -> Bool {
    self.now = now
    guard !isClosed else {
      finish([command], PagingError.closed)
      return false
    }
    isStarted = true
    firstAwaitsSign = false
    mediator?.signCame()
    thrownInvalidations = 0
    expiries = ExpiryGuard()
    driftsReadingBack = 0
    return true
  }

  // MARK: - The source's word

  /// The source says that everything may differ.
  mutating func sourceInvalidated(now: Duration) -> [PagerAction] {
    self.now = now
    // Where nothing was read yet, what will be read is fresh.
    if isShowing || candidate != nil {
      invalidated = true
      firstAwaitsSign = false
      mediator?.sourceSaysChanged()
    }
    return settle()
  }

  /// The source has fresher copies of rows that may be loaded.
  mutating func sourceRefreshed(_ rows: OpaquePage, now: Duration) -> [PagerAction] {
    self.now = now
    shown.refreshed(rows)
    candidate?.build.refreshed(rows)
    return settle()
  }

  // MARK: - The host's word

  /// A stream began, or a call of `settled()`.
  mutating func observerAdded(now: Duration) -> [PagerAction] {
    self.now = now
    guard !isClosed else { return settle() }
    isStarted = true
    firstAwaitsSign = false
    mediator?.signCame()
    observers += 1
    graceEnds = nil
    return settle()
  }

  /// It ended.
  mutating func observerRemoved(now: Duration) -> [PagerAction] {
    self.now = now
    guard observers > 0 else { return settle() }
    observers -= 1
    if observers == 0, let grace = config.retention.grace {
      graceEnds = now + grace
      wake(at: now + grace)
    }
    return settle()
  }

  /// The app says how things are with the network and itself.
  mutating func conditionsChanged(_ conditions: LoadConditions, now: Duration) -> [PagerAction] {
    self.now = now
    if self.conditions == .suspended, conditions != .suspended {
      firstAwaitsSign = false
      mediator?.signCame()
    }
    self.conditions = conditions
    return settle()
  }

  /// As much time has passed as a `wake` asked for.
  mutating func timePassed(now: Duration) -> [PagerAction] {
    self.now = now
    if let due = wakesAt, now >= due { wakesAt = nil }
    if let ends = graceEnds, observers == 0 {
      if now >= ends {
        graceEnds = nil
        releasePages()
      } else {
        wake(at: ends)
      }
    }
    abandonLoads()
    return settle()
  }

  /// The pager was closed, or its last holder let go.
  mutating func closed(now: Duration) -> [PagerAction] {
    self.now = now
    guard !isClosed else { return settle() }
    for side in EdgeSide.allCases { cancelEdge(side, awaitingReport: true) }
    for side in EdgeSide.allCases { finish(shown[side].takeCommands(), PagingError.closed) }
    discardCandidate(PagingError.closed)
    closeMediator()
    finish(waitingLoads.map(\.command), PagingError.closed)
    waitingLoads = []
    if isShowing {
      var event = PagingEvent("generation", .instant, id: number())
      event.reason = "close"
      emit(.report(event))
    }
    // Also where nothing is shown: a source that is shared by all generations is heard until now.
    emit(.closeSource(generation: shown.number))
    isClosed = true
    return settle()
  }
}
