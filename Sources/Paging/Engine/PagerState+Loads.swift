import Loading

// What loads bring: pages, failures, cancellations; and what is let go for them.
extension PagerState {
  /// A load returned a page.
  mutating func pageLoaded(_ id: UInt64, _ page: Page<Key, Item>, now: Duration) -> [PagerAction<Key, Item>] {
    self.now = now
    if let load = candidate?.inFlight, load.id == id {
      candidateTook(page, load)
    } else if let side = side(of: id), let load = shown?[side].inFlight {
      edgeTook(page, load, at: side)
    }
    return settle()
  }

  /// A load threw. Cancellation is told from failure here.
  mutating func loadFailed(_ id: UInt64, _ error: any Error, now: Duration) -> [PagerAction<Key, Item>] {
    self.now = now
    let isCancelled = error is CancellationError || conditions == .suspended
    let isInvalidated = (error as? PagingError)?.code == .invalidated
    if let load = candidate?.inFlight, load.id == id {
      ended(load, type: load.params.type, outcome: isCancelled ? "cancelled" : Self.outcome(of: error))
      if isCancelled {
        candidateWasCancelled()
      } else {
        candidateFailed(error, isInvalidated: isInvalidated)
      }
    } else if let side = side(of: id), let load = shown?[side].inFlight {
      ended(load, type: side.loadType, outcome: isCancelled ? "cancelled" : Self.outcome(of: error))
      if isCancelled {
        rest(side, awaitingReport: conditions != .suspended, CancellationError())
      } else if isInvalidated, allowsThrownInvalidation() {
        rest(side, awaitingReport: true, error)
        beginRefresh(.anchor, reason: .invalidation, commands: [])
      } else {
        edgeFailed(error, at: side)
      }
    }
    return settle()
  }

  private func side(of id: UInt64) -> EdgeSide? {
    EdgeSide.allCases.first { shown?[$0].inFlight?.id == id }
  }

  // MARK: - An edge

  private mutating func edgeTook(_ page: Page<Key, Item>, _ load: LoadInFlight<Key>, at side: EdgeSide) {
    guard var generation = shown else { return }
    shown = nil
    let isReadAgain = if case .again = generation[side].next { true } else { false }
    let arrival = generation.grew(side, with: page, loadedBy: load.params, isReadAgain: isReadAgain)
    generation[side].activity = .idle
    generation[side].emptyPages = arrival.shown > 0 ? 0 : generation[side].emptyPages + 1
    let goesOn = arrival.shown == 0 && !generation[side].isAtEnd
    generation[side].following = goesOn ? load.params.purpose : nil
    let emptyPages = generation[side].emptyPages
    var commands: [CommandID] = []
    if !goesOn {
      commands = generation[side].commands
      generation[side].commands = []
    }
    shown = generation
    thrownInvalidations = 0
    ended(load, type: side.loadType, outcome: "ok", items: page.items.count)
    reportDuplicates(arrival.duplicates)
    if arrival.closesCircle {
      edgeFailed(PagingError.keyCycle, at: side)
    } else if goesOn, emptyPages >= config.emptyPageBudget {
      edgeFailed(PagingError.emptyPages(emptyPages), at: side)
    }
    finish(commands)
    dropPages(grew: side)
  }

  private mutating func edgeFailed(_ error: any Error, at side: EdgeSide) {
    let failure = failure(error)
    let commands = shown?[side].commands ?? []
    shown?[side].activity = .failed(failure)
    shown?[side].following = nil
    shown?[side].commands = []
    finish(commands, error)
  }

  /// Leaves an edge as it was before its load.
  mutating func rest(_ side: EdgeSide, awaitingReport: Bool, _ error: any Error) {
    let commands = shown?[side].commands ?? []
    shown?[side].rest(awaitingReport: awaitingReport)
    shown?[side].commands = []
    finish(commands, error)
  }

  /// Cancels what runs at an edge.
  mutating func cancelEdge(_ side: EdgeSide, awaitingReport: Bool) {
    guard let load = shown?[side].inFlight else { return }
    emit(.cancel(id: load.id))
    ended(load, type: side.loadType, outcome: "cancelled")
    rest(side, awaitingReport: awaitingReport, CancellationError())
  }

  // MARK: - Letting go

  mutating func dropPages(grew side: EdgeSide) {
    guard let maxSize = config.maxSize, var generation = shown, generation.pages.rowCount > maxSize else { return }
    shown = nil
    let rule = DropRule(
      maxSize: maxSize, prefetchDistance: config.prefetchDistance, viewport: viewports.union, grew: side)
    var (pages, rows) = (0, 0)
    var cancelled: [(EdgeSide, LoadInFlight<Key>, [CommandID])] = []
    while let end = rule.side(in: generation) {
      if let load = generation[end].inFlight {
        cancelled.append((end, load, generation[end].commands))
        generation[end].commands = []
      }
      rows += generation.dropPage(at: end)
      pages += 1
    }
    shown = generation
    for (end, load, commands) in cancelled {
      emit(.cancel(id: load.id))
      ended(load, type: end.loadType, outcome: "cancelled")
      finish(commands, CancellationError())
    }
    reportDropped(pages: pages, rows: rows)
  }

  /// Nobody has looked for the grace period: keeps the viewport's pages only.
  mutating func releasePages() {
    for side in EdgeSide.allCases { cancelEdge(side, awaitingReport: true) }
    if let candidate, candidate.isRunning { discardCandidate(CancellationError()) }
    guard var generation = shown, !generation.pages.isEmpty else { return }
    shown = nil
    let kept = viewports.union ?? Viewport(lower: generation.loaded.lowerBound, upper: generation.loaded.lowerBound + 1)
    let pages = generation.pages.pageCount
    var rows = 0
    while generation.pages.pageCount > 1, let first = generation.pages.first,
      generation.loaded.lowerBound + first.count <= kept.lower
    {
      rows += generation.dropPage(at: .prepend)
    }
    while generation.pages.pageCount > 1, let last = generation.pages.last,
      generation.loaded.upperBound - last.count >= max(kept.upper, kept.lower + 1)
    {
      rows += generation.dropPage(at: .append)
    }
    shown = generation
    reportDropped(pages: pages - generation.pages.pageCount, rows: rows)
  }

  // MARK: - Telling

  /// Notes that a load is over.
  mutating func ended(_ load: LoadInFlight<Key>, type: LoadType, outcome: String, items: Int? = nil) {
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

  private mutating func reportDropped(pages: Int, rows: Int) {
    guard pages > 0 else { return }
    var event = PagingEvent("pagesDropped", .instant, id: number())
    event.pageCount = pages
    event.itemCount = rows
    emit(.report(event))
  }

  private static func outcome(of error: any Error) -> String {
    (error as? PagingError)?.code.rawValue ?? "failed"
  }
}
