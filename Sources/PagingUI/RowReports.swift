/// Makes one range of what a screen says of its rows: each that appears or disappears, or all at once.
///
/// Pure; the rows are indices in the list that is shown, and are carried over when it changes.
struct RowReports {
  private enum Known {
    /// Rows that were reported one by one.
    case each(Set<Int>)
    /// What a screen said that knows.
    case range(Range<Int>)
  }

  private var known = Known.each([])
  /// Whether something was reported since ``takeNews()``.
  private(set) var hasNews = false

  /// From the first row on screen to the last; nil when none is known to be.
  var viewport: Range<Int>? {
    switch known {
    case .range(let range): return range.isEmpty ? nil : range
    case .each(let rows):
      guard let first = rows.min(), let last = rows.max() else { return nil }
      return first..<last + 1
    }
  }

  mutating func appeared(_ row: Int) {
    var rows = each
    rows.insert(row)
    known = .each(rows)
    hasNews = true
  }

  mutating func disappeared(_ row: Int) {
    var rows = each
    guard rows.remove(row) != nil else { return }
    known = .each(rows)
    hasNews = true
  }

  mutating func areVisible(_ range: Range<Int>) {
    known = .range(range)
    hasNews = true
  }

  /// What was reported since the last call; nil when nothing was, or when no row is left on screen.
  ///
  /// A screen whose last row disappears is about to show others or is gone: neither says where the reader is.
  mutating func takeNews() -> Range<Int>? {
    guard hasNews else { return nil }
    hasNews = false
    return viewport
  }

  /// The list has changed: each row is where `place` says, or gone.
  mutating func carry(_ place: (Int) -> Int?) {
    switch known {
    case .each(let rows): known = .each(Set(rows.compactMap(place)))
    case .range(let range):
      guard let first = range.lazy.compactMap(place).first else { return known = .range(0..<0) }
      guard let last = range.reversed().lazy.compactMap(place).first else { return known = .range(0..<0) }
      // Rows may have changed their order.
      known = .range(min(first, last)..<max(first, last) + 1)
    }
  }

  /// The rows one by one, also where a screen changed its way of telling.
  private var each: Set<Int> {
    switch known {
    case .each(let rows): rows
    case .range(let range): Set(range)
    }
  }
}
