/// Rows on screen, in coordinates of one generation.
///
/// A row's coordinate never changes while its generation lasts, whatever is added, dropped or filled around it, so a
/// report in an older snapshot needs no search.
struct Viewport: Equatable {
  var lower: Int
  var upper: Int
  /// How many rows before that of `lower`, as the screen shows them, the viewport begins: rows that an edit inserted
  /// have no coordinates of their own. Below zero where it begins behind that row.
  var lead = 0

  var count: Int { upper - lower }

  /// The smallest viewport that holds both.
  func union(_ other: Viewport) -> Viewport {
    let lead = lower == other.lower ? max(lead, other.lead) : lower < other.lower ? lead : other.lead
    return Viewport(lower: min(lower, other.lower), upper: max(upper, other.upper), lead: lead)
  }

  /// Moved and cut so that it lies in `bounds`, its length kept where it fits.
  func clamped(to bounds: Range<Int>) -> Viewport {
    let length = min(count, bounds.count)
    let start = min(max(lower, bounds.lowerBound), bounds.upperBound - length)
    return Viewport(lower: start, upper: start + length, lead: lead)
  }

  /// Moved by `distance` rows.
  func moved(by distance: Int) -> Viewport {
    Viewport(lower: lower + distance, upper: upper + distance, lead: lead)
  }
}

/// Names one content of a pager: the pager itself or a screen's transformation of it.
struct ContentID: Hashable, Sendable {
  let rawValue: UInt64

  /// The pager itself.
  static let pager = ContentID(rawValue: 0)
  /// No content: a place that was restored, until a content reports.
  static let restored = ContentID(rawValue: .max)
}

/// The latest report of each content; what counts is their union.
struct Viewports {
  private var reports: [(content: ContentID, viewport: Viewport)] = []
  /// The union of all reports; nil before the first.
  private(set) var union: Viewport?

  mutating func report(_ viewport: Viewport, from content: ContentID) {
    if let first = reports.first, first.content == .restored { reports.removeFirst() }
    if let position = reports.firstIndex(where: { $0.content == content }) {
      reports[position].viewport = viewport
    } else {
      reports.append((content, viewport))
    }
    join()
  }

  /// Rewrites every report, as when a generation replaces another.
  mutating func carry(_ change: (Viewport) -> Viewport) {
    for position in reports.indices { reports[position].viewport = change(reports[position].viewport) }
    join()
  }

  private mutating func join() {
    var joined: Viewport?
    for report in reports { joined = joined?.union(report.viewport) ?? report.viewport }
    union = joined
  }
}
