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
  private(set) var reports: [ContentReport] = []
  /// The union of all reports; nil before the first.
  private(set) var union: Viewport?
  /// Whether a content leaves rows out, so that its rows have to be counted.
  private(set) var leavesRowsOut = false

  mutating func report(_ viewport: Viewport, from content: ContentID) {
    if let restored = reports.firstIndex(where: { $0.content == .restored }) { reports.remove(at: restored) }
    change(content) { $0.viewport = viewport }
    join()
  }

  /// A content says what it shows, if that is no older than what it said before.
  mutating func show(_ shown: ShownContent, from content: ContentID) {
    change(content) { report in
      if let known = report.shown, known.version > shown.version { return }
      report.shown = shown
    }
    leavesRowsOut = true
  }

  private mutating func change(_ content: ContentID, _ change: (inout ContentReport) -> Void) {
    if let position = reports.firstIndex(where: { $0.content == content }) {
      change(&reports[position])
    } else {
      var report = ContentReport(content: content)
      change(&report)
      reports.append(report)
    }
  }

  /// A content is no longer there.
  mutating func remove(_ content: ContentID) {
    reports.removeAll { $0.content == content }
    leavesRowsOut = reports.contains { $0.shown != nil }
    join()
  }

  /// Rewrites every viewport, as when a generation replaces another.
  mutating func carry(_ change: (Viewport) -> Viewport) {
    for position in reports.indices {
      if let viewport = reports[position].viewport { reports[position].viewport = change(viewport) }
    }
    join()
  }

  private mutating func join() {
    var joined: Viewport?
    for report in reports {
      guard let viewport = report.viewport else { continue }
      joined = joined?.union(viewport) ?? viewport
    }
    union = joined
  }
}
