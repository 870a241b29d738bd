extension StoreCore {
  /// Reads rows of a list at one moment.
  ///
  /// - Parameters:
  ///   - place: Where.
  ///   - before: At most so many rows above it.
  ///   - after: At most so many at it or below.
  /// - Returns: The window. Nil where nothing was stored for the list yet, or where the place is a row that isn't in
  ///   the list and of which nothing is known.
  func window(
    of name: ListName, at place: WindowPlace, before: Int, after: Int
  ) throws(ListStoreError) -> Window? {
    try database.read { connection throws(ListStoreError) -> Window? in
      guard let list = try list(name, on: connection) else { return nil }
      var window: Window? = try window(of: list, at: place, before: before, after: after, on: connection)
      let sending = try sendingRows(of: list, named: name, on: connection)
      if !sending.isEmpty, let anchor = try anchor(place, in: list, connection.order(of: list.number)) {
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
    guard let anchor = try anchor(place, in: list, order) else { return nil }
    let stored = try order.window(at: anchor, newer: before, older: after, shown: list.shownPosition)
    let span = (stored.olderNeighbour ?? .min)...(stored.newerNeighbour ?? list.shownPosition ?? .max)
    let rows = try payloads(of: stored.rows, on: connection)
    return Window(
      list: list.number, epoch: list.epoch, version: list.version,
      sequence: try WriteTransaction.lastSequence(connection), rows: rows,
      gaps: gaps(between: stored.runs, in: span, rows: rows), hasNewer: stored.newerNeighbour != nil,
      hasOlder: stored.olderNeighbour != nil, head: stored.runs.first?.newer, tail: stored.runs.last?.older, span: span)
  }

  private func anchor(
    _ place: WindowPlace, in list: ListRecord, _ order: ListOrder
  ) throws(ListStoreError) -> Position? {
    switch place {
    case .head: return .max
    case .newer(let key): return try position(of: key, in: list, order)
    case .older(let key):
      guard let position = try position(of: key, in: list, order), position > .min else { return nil }
      return position - 1
    case .around(let key):
      if let position = try position(of: key, in: list, order) { return position }
      for item in key.near {
        if let position = try order.entry(of: item)?.position { return position }
      }
      // Its order is no more, and nothing of its surroundings is in the new one.
      return key.stood == nil ? nil : .max
    }
  }

  /// Where a row stands, or stood in this order.
  private func position(
    of key: ListKey, in list: ListRecord, _ order: ListOrder
  ) throws(ListStoreError) -> Position? {
    if let position = try order.entry(of: key.item)?.position { return position }
    guard let stood = key.stood, stood.list == list.number, stood.epoch == list.epoch else { return nil }
    return stood.position
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
