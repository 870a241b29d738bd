extension ListOrder {
  private static let shown = SQL("SELECT shown_pos FROM list WHERE list_no = ?")
  private static let setShown = SQL("UPDATE list SET shown_pos = ? WHERE list_no = ?")
  private static let places = SQL("SELECT view, pos FROM place WHERE list_no = ? AND pos IS NOT NULL")
  private static let setPlace = SQL("UPDATE place SET pos = ? WHERE view = ?")

  /// Spreads all positions of the list out anew; the order stays, and everything that names a position names the same
  /// place again: runs, joints, what is shown, saved places. O(rows), all of them in memory meanwhile.
  func renumber() throws(ListStoreError) {
    let entries = try entries(in: .min ... .max, limit: .max)
    let runs = try runs()
    let cuts = try cuts(in: .min ... .max, limit: .max)
    let spread = Spread(entries.map(\.position), runs: runs)

    try empty()
    for (entry, position) in zip(entries, spread.fresh) {
      var moved = entry
      moved.position = position
      try put(moved)
    }
    for run in runs { try apply([.putRun(try spread.moved(run))]) }
    for cut in cuts {
      // Below the last row there is nothing to cut off.
      guard let position = spread.atOrAbove(cut.position) else { continue }
      try apply([.putCut(position: position, olderToken: cut.olderToken, newerToken: cut.newerToken)])
    }
    let shown = try connection.first(Self.shown, list) { row throws(ListStoreError) in try row.optionalInt64(0) }
    if let shown, let shown { try connection.run(Self.setShown, spread.limit(for: shown), list) }
    let places = try connection.all(Self.places, list) { row throws(ListStoreError) in
      (view: try row.text(0), position: try row.int64(1))
    }
    for place in places { try connection.run(Self.setPlace, spread.nearest(place.position), place.view) }
  }
}

/// Old positions and the new ones for them.
struct Spread {
  /// Between two neighbours of a run: room for a million rows.
  static let stride: Position = 1 << 20
  /// Between two runs.
  static let gap: Position = 1 << 40

  /// The old positions, falling.
  let old: [Position]
  /// The new ones, falling too.
  let fresh: [Position]

  /// Spreads positions, given the newest first, with more room where a run ends. The middle is at 0, so that both ends
  /// can grow.
  init(_ old: [Position], runs: [Run]) {
    self.old = old
    let lows = Set(runs.filter { !$0.isEmpty }.map(\.low))
    var offsets: [Position] = []
    offsets.reserveCapacity(old.count)
    var offset: Position = 0
    for position in old {
      offsets.append(offset)
      offset -= lows.contains(position) ? Self.gap : Self.stride
    }
    let middle = (offsets.last ?? 0) / 2
    fresh = offsets.map { $0 - middle }
  }

  /// A run at the new positions of its rows.
  func moved(_ run: Run) throws(ListStoreError) -> Run {
    guard !run.isEmpty else { return run }
    guard let high = exact(run.high), let low = exact(run.low) else {
      throw ListStoreError(
        .damaged,
        message: "A run of rows ends where there is no row. The file is damaged: recover(to:) saves what can be read.")
    }
    var moved = run
    moved.high = high
    moved.low = low
    return moved
  }

  /// The new position of the row at a position or, if there is none, of the next above; nil: none is above.
  func atOrAbove(_ position: Position) -> Position? {
    let index = indexBelow(position)
    return index == 0 ? nil : fresh[index - 1]
  }

  /// A limit that leaves the same rows above it.
  func limit(for position: Position) -> Position {
    if let exact = exact(position) { return exact }
    let index = indexBelow(position)
    if index < fresh.count { return fresh[index] }
    return (fresh.last ?? 0) - 1
  }

  /// The new position of the row at a position or, if there is none, of the next below, or above.
  func nearest(_ position: Position) -> Position {
    if let exact = exact(position) { return exact }
    let index = indexBelow(position)
    return index < fresh.count ? fresh[index] : fresh.last ?? 0
  }

  private func exact(_ position: Position) -> Position? {
    let index = indexBelow(position)
    return index > 0 && old[index - 1] == position ? fresh[index - 1] : nil
  }

  /// The index of the first row below a position.
  private func indexBelow(_ position: Position) -> Int {
    var low = 0
    var high = old.count
    while low < high {
      let middle = (low + high) / 2
      if old[middle] < position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
