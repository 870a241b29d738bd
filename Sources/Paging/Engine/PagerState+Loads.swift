import Loading

// What loads bring: pages, failures, cancellations; and what is let go for them.
extension PagerState {
  /// A load returned a page.
  mutating func pageLoaded(_ id: UInt64, _ page: OpaquePage, now: Duration) -> [PagerAction] {
    self.now = now
    if let load = candidateLoad, load.id == id {
      candidateTook(page, load)
    } else if let side = side(of: id), let load = shown[side].inFlight {
      edgeTook(page, load, at: side)
    }
    return settle()
  }

  /// A load threw. Cancellation is told from failure here.
  mutating func loadFailed(_ id: UInt64, _ error: any Error, now: Duration) -> [PagerAction] {
    self.now = now
    let isCancelled = error is CancellationError || conditions == .suspended
    let isInvalidated = (error as? PagingError)?.asksForRefresh == true
    if let load = candidateLoad, load.id == id {
      ended(load, type: load.params.type, outcome: isCancelled ? "cancelled" : Self.outcome(of: error))
      if isCancelled {
        candidateWasCancelled()
      } else {
        candidateFailed(error, isInvalidated: isInvalidated)
      }
    } else if let side = side(of: id), let load = shown[side].inFlight {
      ended(load, type: side.loadType, outcome: isCancelled ? "cancelled" : Self.outcome(of: error))
      if isCancelled {
        rest(side, awaitingReport: conditions != .suspended, CancellationError())
      } else if isInvalidated, allowsThrownInvalidation() {
        rest(side, awaitingReport: true, error)
        mediator?.sourceSaysChanged()
        beginRefresh(.anchor, reason: .invalidation, commands: [])
      } else if Self.isExpired(error) {
        edgeExpired(error, at: side)
      } else {
        edgeFailed(error, at: side)
      }
    }
    return settle()
  }

  private func side(of id: UInt64) -> EdgeSide? {
    if shown.append.loadID == id { return .append }
    return shown.prepend.loadID == id ? .prepend : nil
  }

  // MARK: - An edge

  private mutating func edgeTook(_ page: OpaquePage, _ load: LoadInFlight, at side: EdgeSide) {
    let arrival = shown.grew(side, with: page, loadedBy: load.params)
    let bounds = shown.bounds
    if let union = viewports.union, union.clamped(to: bounds) != union {
      // Rows that were thought to be there are not.
      viewports.carry { $0.clamped(to: bounds) }
    }
    let goesOn = shown[side].tookPage(showing: arrival.shown, for: load.params.purpose)
    let emptyPages = shown[side].emptyPages
    let commands = goesOn ? [] : shown[side].takeCommands()
    thrownInvalidations = 0
    if side == .prepend, arrival.shown > 0 { driftsReadingBack = 0 }
    expiries.pageCame(showing: arrival.shown, of: config.pageSize)
    ended(load, type: side.loadType, outcome: "ok", items: page.count)
    reportDuplicates(arrival.duplicates)
    if arrival.hasDrifted {
      readBackDrifted()
    } else if arrival.closesCircle {
      edgeFailed(PagingError.keyCycle, at: side)
    } else if goesOn, emptyPages >= config.emptyPageBudget {
      edgeFailed(PagingError.emptyPages(emptyPages), at: side)
    }
    finish(commands)
    dropPages(grew: side, byCommand: load.reason == .command || load.reason == .retry)
  }

  mutating func edgeFailed(_ error: any Error, at side: EdgeSide) {
    let failure = failure(error)
    let commands = shown[side].takeCommands()
    shown[side].activity = .failed(failure)
    shown[side].isBlank = false
    shown[side].following = nil
    finish(commands, error)
  }

  /// Leaves an edge as it was before its load.
  mutating func rest(_ side: EdgeSide, awaitingReport: Bool, _ error: any Error) {
    let commands = shown[side].takeCommands()
    shown[side].rest(awaitingReport: awaitingReport)
    finish(commands, error)
  }

  /// Cancels what runs at an edge.
  mutating func cancelEdge(_ side: EdgeSide, awaitingReport: Bool) {
    guard let load = shown[side].inFlight else { return }
    emit(.cancel(id: load.id))
    ended(load, type: side.loadType, outcome: "cancelled")
    rest(side, awaitingReport: awaitingReport, CancellationError())
  }

  // MARK: - Letting go

  mutating func dropPages(grew side: EdgeSide, byCommand: Bool = false) {
    guard let maxSize = config.maxSize, shown.pages.rowCount > maxSize else { return }
    let rule = DropRule(
      maxSize: maxSize, prefetchDistance: config.prefetchDistance, viewport: protectedViewport, grew: side,
      byCommand: byCommand)
    var (pages, rows) = (0, 0)
    var cancelled: [(EdgeSide, LoadInFlight)] = []
    var stranded: [CommandID] = []
    while let end = rule.side(in: shown) {
      // Also of a load that was to begin in this turn.
      stranded += shown[end].takeCommands()
      if let load = shown[end].inFlight { cancelled.append((end, load)) }
      rows += shown.dropPage(at: end)
      pages += 1
    }
    for (end, load) in cancelled {
      emit(.cancel(id: load.id))
      ended(load, type: end.loadType, outcome: "cancelled")
    }
    finish(stranded, CancellationError())
    reportDropped(pages: pages, rows: rows, for: .maxSize, grown: side.loadType)
  }

  /// Nobody has looked for the grace period: keeps the viewport's pages only.
  mutating func releasePages() {
    for side in EdgeSide.allCases { cancelEdge(side, awaitingReport: true) }
    if let candidate, candidate.isRunning {
      giveUpCandidate(CancellationError())
      endWaitingLoads(CancellationError())
    }
    // Nor does a first load begin for nobody, or once more.
    if !isShowing, candidate == nil { firstAwaitsSign = true }
    releaseMediator()
    shown.giveUpReadingBack()
    guard isShowing, shown.pages.pageCount > 0 else { return }
    let kept = viewports.union ?? Viewport(lower: shown.loaded.lowerBound, upper: shown.loaded.lowerBound + 1)
    let pages = shown.pages.pageCount
    var rows = 0
    while shown.pages.pageCount > 1, let first = shown.rowsOfPage(at: .prepend),
      shown.loaded.lowerBound + first <= kept.lower
    {
      rows += shown.dropPage(at: .prepend)
    }
    while shown.pages.pageCount > 1, let last = shown.rowsOfPage(at: .append),
      shown.loaded.upperBound - last >= max(kept.upper, kept.lower + 1)
    {
      rows += shown.dropPage(at: .append)
    }
    reportDropped(pages: pages - shown.pages.pageCount, rows: rows, for: .retention)
  }

  // MARK: - Telling

  /// Notes that a load is over.
  mutating func ended(_ load: LoadInFlight, type: LoadType, outcome: String, items: Int? = nil) {
    var event = PagingEvent("load", .end, id: load.id)
    event.loadType = type
    event.purpose = load.params.purpose
    event.reason = load.reason.rawValue
    event.duration = now - load.began
    event.outcome = outcome
    event.itemCount = items
    emit(.report(event))
  }

  mutating func reportDuplicates(_ count: Int) {
    guard count > 0 else { return }
    var event = PagingEvent("duplicatesDropped", .instant, id: number())
    event.droppedDuplicates = count
    emit(.report(event))
  }

  /// Notes that pages were let go.
  ///
  /// - Parameter grown: Which way the list had grown, where that was why.
  mutating func reportDropped(pages: Int, rows: Int, for reason: DropReason, grown: LoadType? = nil) {
    guard pages > 0 else { return }
    var event = PagingEvent("pagesDropped", .instant, id: number())
    event.reason = reason.rawValue
    event.loadType = grown
    event.pageCount = pages
    event.itemCount = rows
    emit(.report(event))
  }

  static func outcome(of error: any Error) -> String {
    (error as? PagingError)?.code.rawValue ?? "failed"
  }
}
