extension StoreCore {
  /// Items in one transaction: writers wait for no more than that.
  private static let sweepBatch = 500
  /// How long it is remembered that an item was deleted, in milliseconds: a week.
  private static let tombstoneLife: Int64 = 7 * 24 * 3600 * 1000
  /// Rows that stay at a head, and on either side of a saved place.
  static let keptRows = 200

  /// Gives up what nobody needs: items in no list, the one whose last copy came longest ago first, until no more than
  /// `maxItems` are left; then windows beside their lists that nobody shows; then ends of lists far from their heads
  /// and from saved places; and what is known of items that were deleted a week ago.
  ///
  /// Stops early, with nothing half done, when its task is cancelled.
  ///
  /// - Parameter keptRows: Rows that stay at a head, and on either side of a saved place.
  func sweep(maxItems: Int, keptRows: Int = StoreCore.keptRows) async throws {
    let loose = try looseItems(maxItems: maxItems)
    var excess = loose.excess
    excess -= try await delete(loose.items)
    if excess > 0 {
      let names = try sweptLists()
      for name in names where name.isWindow && excess > 0 {
        try Task.checkCancellation()
        excess -= try await delete(try forgetWindow(name))
      }
      for name in names where excess > 0 {
        while excess > 0, let freed = try cutTail(of: name, keptRows: keptRows) {
          try Task.checkCancellation()
          excess -= try await delete(freed)
        }
      }
    }
    try database.checkpoint()
  }

  /// Items to delete, and how many more than wanted there are.
  private func looseItems(maxItems: Int) throws(ListStoreError) -> (excess: Int, items: [Int64]) {
    let kept = observed.names
    let oldest = milliseconds - Self.tombstoneLife
    var total = 0
    var doomed: [Int64] = []
    var spare: [(usedAt: Int64, number: Int64)] = []
    var last: Int64 = .min
    while true {
      let batch = try database.read { connection throws(ListStoreError) in
        try connection.sweeping.items(after: last, limit: Self.sweepBatch)
      }
      guard let end = batch.last else { break }
      last = end.number
      total += batch.count
      for item in batch where !item.isReferenced && !kept.contains(item.number) {
        // A page that was asked for before the deletion must not bring the item back.
        if !item.isDeleted {
          spare.append((item.usedAt, item.number))
        } else if item.usedAt < oldest {
          doomed.append(item.number)
        }
      }
    }
    let excess = total - maxItems
    let wanted = excess - doomed.count
    if wanted > 0 {
      spare.sort { $0 < $1 }
      doomed += spare.prefix(wanted).map(\.number)
    }
    return (excess, doomed)
  }

  /// - Returns: How many of them were deleted; the others were needed by then.
  private func delete(_ items: [Int64]) async throws -> Int {
    var count = 0
    var rest = items[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = rest.prefix(Self.sweepBatch)
      rest = rest.dropFirst(batch.count)
      let kept = observed.names
      count += try commit { transaction, _ throws(ListStoreError) in
        var count = 0
        for item in batch where !kept.contains(item) {
          if try transaction.connection.sweeping.deleteUnreferenced(item) { count += 1 }
        }
        return count
      }
      await Task.yield()
    }
    return count
  }

  private func sweptLists() throws(ListStoreError) -> [ListName] {
    try database.read { connection throws(ListStoreError) in
      var names: [ListName] = []
      var last: Int64 = .min
      while true {
        let feeds = try connection.feeds.after(last, limit: Self.sweepBatch)
        guard let end = feeds.last else { return names }
        last = end.number
        for feed in feeds {
          if let kind = try connection.kinds.name(of: feed.kind) { names.append(ListName(kind: kind, name: feed.name)) }
        }
      }
    }
  }

  /// Gives up a window that no pager stands in.
  ///
  /// - Returns: The items that stood there.
  private func forgetWindow(_ name: ListName) throws(ListStoreError) -> [Int64] {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      guard !openWindows.names.contains(name), let list = try list(name, on: connection) else { return [] }
      let items = try connection.order(of: list.number).entries(in: .min ... .max, limit: .max).map(\.item)
      try forget(name, transaction, &change)
      return items
    }
  }

  /// Cuts the lowest piece off a list, at a joint of two pages, so that it can be asked for again. What is near its
  /// head or its saved place stays.
  ///
  /// - Returns: The items that stood there; nil: nothing can be cut off.
  private func cutTail(of name: ListName, keptRows: Int) throws(ListStoreError) -> [Int64]? {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      guard let list = try list(name, on: connection) else { return nil }
      let order = connection.order(of: list.number)
      guard let run = try order.runs().last, !run.isEmpty,
        let floor = try lowestKept(keptRows, of: list, in: order, named: name),
        let piece = try lowestPiece(of: run, below: floor, in: order)
      else { return nil }
      let items = try order.entries(in: piece.range, limit: .max).map(\.item)
      guard !items.isEmpty else { return nil }
      _ = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        // Nothing depends on how the order is known where a piece goes at a joint.
        try RunMerger(.cursor).evicted(
          piece.range, olderToken: piece.token, newerToken: nil, in: order, at: moment, numbers: &numbers)
      }
      try order.deleteCuts(in: piece.range.lowerBound...(piece.range.upperBound + 1))
      return items
    }
  }

  /// The position of the lowest row that has to stay.
  private func lowestKept(
    _ keptRows: Int, of list: ListRecord, in order: ListOrder, named name: ListName
  ) throws(ListStoreError) -> Position? {
    guard let top = try order.entries(in: .min...(list.shownPosition ?? .max), limit: 1).first else { return nil }
    var floor = try position(keptRows, below: top.position, in: order)
    guard let saved = try order.connection.places.place(Self.view(ofFeed: list.feed)),
      let kind = try order.connection.kinds.number(of: name.kind)
    else { return floor }
    let finder = PlaceFinder(list: list.number, epoch: list.epoch) { key throws(ListStoreError) in
      try order.connection.items.find(ItemKey(text: key), kind: kind)?.number
    }
    if let place = try finder.find(saved, in: order)?.entry.position {
      floor = min(floor, try position(keptRows, below: place, in: order))
    }
    return floor
  }

  private func position(_ rows: Int, below position: Position, in order: ListOrder) throws(ListStoreError) -> Position {
    try order.entries(in: .min...position, limit: rows).last?.position ?? position
  }

  /// The rows below the lowest joint of a run from which a token goes on, with that token.
  private func lowestPiece(
    of run: Run, below floor: Position, in order: ListOrder
  ) throws(ListStoreError) -> (range: ClosedRange<Position>, token: String?)? {
    if run.high < floor { return (run.low...run.high, nil) }
    let joints = try order.cuts(in: run.low...run.high, limit: .max)
    guard let joint = joints.last(where: { $0.position > run.low && $0.olderToken != nil }), joint.position <= floor
    else { return nil }
    return (run.low...(joint.position - 1), joint.olderToken)
  }
}
