import Loading

// What follows when a source calls a cursor expired: the list starts again from the source's recovery key, beside the
// shown one, and is read up to the row that is on screen.
extension PagerState {
  /// The most pages that are read for one expired cursor before anybody is asked.
  static var recoveryLimit: Int { 50 }

  static func isExpired(_ error: any Error) -> Bool { (error as? PagingError)?.code == .cursorExpired }

  /// The key that an edge loaded with has expired.
  mutating func edgeExpired(_ error: any Error, at side: EdgeSide) {
    if let running = candidate, running.isRunning {
      // A refresh or a recovery brings new keys, and the page is wanted after it. A jump leads away from here.
      guard running.reason != .jump else { return rest(side, awaitingReport: true, error) }
      let loads = takeLoads(of: side)
      candidate?.edgeLoads += loads
      return
    }
    guard expiries.edgeExpired() else { return edgeFailed(error, at: side) }
    var next = Candidate(build: newGeneration(), goal: .rows(1), reason: .expiry, pageBudget: 1)
    next.isRecovery = true
    next.edgeLoads = takeLoads(of: side)
    aim(&next, from: side)
    begin(next, asking: .recovery)
  }

  /// Leaves an edge as it was before its load, but for those who wait there.
  mutating func takeLoads(of side: EdgeSide) -> [(side: EdgeSide, command: CommandID)] {
    let commands = shown[side].takeCommands()
    shown[side].rest(awaitingReport: true)
    return commands.map { (side, $0) }
  }

  /// A candidate's load failed, and not because its data changed.
  mutating func candidateWasRefused(_ failed: Candidate, _ error: any Error) {
    let isExpired = Self.isExpired(error)
    // A saved key may come from long ago, and from another version of the app.
    let isRefused = (error as? PagingError)?.code == .invalidKey && failed.isRestoring && !failed.started
    guard isExpired || isRefused, !failed.isRecovery, failed.reason != .jump else {
      candidate?.hasExpired = isExpired && failed.isRecovery
      return failCandidate(error)
    }
    if isExpired { expiries.refreshExpired() }
    recover(failed, reason: isExpired ? .expiry : failed.reason, commands: failed.commands)
  }

  /// Begins a candidate's work again, from the recovery key.
  mutating func recover(_ old: Candidate, reason: LoadReason, commands: [CommandID]) {
    var next = Candidate(build: newGeneration(), goal: old.goal, reason: reason, pageBudget: old.pageBudget)
    next.isRecovery = true
    next.commands = commands
    next.edgeLoads = old.edgeLoads
    switch old.goal {
    case .anchor: aim(&next, from: .append)
    case .rows where old.keepsIndices: aim(&next, from: .append)
    case .rows, .firstPage, .index, .item, .saved: break
    }
    candidate?.commands = []
    candidate?.edgeLoads = []
    begin(next, asking: .recovery)
  }

  /// Has a recovery read up to the viewport; where none was reported, up to the row at the edge that it is for.
  private func aim(_ next: inout Candidate, from side: EdgeSide) {
    guard isShowing, shown.pages.pageCount > 0 else { return }
    let loaded = shown.loaded
    let atEdge = side == .append ? loaded.upperBound - 1 : loaded.lowerBound
    let viewport = anchoringViewport ?? Viewport(lower: atEdge, upper: atEdge + 1)
    let lower = min(max(viewport.lower, loaded.lowerBound), loaded.upperBound - 1)
    let upper = min(max(viewport.upper, lower + 1), loaded.upperBound)
    guard let anchor = shown.anchor(of: Viewport(lower: lower, upper: upper)) else { return }
    let wanted = rowsWanted(by: next, from: anchor, to: upper)
    next.goal = .anchor(anchor, rows: wanted)
    guard let pagesInFront, let end = shown.place(at: min(lower + wanted, loaded.upperBound) - 1) else {
      next.pageBudget = Self.recoveryLimit
      return
    }
    next.pageBudget = min(pagesInFront + end.pageIndex + 1 + 2, Self.recoveryLimit)
  }

  /// How many rows a candidate is to bring from the anchor on: up to the end of the screen, and up to the end of what
  /// is loaded where somebody waits for a page after it.
  func rowsWanted(by candidate: Candidate, from anchor: Anchor, to end: Int) -> Int {
    let isAwaited = candidate.isRecovery && candidate.edgeLoads.contains { $0.side == .append }
    return (isAwaited ? max(end, shown.loaded.upperBound) : end) - anchor.coordinate
  }

  /// How many pages lie in front of the first loaded one; nil where nobody knows.
  private var pagesInFront: Int? {
    if shown.placeholders.before > 0 { return shown.placeholders.before / config.pageSize + 1 }
    switch shown.prepend.next {
    case .end: return 0
    case .again: return shown.hasForgottenFront ? nil : shown.passed.count
    case .key, .outOfReach: return nil
    }
  }

  /// Lets go what a recovery has read far in front of the anchor, so that it holds no more than `maxSize` allows.
  mutating func trim(_ recovery: inout Candidate) {
    guard let maxSize = config.maxSize, case .anchor(let anchor, _) = recovery.goal else { return }
    let place = recovery.build.coordinate(of: anchor.row) ?? recovery.build.loaded.upperBound
    var (pages, rows) = (0, 0)
    while recovery.build.pages.rowCount > maxSize, recovery.build.pages.pageCount > 2,
      let first = recovery.build.rowsOfPage(at: .prepend),
      recovery.build.loaded.lowerBound + first <= place - config.prefetchDistance
    {
      rows += recovery.build.dropPage(at: .prepend)
      pages += 1
    }
    reportDropped(pages: pages, rows: rows, for: .maxSize, grown: .refresh)
  }

  /// Fails a recovery that has read all it may without coming near what is on screen, though the list goes on.
  ///
  /// To show it would take the rows on screen from a reader who asked for nothing; `retry` reads on. Where that brings
  /// nothing either that was there, another list has taken the place of the old one, and is shown.
  ///
  /// - Returns: Whether it did.
  mutating func failsShortOfThePlace(_ ready: Candidate, _ anchor: Anchor) -> Bool {
    guard ready.isRecovery, !ready.build.append.isAtEnd, ready.pagesTaken >= ready.pageBudget else { return false }
    if let nearest = shown.nearestSurvivor(to: anchor.coordinate, in: ready.build) {
      let screen = (viewports.union?.count ?? 1) + config.pageSize
      guard abs(nearest.old - anchor.coordinate) > screen else { return false }
    } else if ready.hasFallenShort {
      return false
    }
    candidate?.pageBudget = ready.pagesTaken + Self.recoveryLimit
    candidate?.hasFallenShort = true
    failCandidate(PagingError.placeNotReached(after: ready.pagesTaken))
    return true
  }
}

extension PagingError {
  static func placeNotReached(after pages: Int) -> PagingError {
    PagingError(
      .cursorExpired,
      message:
        "The cursor has expired, and \(pages) pages from where the source starts again did not lead to the rows on "
        + "screen. Retry to read on, or refresh from the start.")
  }
}
