import Loading

/// The snapshot that a screen shows, as the engine sees it.
struct ReportedSnapshot {
  let generation: UInt64
  let pages: PageTree
  let firstCoordinate: Int
  let placeholdersBefore: Int
  let placeholdersAfter: Int
  /// Which rows had come or gone by edits.
  var layout: UInt64 = 0
}

// What is on screen, and what follows from it for loads that run.
extension PagerState {
  /// A screen reports its rows, as indices in the snapshot that it shows.
  ///
  /// A snapshot of an older generation is carried over by the first of its rows that is still there; where none is,
  /// the report says nothing new.
  mutating func viewportMoved(
    to rows: Range<Int>, of snapshot: ReportedSnapshot, from content: ContentID, now: Duration
  ) -> [PagerAction] {
    self.now = now
    guard !isClosed else { return [] }
    if let viewport = viewport(of: rows, in: snapshot) {
      viewports.report(viewport, from: content)
      firstAwaitsSign = false
      shown.prepend.awaitsReport = false
      shown.append.awaitsReport = false
      mediator?.reported()
      jumpAwaitsReport = false
      if config.abandonAfter != nil { abandonLoads() }
    }
    return settle()
  }

  private func viewport(of rows: Range<Int>, in snapshot: ReportedSnapshot) -> Viewport? {
    guard isShowing else { return nil }
    let bounds = shown.bounds
    let start = snapshot.firstCoordinate - snapshot.placeholdersBefore
    let end = snapshot.firstCoordinate + snapshot.pages.rowCount + snapshot.placeholdersAfter
    let lower = min(max(start, clampedSum(start, rows.lowerBound)), end)
    let upper = min(max(lower, clampedSum(start, rows.upperBound)), end)
    let reported = Viewport(lower: lower, upper: upper)
    if snapshot.generation == shown.number, snapshot.layout == overlay.layout {
      return ownRows(of: reported).clamped(to: bounds)
    }
    let loaded = snapshot.firstCoordinate..<snapshot.firstCoordinate + snapshot.pages.rowCount
    // Rows of this generation's snapshot that it doesn't have itself: edits inserted them.
    var inserted = 0
    for coordinate in (reported.lower..<reported.upper).clamped(to: loaded) {
      let place = snapshot.pages.place(ofRow: coordinate - snapshot.firstCoordinate)
      let hash = access.hashes(of: place.page)[place.offset]
      if let now = shown.coordinate(of: OpaqueRow(page: place.page, offset: place.offset, hash: hash)) {
        var moved = reported.moved(by: now - coordinate)
        if snapshot.generation == shown.number { moved.lower += inserted }
        return moved.clamped(to: bounds)
      }
      inserted += 1
    }
    return viewport(ofInsertedRowIn: reported, of: snapshot)?.clamped(to: bounds)
  }

  private func clampedSum(_ base: Int, _ index: Int) -> Int {
    let (sum, overflows) = base.addingReportingOverflow(index)
    return overflows ? (index < 0 ? Int.min : Int.max) : sum
  }

  /// Cancels loads that are old and whose rows the viewport has left far behind.
  mutating func abandonLoads() {
    guard let patience = config.abandonAfter, viewports.union != nil, isShowing else { return }
    let rule = prefetchRule
    let (reach, overflows) = config.pageSize.addingReportingOverflow(config.prefetchDistance)
    guard !overflows else { return }
    for side in EdgeSide.allCases {
      guard let load = shown[side].inFlight, load.reason == .viewport else { continue }
      if now - load.began < patience {
        wake(at: load.began + patience)
      } else if rule.rowsBeyond(side) > reach {
        cancelEdge(side, awaitingReport: false)
      }
    }
  }

  /// Starts a jump when the viewport has landed far inside placeholders: one for each report.
  ///
  /// - Returns: Whether one was started, or has failed and waits for a retry.
  mutating func startJumpIntoPlaceholders() -> Bool {
    guard let index = indexFarInsidePlaceholders else { return false }
    if candidate?.isJumpIntoPlaceholders == true { return true }
    guard !jumpAwaitsReport else { return false }
    jumpAwaitsReport = true
    beginJump(to: .index(index), commands: [], keepsIndices: true)
    return true
  }

  /// A jump into placeholders failed and is to be repeated: to where the viewport is by now, if it is in any.
  ///
  /// - Returns: Whether there is anything to jump to.
  mutating func retryJumpIntoPlaceholders(_ commands: [CommandID]) -> Bool {
    guard let index = indexFarInsidePlaceholders else {
      giveUpCandidate(CancellationError())
      return false
    }
    beginJump(to: .index(index), commands: commands, keepsIndices: true)
    return true
  }

  /// The first row of a viewport that is far enough inside placeholders for a jump.
  private var indexFarInsidePlaceholders: Int? {
    guard let threshold = config.jumpThreshold, !cannotJumpToPlaceholders, let viewport = viewports.union else {
      return nil
    }
    let loaded = shown.loaded
    guard loaded.lowerBound - viewport.upper >= threshold || viewport.lower - loaded.upperBound >= threshold else {
      return nil
    }
    return viewport.lower - shown.bounds.lowerBound
  }
}
