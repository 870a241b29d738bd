/// Whether an edge loads now, and why: the decision of P3 and P6.
///
/// | the viewport | normal | constrained |
/// |---|---|---|
/// | was never reported, rows are there | no | no |
/// | was never reported, no rows, somebody observes | visible | visible |
/// | leaves at least `prefetchDistance` rows loaded beyond it | no | no |
/// | leaves fewer | prefetch | no |
/// | reaches the last loaded row or goes beyond it | visible | visible |
///
/// A `prefetchDistance` of zero never loads by itself. Where a content leaves rows out, each content is asked for
/// itself and the one that has least left decides.
struct PrefetchRule {
  let prefetchDistance: Int
  let loaded: Range<Int>
  let viewport: Viewport?
  let isObserved: Bool
  /// The contents one by one, where one of them leaves rows out.
  var contents: ContentDemands?

  /// Rows beyond the viewport on that side that are loaded, and shown; never below zero.
  func rowsBeyond(_ side: EdgeSide) -> Int {
    if let contents { return contents.rowsBeyond(side) ?? 0 }
    guard let viewport else { return 0 }
    return Self.rows(side, beyond: viewport, loaded)
  }

  /// Loaded rows beyond a viewport on that side; never below zero.
  static func rows(_ side: EdgeSide, beyond viewport: Viewport, _ loaded: Range<Int>) -> Int {
    switch side {
    case .prepend: max(0, min(viewport.lower, loaded.upperBound) - loaded.lowerBound)
    case .append: max(0, loaded.upperBound - max(viewport.upper, loaded.lowerBound))
    }
  }

  /// Why the page beyond that side is wanted; nil: it isn't.
  func purpose(_ side: EdgeSide) -> LoadPurpose? {
    guard prefetchDistance > 0 else { return nil }
    let isBare = viewport == nil && loaded.isEmpty && isObserved
    if let contents {
      guard case .page(let rowsLeft) = contents.demand(side) else { return isBare ? .visible : nil }
      return rowsLeft == 0 ? .visible : .prefetch
    }
    guard viewport != nil else { return isBare ? .visible : nil }
    let beyond = rowsBeyond(side)
    if beyond >= prefetchDistance { return nil }
    return beyond == 0 ? .visible : .prefetch
  }

  /// How many pages in a row at that end show nothing, where that is why no more are wanted; else nil.
  func blankPages(_ side: EdgeSide) -> Int? {
    guard prefetchDistance > 0, case .blank(let pages) = contents?.demand(side) else { return nil }
    return pages
  }
}
