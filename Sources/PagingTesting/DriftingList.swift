/// The rows of a ``DriftingServer``, and the cursors between them.
///
/// A cursor is a mark that lies among the rows, so whatever comes, goes or moves around it, it stays at its boundary.
struct DriftingList<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Which way a cursor looks.
  enum Side: Sendable {
    case before, after
  }

  private enum Entry: Sendable {
    case row(Item, isHidden: Bool)
    case mark(Int, Side)
  }

  /// Rows and marks in list order.
  private var entries: [Entry]
  private var marksGiven = 0

  /// Of rows with one identity the first one stays.
  init(_ items: [Item]) {
    var seen: Set<Item.ID> = []
    entries = items.filter { seen.insert($0.id).inserted }.map { .row($0, isHidden: false) }
  }

  // MARK: - Rows

  /// Every row, hidden ones too.
  var rows: [(item: Item, isHidden: Bool)] {
    entries.compactMap { if case .row(let item, let isHidden) = $0 { (item, isHidden) } else { nil } }
  }

  /// Puts a row in front of row `index`, at an end where there is no such row. A row of the same identity goes first.
  mutating func insert(_ item: Item, at index: Int, isHidden: Bool = false) {
    remove(item.id)
    let place = index < 0 ? entry(ofRow: 0) : entry(ofRow: index)
    // A new row at a boundary is for whoever reads on there: behind the marks that look down, before those that look
    // up.
    let gap = gap(before: place)
    let lastDown = entries[gap].lastIndex { if case .mark(_, .after) = $0 { true } else { false } }
    entries.insert(.row(item, isHidden: isHidden), at: lastDown.map { $0 + 1 } ?? gap.lowerBound)
  }

  @discardableResult
  mutating func remove(_ id: Item.ID) -> (item: Item, isHidden: Bool)? {
    guard let place = place(of: id), case .row(let item, let isHidden) = entries.remove(at: place) else { return nil }
    return (item, isHidden)
  }

  /// Changes a row where it stands.
  mutating func update(_ id: Item.ID, item: Item? = nil, isHidden: Bool? = nil) -> Bool {
    guard let place = place(of: id), case .row(let old, let wasHidden) = entries[place] else { return false }
    entries[place] = .row(item ?? old, isHidden: isHidden ?? wasHidden)
    return true
  }

  private func place(of id: Item.ID) -> Int? {
    entries.firstIndex { if case .row(let item, _) = $0 { item.id == id } else { false } }
  }

  /// Where row `index` stands among the entries; their end where there is no such row.
  private func entry(ofRow index: Int) -> Int {
    var left = index
    for (place, entry) in entries.enumerated() {
      guard case .row = entry else { continue }
      if left == 0 { return place }
      left -= 1
    }
    return entries.count
  }

  /// The marks that lie directly before an entry.
  private func gap(before place: Int) -> Range<Int> {
    let row = entries[..<place].lastIndex { if case .row = $0 { true } else { false } }
    return (row.map { $0 + 1 } ?? 0)..<place
  }

  // MARK: - Cursors

  /// The number of a mark between rows `boundary - 1` and `boundary`, at the one when it looks down, at the other when
  /// it looks up.
  mutating func mark(_ side: Side, at boundary: Int) -> Int {
    let gap = gap(before: entry(ofRow: boundary))
    for case .mark(let number, side) in entries[gap] { return number }
    marksGiven += 1
    entries.insert(.mark(marksGiven, side), at: side == .before ? gap.upperBound : gap.lowerBound)
    return marksGiven
  }

  enum Found {
    /// So many rows lie before the mark.
    case place(rowsBefore: Int, Side)
    case expired
    case unknown
  }

  func find(mark: Int) -> Found {
    var rows = 0
    for entry in entries {
      switch entry {
      case .row: rows += 1
      case .mark(mark, let side): return .place(rowsBefore: rows, side)
      case .mark: break
      }
    }
    return mark >= 1 && mark <= marksGiven ? .expired : .unknown
  }

  mutating func removeMarks() {
    entries.removeAll { if case .mark = $0 { true } else { false } }
  }
}
