extension StoreCore {
  /// Reads rows of a list at one moment.
  ///
  /// - Parameters:
  ///   - place: Where.
  ///   - before: At most so many rows above it.
  ///   - after: At most so many at it or below.
  /// - Returns: The window. Nil where nothing was stored for the list yet, or where the place is a row that isn't in the list and
  ///   of which nothing is known.
  func window(
    of name: ListName, at place: WindowPlace, before: Int, after: Int
  ) throws(ListStoreError) -> Window? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      var window = try window(of: list, at: place, before: before, after: after, on: connection)
      let sending = try sendingRows(of: list, named: name, on: connection)
      if !sending.isEmpty, let anchor = try anchor(place, in: connection.order(of: list.number)) {
        window?.add(sending, at: anchor, before: before)
      }
      return window
    }
  }

  /// Reads rows of an order within a transaction.
  func window(
    of list: ListRecord, at place: WindowPlace, before: Int, after: Int, on connection: Connection
  ) throws(ListStoreError) -> Window? {
    let order = connection.order(of: list.number)
    guard let anchor = try anchor(place, in: order) else { return nil }
    let stored = try order.window(at: anchor, newer: before, older: after, shown: list.shownPosition)
    let span = (stored.olderNeighbour ?? .min)...(stored.newerNeighbour ?? list.shownPosition ?? .max)
    let rows = try payloads(of: stored.rows, on: connection)
    return Window(
      list: list.number, version: list.version, sequence: try WriteTransaction.lastSequence(connection), rows: rows,
      gaps: gaps(between: stored.runs, in: span, rows: rows), hasNewer: stored.newerNeighbour != nil,
      hasOlder: stored.olderNeighbour != nil, head: stored.runs.first?.newer, tail: stored.runs.last?.older, span: span)
  }

  private func anchor(_ place: WindowPlace, in order: ListOrder) throws(ListStoreError) -> Position? {
    switch place {
    case .head: return .max
    case .around(let row), .newer(let row): return try position(of: row, in: order)
    case .older(let row):
      guard let position = try position(of: row, in: order), position > .min else { return nil }
      return position - 1
    }
  }

  private func position(of row: WindowPlace.Row, in order: ListOrder) throws(ListStoreError) -> Position? {
    try order.entry(of: row.item)?.position ?? row.position
  }

  /// The gaps that a window sees: never one that lies above what is shown.
  private func gaps(between runs: [Run], in span: ClosedRange<Position>, rows: [Window.Row]) -> [Window.GapPlace] {
    var gaps: [Window.GapPlace] = []
    var index = 0
    for (upper, lower) in zip(runs, runs.dropFirst()) where !upper.isEmpty && !lower.isEmpty {
      guard upper.low <= span.upperBound, lower.high >= span.lowerBound else { continue }
      while index < rows.count, rows[index].position > lower.high { index += 1 }
      gaps.append(Window.GapPlace(index: index, upper: upper, lower: lower))
    }
    return gaps
  }
}
