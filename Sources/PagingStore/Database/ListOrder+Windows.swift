/// One row of a list with its item as the server last said it.
struct StoredRow: Hashable, Sendable {
  /// Where it stands.
  var position: Position
  /// The item's number.
  var item: Int64
  /// The item's ID.
  var key: ItemKey
  /// The encoded item without the edits over it; nil: only its ID is known.
  var base: [UInt8]?
  /// Whether the server deleted the item.
  var isDeleted: Bool
}

/// Neighbouring rows of a list, read at one moment.
struct StoredWindow: Hashable, Sendable {
  /// The rows, the newest first.
  var rows: [StoredRow] = []
  /// The position of the next shown row above them; nil: there is none.
  var newerNeighbour: Position?
  /// The position of the next row below them; nil: there is none.
  var olderNeighbour: Position?
  /// All runs of the list, the newest first.
  var runs: [Run] = []
}

extension ListOrder {
  // A row whose item is missing must not make the window shorter, so the join is an outer one.
  private static let older = SQL(
    """
    SELECT e.pos, e.item_no, i.item_id, i.base, i.deleted_seq FROM entry e LEFT JOIN item i ON i.item_no = e.item_no
    WHERE e.list_no = ? AND e.pos <= ? ORDER BY e.pos DESC LIMIT ?
    """)
  private static let newer = SQL(
    """
    SELECT e.pos, e.item_no, i.item_id, i.base, i.deleted_seq FROM entry e LEFT JOIN item i ON i.item_no = e.item_no
    WHERE e.list_no = ? AND e.pos > ? AND e.pos <= ? ORDER BY e.pos LIMIT ?
    """)

  /// Reads rows around a position. Call it in one read transaction with what else has to be of the same moment.
  ///
  /// O(log n + rows), at any depth.
  ///
  /// - Parameters:
  ///   - anchor: Where to read; a row need not stand there. `Position.max` is the head.
  ///   - newer: At most so many rows above it.
  ///   - older: At most so many rows at it or below.
  ///   - shown: Rows above this position are left out; nil: none are. See ``ListRecord/shownPosition``.
  /// - Throws: `damaged` when rows, runs and items contradict each other: such a window could hide a hole.
  func window(
    at anchor: Position, newer: Int, older: Int, shown: Position? = nil
  ) throws(ListStoreError) -> StoredWindow {
    let ceiling = shown ?? .max
    let start = min(anchor, ceiling)
    var window = StoredWindow(runs: try runs())
    // One more on each side tells whether more is stored, and where.
    var above =
      start < ceiling
      ? try connection.all(Self.newer, list, start, ceiling, Self.limit(newer), read: Self.row) : []
    var below = try connection.all(Self.older, list, start, Self.limit(older), read: Self.row)
    let reachesTop = above.count <= max(0, newer) && shown == nil
    let reachesBottom = below.count <= max(0, older)
    try WindowCheck(
      runs: window.runs, positions: above.reversed().map(\.position) + below.map(\.position), ceiling: ceiling,
      reachesTop: reachesTop, reachesBottom: reachesBottom
    ).run(list: list)
    if above.count > max(0, newer) { window.newerNeighbour = above.removeLast().position }
    if below.count > max(0, older) { window.olderNeighbour = below.removeLast().position }
    window.rows = above.reversed() + below
    return window
  }

  private static func limit(_ rows: Int) -> Int { min(max(0, rows), .max - 1) + 1 }

  private static func row(_ row: Row) throws(ListStoreError) -> StoredRow {
    guard !row.isNull(2) else {
      throw ListStoreError(
        .damaged,
        message: "A row's item is missing from the store. The file is damaged: recover(to:) saves what can be read.")
    }
    return StoredRow(
      position: try row.int64(0), item: try row.int64(1), key: ItemKey(text: try row.text(2)),
      base: try row.optionalBlob(3),
      isDeleted: !row.isNull(4))
  }
}

/// Whether rows and runs that were read tell the same story. A page of a damaged file can read as an empty one; then
/// rows are missing that a run says are there, and nobody may take what is left for the whole.
struct WindowCheck {
  /// All runs of the list, the newest first.
  var runs: [Run]
  /// Neighbouring positions that were read, falling.
  var positions: [Position]
  /// The highest position that was asked for.
  var ceiling: Position
  /// Whether nothing is stored above them.
  var reachesTop: Bool
  /// Whether nothing is stored below them.
  var reachesBottom: Bool

  /// Throws `damaged` where they don't. O(rows + runs).
  func run(list: Int64) throws(ListStoreError) {
    guard isSound else {
      throw ListStoreError(
        .damaged,
        message:
          "The rows of list \(list) don't fit its runs: some are missing. The file is damaged: recover(to:) saves what can be read."
      )
    }
  }

  private var isSound: Bool {
    let full = runs.filter { !$0.isEmpty }
    for (upper, lower) in zip(full, full.dropFirst()) where upper.low <= lower.high { return false }
    guard let top = positions.first, let bottom = positions.last else { return full.allSatisfy { $0.low > ceiling } }
    if reachesTop, full.first?.high != top { return false }
    if reachesBottom, full.last?.low != bottom { return false }
    var current: Int?
    var previous = top
    for (offset, position) in positions.enumerated() {
      // A page in the place of another one brings rows out of their order.
      guard offset == 0 || position < previous else { return false }
      var index = current ?? 0
      while index < full.count, full[index].low > position { index += 1 }
      guard index < full.count, position <= full[index].high else { return false }
      if let current, index != current {
        // From one run to the next: over the oldest row of the one and the newest of the other, and past no third.
        guard index == current + 1, previous == full[current].low, position == full[index].high else { return false }
      }
      current = index
      previous = position
    }
    return true
  }
}
