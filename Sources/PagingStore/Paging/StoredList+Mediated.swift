extension StoredList: MediatedList {
  func facts() throws(ListStoreError) -> ListFacts {
    ListFacts(runs: try core.runs(of: id)?.runs ?? [])
  }

  func rows(at edge: EdgeName) throws(ListStoreError) -> EdgeRows<Item>? {
    guard let (rows, index) = try core.rows(at: edge, of: id, limit: 20) else { return nil }
    let items = rows.map { row in row.base.flatMap { try? coder.decode(Item.self, from: $0) } }
    // A neighbour that doesn't decode is left out; without the row at the edge there is nothing to go on from.
    guard items[index] != nil else { return nil }
    return EdgeRows(items.compactMap { $0 }, index: items[..<index].count { $0 != nil })
  }

  func depth(of item: Item.ID, limit: Int) throws(ListStoreError) -> Int? {
    try core.depth(of: try ItemKey(item), in: id, limit: limit)
  }

  func known(_ ids: [Item.ID]) throws(ListStoreError) -> Set<Item.ID> {
    var keys: [ItemKey: Item.ID] = [:]
    for item in ids { keys[try ItemKey(item)] = item }
    let known = try core.known(Array(keys.keys), in: id)
    return Set(known.compactMap { keys[$0] })
  }

  func shown() throws(ListStoreError) -> [Item.ID] {
    guard policy.order == .ranked(.excludingShown) else { return [] }
    var ids: [Item.ID] = []
    for key in try core.shown(by: id) { ids.append(try key.id(as: Item.ID.self)) }
    return ids
  }

  func request(at edge: EdgeName) throws(ListStoreError) -> ListRequest<Item>? {
    guard let (list, runs) = try core.runs(of: id), let place = runs.firstIndex(where: { $0.number == edge.run }) else {
      return nil
    }
    let kind: ListRequest<Item>.Kind
    switch edge.side {
    case .older where place == runs.count - 1: kind = .olderThanAll
    case .older: kind = .older(than: Gap(id: runs[place + 1].number, list: list, fillableSides: []))
    case .newer where place == 0: kind = .newerThanAll
    case .newer: kind = .newer(than: Gap(id: edge.run, list: list, fillableSides: []))
    }
    do throws(ListStoreError) {
      let request = try request(kind)
      return request.core.departure.run == edge.run ? request : nil
    } catch  where error.code == .notFound {
      return nil
    }
  }

  func merge(_ page: RemotePage<Item>, for request: ListRequest<Item>) throws(ListStoreError) -> MergeOutcome {
    let outcome = try apply(page, for: request)
    try noteShown(page.items)
    return outcome
  }

  func supplant(
    with page: RemotePage<Item>, for request: ListRequest<Item>
  ) throws(ListStoreError) -> MergeOutcome {
    guard case .ranked = policy.order.kind else { return try replace(with: page, for: request) }
    let outcome = try switchOver(to: page, for: request)
    try noteShown(page.items)
    return outcome
  }

  func supplant(withIDs ids: [Item.ID], for request: ListRequest<Item>) throws(ListStoreError) {
    var items: [StoreItem] = []
    items.reserveCapacity(ids.count)
    for id in ids { items.append(StoreItem(key: try ItemKey(id), blob: nil)) }
    _ = try core.replace(
      with: StorePage(items: items, reachedEnd: true), for: request.core, in: id, policy: policy)
  }

  func discard(below run: Int64) throws(ListStoreError) {
    try core.discard(below: run, in: id, policy: policy)
  }

  func refuse(_ request: ListRequest<Item>) throws(ListStoreError) {
    try core.refused(request.core, canRecover: true, in: id, policy: policy)
  }

  func kill(_ request: ListRequest<Item>) throws(ListStoreError) {
    try core.refused(request.core, canRecover: false, in: id, policy: policy)
  }

  func changeToken() throws(ListStoreError) -> String? { try core.changeToken(of: id) }

  func apply(_ changes: RemoteChanges<Item>) throws(ListStoreError) -> [Item] {
    var upserts: [(item: Item, stored: StoreItem)] = []
    for item in changes.upserts { upserts.append((item, try stored(item))) }
    var deletions: [ItemKey] = []
    for item in changes.deletions { deletions.append(try ItemKey(item)) }
    let missing = try core.changed(
      upserts.map(\.stored), deletions: deletions, token: changes.token, asked: changes.request.core, in: id,
      policy: policy)
    return upserts.filter { missing.contains($0.stored.key) }.map(\.item)
  }

  func aboveAll(_ items: [Item]) throws(ListStoreError) -> [Item] {
    guard policy.order == .keyed, let top = try core.topKey(of: id) else { return [] }
    var above: [ItemKey: (item: Item, bytes: SortBytes)] = [:]
    for item in items {
      let stored = try stored(item)
      if let bytes = stored.sortBytes, top < bytes { above[stored.key] = (item, bytes) }
    }
    return above.values.sorted { $1.bytes < $0.bytes }.map(\.item)
  }

  /// All items that are stored and shown, the newest first. Those that don't decode are left out.
  func allItems() throws(ListStoreError) -> [Item] {
    guard let window = try core.window(of: id, at: .head, before: 0, after: .max) else { return [] }
    return try rows(of: window).compactMap(\.item)
  }

  /// A list that shows nothing twice remembers what it shows.
  private func noteShown(_ items: [Item]) throws(ListStoreError) {
    guard policy.order == .ranked(.excludingShown), !items.isEmpty else { return }
    var keys: [ItemKey] = []
    for item in items { keys.append(try ItemKey(item.id)) }
    try core.show(keys, by: id)
  }
}

extension StoreCore {
  /// The sort key of a list's newest row; nil: there is none.
  fileprivate func topKey(of name: ListName) throws(ListStoreError) -> SortBytes? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      let order = connection.order(of: list.number)
      guard let head = try order.runs().first, !head.isEmpty else { return nil }
      return try order.entry(at: head.high)?.sortBytes
    }
  }
}
