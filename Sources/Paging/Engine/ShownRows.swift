/// The rows of a snapshot of which a filter left some out, as the engine counts them.
///
/// Viewports are in coordinates of the pager's generation. Rows that were put in, as separators are, count for nothing.
protocol ShownRows: AnyObject, Sendable {
  /// Whether no row is shown at all.
  var showsNothing: Bool { get }
  /// What is shown on that side of a viewport, at most `limit` rows. Costs those rows.
  func shown(_ side: EdgeSide, beyond viewport: Viewport, atMost limit: Int) -> ShownStretch
  /// How many pages in a row at that end show nothing.
  func blankPages(_ side: EdgeSide) -> Int
}

/// Rows next to one another that are shown.
struct ShownStretch: Equatable {
  var count = 0
  /// The coordinate of the one farthest from where they begin; nil where there are none.
  var end: Int?
}

/// What a content shows of one snapshot of its pager, of which it leaves rows out.
struct ShownContent: Sendable {
  /// The number of the pager's snapshot.
  let version: UInt64
  let generation: UInt64
  /// The coordinates of the rows that were loaded then.
  let coordinates: Range<Int>
  /// The ordinals of their pages.
  let ordinals: Range<Int>
  /// Whether somebody reads the content.
  var isObserved: Bool
  let rows: any ShownRows
}

/// One content's latest word: which rows are on screen, and what it shows.
struct ContentReport {
  let content: ContentID
  /// Nil where only what it shows is known.
  var viewport: Viewport?
  /// Nil for a content that shows every row.
  var shown: ShownContent?
}

/// The reports of all contents of a pager of which one leaves rows out, and what they want.
///
/// For a content that leaves rows out, those count that it shows, and what was loaded since it last said which. Pages
/// in a row that show nothing in it are counted as P4 counts empty ones; what `retry` forgave is not.
struct ContentDemands {
  let reports: [ContentReport]
  let generation: UInt64
  let loaded: Range<Int>
  let ordinals: Range<Int>
  let prefetchDistance: Int
  let emptyPageBudget: Int
  /// The ordinals at which the edges were when they were last told to go on.
  let forgiven: (prepend: Int?, append: Int?)

  enum Demand: Equatable {
    case nothing
    /// A page, with so many rows left beyond the viewport.
    case page(rowsLeft: Int)
    /// A page, but so many in a row showed nothing.
    case blank(pages: Int)
  }

  /// What is wanted beyond that side.
  func demand(_ side: EdgeSide) -> Demand {
    var least: Int?
    var blank = 0
    for report in reports {
      guard let rows = rowsBeyond(side, in: report), rows < prefetchDistance else { continue }
      if let shown = known(report) {
        let (pages, unseen) = (blankPages(side, in: shown), pagesSince(side, shown))
        if unseen == 0, pages >= emptyPageBudget {
          blank = max(blank, pages)
          continue
        }
        // Before more is read than the budget allows, the content says what it shows of what came.
        if pages + unseen >= emptyPageBudget { continue }
      }
      least = min(least ?? rows, rows)
    }
    if let least { return .page(rowsLeft: least) }
    return blank > 0 ? .blank(pages: blank) : .nothing
  }

  /// The least that any content shows beyond its viewport on that side; nil where none has one.
  func rowsBeyond(_ side: EdgeSide) -> Int? {
    reports.compactMap { rowsBeyond(side, in: $0) }.min()
  }

  private func rowsBeyond(_ side: EdgeSide, in report: ContentReport) -> Int? {
    guard let shown = known(report) else { return report.viewport.map { PrefetchRule.rows(side, beyond: $0, loaded) } }
    guard let viewport = report.viewport else {
      return shown.isObserved && shown.rows.showsNothing ? rowsSince(side, shown) : nil
    }
    let counted = shown.rows.shown(side, beyond: viewport, atMost: prefetchDistance).count
    return min(PrefetchRule.rows(side, beyond: viewport, loaded), counted + rowsSince(side, shown))
  }

  private func known(_ report: ContentReport) -> ShownContent? {
    report.shown.flatMap { $0.generation == generation ? $0 : nil }
  }

  private func rowsSince(_ side: EdgeSide, _ shown: ShownContent) -> Int {
    switch side {
    case .prepend: max(0, shown.coordinates.lowerBound - loaded.lowerBound)
    case .append: max(0, loaded.upperBound - shown.coordinates.upperBound)
    }
  }

  private func pagesSince(_ side: EdgeSide, _ shown: ShownContent) -> Int {
    switch side {
    case .prepend: max(0, shown.ordinals.lowerBound - ordinals.lowerBound)
    case .append: max(0, ordinals.upperBound - shown.ordinals.upperBound)
    }
  }

  /// Pages at that end that show nothing and are not forgiven. Of a list that shows nothing at all, those on the other
  /// side of where it began don't count.
  private func blankPages(_ side: EdgeSide, in shown: ShownContent) -> Int {
    let pages = min(shown.rows.blankPages(side), shown.ordinals.count)
    let isAll = pages == shown.ordinals.count
    switch side {
    case .prepend:
      let end = shown.ordinals.lowerBound + pages
      return max(0, min(end, forgiven.prepend ?? end, isAll ? 1 : end) - shown.ordinals.lowerBound)
    case .append:
      let start = shown.ordinals.upperBound - pages
      return max(0, shown.ordinals.upperBound - max(start, forgiven.append ?? start, isAll ? 0 : start))
    }
  }

  /// Which rows must stay: the viewports, `prefetchDistance` shown rows beyond each, and all where fewer are shown.
  var protected: Range<Int>? {
    var protected: Range<Int>?
    for report in reports {
      guard let viewport = report.viewport else { continue }
      var (lower, upper) = (viewport.lower - prefetchDistance, viewport.upper + prefetchDistance)
      if let shown = known(report) {
        let before = shown.rows.shown(.prepend, beyond: viewport, atMost: prefetchDistance)
        let after = shown.rows.shown(.append, beyond: viewport, atMost: prefetchDistance)
        lower = min(lower, before.count < prefetchDistance ? loaded.lowerBound : before.end ?? lower)
        upper = max(upper, after.count < prefetchDistance ? loaded.upperBound : after.end.map { $0 + 1 } ?? upper)
      }
      protected = min(lower, protected?.lowerBound ?? lower)..<max(upper, protected?.upperBound ?? upper, lower)
    }
    return protected
  }
}
