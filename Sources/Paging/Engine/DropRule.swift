/// Which end lets go of a page next, when more rows are held than `maxSize`: the decision of P14.
///
/// Never a page that holds a protected row, and never one of the last two. Where both ends may, the one farther from
/// the viewport goes; before any viewport was reported, or where a command asked for the page that came, the one that
/// did not just grow.
struct DropRule {
  let maxSize: Int
  let prefetchDistance: Int
  let viewport: Viewport?
  let grew: EdgeSide
  /// The page that came was asked for by a command, which is to show it.
  var byCommand = false

  /// The end to drop a page at; nil: none.
  func side(in generation: Generation) -> EdgeSide? {
    guard generation.pages.rowCount > maxSize, generation.pages.pageCount > 2,
      let first = generation.rowsOfPage(at: .prepend), let last = generation.rowsOfPage(at: .append)
    else { return nil }
    guard let viewport else { return grew.opposite }
    let loaded = generation.loaded
    let protected = viewport.lower - prefetchDistance..<viewport.upper + prefetchDistance
    let mayDropFirst = loaded.lowerBound + first <= protected.lowerBound
    let mayDropLast = loaded.upperBound - last >= protected.upperBound
    switch (mayDropFirst, mayDropLast) {
    case (false, false): return nil
    case (true, false): return .prepend
    case (false, true): return .append
    case (true, true):
      if byCommand { return grew.opposite }
      let before = viewport.lower - loaded.lowerBound
      let after = loaded.upperBound - viewport.upper
      return before >= after ? .prepend : .append
    }
  }
}

/// Why pages were let go, in the word that observers hear.
enum DropReason: String {
  /// More rows were held than allowed.
  case maxSize
  /// Nobody had looked for the grace period.
  case retention
}
