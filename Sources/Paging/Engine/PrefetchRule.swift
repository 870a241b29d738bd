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
/// A `prefetchDistance` of zero never loads by itself.
struct PrefetchRule {
  let prefetchDistance: Int
  let loaded: Range<Int>
  let viewport: Viewport?
  let isObserved: Bool

  /// Loaded rows beyond the viewport on that side; never below zero.
  func rowsBeyond(_ side: EdgeSide) -> Int {
    guard let viewport else { return 0 }
    switch side {
    case .prepend: return max(0, min(viewport.lower, loaded.upperBound) - loaded.lowerBound)
    case .append: return max(0, loaded.upperBound - max(viewport.upper, loaded.lowerBound))
    }
  }

  /// Why the page beyond that side is wanted; nil: it isn't.
  func purpose(_ side: EdgeSide) -> LoadPurpose? {
    guard prefetchDistance > 0 else { return nil }
    guard viewport != nil else { return loaded.isEmpty && isObserved ? .visible : nil }
    let beyond = rowsBeyond(side)
    if beyond >= prefetchDistance { return nil }
    return beyond == 0 ? .visible : .prefetch
  }
}
