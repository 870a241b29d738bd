// What contents that are made of the pager's rows say, and what follows from it.
extension PagerState {
  /// A transformed content reports the rows on its screen, or says what it shows, or both.
  ///
  /// - Parameters:
  ///   - rows: The rows, as indices in `snapshot`; nil: what is on screen is as it was.
  ///   - snapshot: The pager's snapshot that it was made of.
  ///   - showing: What the content shows; nil where it shows every row.
  ///   - content: Which content.
  mutating func contentReported(
    _ rows: Range<Int>?, of snapshot: ReportedSnapshot, showing: ShownContent?, from content: ContentID, now: Duration
  ) -> [PagerAction] {
    guard !isClosed else { return [] }
    if let showing { viewports.show(showing, from: content) }
    if let rows { return viewportMoved(to: rows, of: snapshot, from: content, now: now) }
    self.now = now
    return settle()
  }

  /// A content was released, or nobody reads it any more and it never reported.
  mutating func contentEnded(_ content: ContentID, now: Duration) -> [PagerAction] {
    self.now = now
    guard !isClosed else { return [] }
    viewports.remove(content)
    return settle()
  }

  /// What decides whether an edge loads, as things are. Rows that an edit hides are no rows to scroll to.
  var prefetchRule: PrefetchRule {
    PrefetchRule(
      prefetchDistance: config.prefetchDistance, loaded: presentedLoaded, viewport: presentedViewport,
      isObserved: observers > 0, contents: viewports.leavesRowsOut ? contentDemands : nil)
  }

  private var contentDemands: ContentDemands {
    var reports = viewports.reports
    if overlay.presented != nil {
      for position in reports.indices { reports[position].viewport = reports[position].viewport.map(presented) }
    }
    return ContentDemands(
      reports: reports, generation: shown.number, loaded: presentedLoaded, ordinals: shown.ordinals,
      prefetchDistance: config.prefetchDistance, emptyPageBudget: config.emptyPageBudget,
      forgiven: (shown.prepend.forgiven, shown.append.forgiven))
  }

  /// The union of the viewports, wider where a content needs more rows beyond its own to show enough of them.
  var protectedViewport: Viewport? {
    guard viewports.leavesRowsOut, let protected = contentDemands.protected else { return viewports.union }
    // Whoever asks adds the distance on both sides.
    let lower = protected.lowerBound + config.prefetchDistance
    return Viewport(lower: lower, upper: max(lower, protected.upperBound - config.prefetchDistance))
  }

  /// Stops an edge where page after page shows nothing in a content, unless another content wants more.
  mutating func stopBlankEdges(by rule: PrefetchRule) {
    for side in EdgeSide.allCases where !shown[side].isAtEnd {
      let edge = shown[side]
      let mayStart = edge.isIdle && !edge.awaitsReport && edge.following == nil && edge.forced == nil
      if edge.isBlank, edge.state.failure != nil {
        guard rule.purpose(side) != nil else { continue }
        shown[side].activity = .idle
        shown[side].isBlank = false
      } else if mayStart, rule.purpose(side) == nil, let pages = rule.blankPages(side) {
        edgeFailed(PagingError.emptyPages(pages), at: side)
        shown[side].isBlank = true
      }
    }
  }

  /// The same where the source has reached its end and a mediator would bring more: there it is the mediator that
  /// stops.
  mutating func stopBlankMediatorSides() {
    guard viewports.leavesRowsOut, mediator?.isFree == true else { return }
    let rule = prefetchRule
    for side in EdgeSide.allCases where shown[side].isAtEnd {
      guard let state = mediator?[side], state.failure == nil, !state.isEnded, !state.awaitsReport, !state.isRetried,
        rule.purpose(side) == nil, let pages = rule.blankPages(side)
      else { continue }
      let failure = failure(PagingError.emptyPages(pages))
      mediator?[side].failure = failure
    }
  }
}
