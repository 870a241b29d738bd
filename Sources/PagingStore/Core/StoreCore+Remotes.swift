// What those who ask a list's remote read and write besides requests and answers.
extension StoreCore {
  /// The number of the order that a list shows, and its runs, the newest first; nil: nothing was stored for it yet.
  func runs(of name: ListName) throws(ListStoreError) -> (list: Int64, runs: [Run])? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      return (list.number, try connection.order(of: list.number).runs())
    }
  }

  /// The rows at an edge, inside its run, the newest first, and which of them is at the edge.
  ///
  /// - Parameter limit: How many more than that one, at most.
  func rows(
    at edge: EdgeName, of name: ListName, limit: Int
  ) throws(ListStoreError) -> (rows: [StoredRow], index: Int)? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      let order = connection.order(of: list.number)
      guard let run = try order.runs().first(where: { $0.number == edge.run }), !run.isEmpty else { return nil }
      let window =
        edge.side == .older
        ? try order.window(at: run.low, newer: limit, older: 1)
        : try order.window(at: run.high, newer: 0, older: limit + 1)
      let rows = window.rows.filter { (run.low...run.high).contains($0.position) }
      let position = edge.side == .older ? run.low : run.high
      return rows.firstIndex { $0.position == position }.map { (rows, $0) }
    }
  }

  /// How many rows stand above an item in a list, counted up to `limit`; nil: it is no row of it.
  func depth(of key: ItemKey, in name: ListName, limit: Int) throws(ListStoreError) -> Int? {
    try database.read { connection throws(ListStoreError) in
      guard let (order, entry) = try entry(of: key, in: name, on: connection) else { return nil }
      return try order.count(above: entry.position, limit: limit)
    }
  }

  /// The number of an item, and where it stands in a list; nil: it is no row of it.
  func place(of key: ItemKey, in name: ListName) throws(ListStoreError) -> (item: Int64, position: Position)? {
    try database.read { connection throws(ListStoreError) in
      try entry(of: key, in: name, on: connection).map { ($0.entry.item, $0.entry.position) }
    }
  }

  /// Which of these items are rows of a list, or were shown by it where it remembers that.
  func known(_ keys: [ItemKey], in name: ListName) throws(ListStoreError) -> Set<ItemKey> {
    try database.read { connection throws(ListStoreError) in
      guard let feed = try feed(name, on: connection) else { return [] }
      var known: Set<ItemKey> = []
      for key in keys {
        let wasShown = try connection.seen.contains(key.text, feed: feed.number)
        let entry = try entry(of: key, in: name, on: connection)
        if wasShown || entry != nil { known.insert(key) }
      }
      return known
    }
  }

  /// What a ranked list has shown, the latest last.
  func shown(by name: ListName) throws(ListStoreError) -> [ItemKey] {
    try database.read { connection throws(ListStoreError) in
      guard let feed = try feed(name, on: connection) else { return [] }
      return try connection.seen.newest(SeenTable.capacity, feed: feed.number).reversed().map { ItemKey(text: $0) }
    }
  }

  /// Notes what a ranked list shows from now on.
  func show(_ keys: [ItemKey], by name: ListName) throws(ListStoreError) {
    try commit { transaction, _ throws(ListStoreError) in
      let list = try openList(name, in: transaction)
      try transaction.connection.seen.note(keys.map(\.text), feed: list.feed) { transaction.draw() }
    }
  }

  /// A number for an item that is known by its ID only, so that a place in a list can name it before it comes.
  func reserve(_ key: ItemKey, kind: String) throws(ListStoreError) -> Int64 {
    if let number = try number(of: key, kind: kind) { return number }
    return try commit { transaction, _ throws(ListStoreError) in
      let items = transaction.connection.items
      let kind = try transaction.connection.kinds.add(kind)
      if let known = try items.find(key, kind: kind) { return known.number }
      let number = transaction.draw()
      try items.insert(ItemRecord(number: number, kind: kind, key: key, usedAt: milliseconds))
      return number
    }
  }

  /// The remote refused the token that a request was made with. It isn't used again; nothing happens where the edge has
  /// changed.
  ///
  /// - Parameter canRecover: Whether there is another way on; otherwise the edge is dead.
  func refused(
    _ request: StoreRequest, canRecover: Bool, in name: ListName, policy: ListPolicy
  ) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      guard let list = try list(name, on: transaction.connection), list.number == request.departure.list else { return }
      _ = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        try RunMerger(policy.order.rule).tokenRejected(
          for: request.departure, canRecover: canRecover, in: order, at: moment, numbers: &numbers)
      }
    }
  }

  /// Drops all runs below one. Their items stay stored.
  func discard(below run: Int64, in name: ListName, policy: ListPolicy) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      guard let list = try list(name, on: transaction.connection) else { return }
      let runs = try transaction.connection.order(of: list.number).runs()
      guard let upper = runs.firstIndex(where: { $0.number == run }) else { return }
      for lower in runs[(upper + 1)...] where !lower.isEmpty {
        _ = try reorder(list, named: name, in: transaction, change: &change) {
          order, moment, numbers throws(ListStoreError) in
          try RunMerger(policy.order.rule).evicted(
            lower.low...lower.high, in: order, at: moment, numbers: &numbers)
        }
      }
    }
  }

  /// Where an item stands in the order that a list shows.
  func entry(
    of key: ItemKey, in name: ListName, on connection: Connection
  ) throws(ListStoreError) -> (order: ListOrder, entry: Entry)? {
    guard let list = try list(name, on: connection), let kind = try connection.kinds.number(of: name.kind),
      let item = try connection.items.find(key, kind: kind)
    else { return nil }
    let order = connection.order(of: list.number)
    return try order.entry(of: item.number).map { (order, $0) }
  }
}

extension StoreCore {
  /// Gives up a list with all its orders. Items stay.
  func forget(_ name: ListName) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in try forget(name, transaction, &change) }
  }

  /// The same within a transaction.
  func forget(
    _ name: ListName, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) {
    let connection = transaction.connection
    guard let feed = try feed(name, on: connection) else { return }
    for list in try connection.lists.all(ofFeed: feed.number) { try connection.lists.delete(list.number) }
    try connection.feeds.delete(feed.number)
    change.switched.insert(name)
  }
}
