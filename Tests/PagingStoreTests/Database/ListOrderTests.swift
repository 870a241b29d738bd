import Testing

@testable import PagingStore

/// One list of a store in memory, for tests of its order.
struct OrderBench {
  let database: Database
  let list: Int64
  let kind: Int64

  init(_ database: Database) throws {
    self.database = database
    (list, kind) = try database.write { transaction throws(ListStoreError) in
      let kind = try transaction.connection.kinds.add("Post")
      let feed = FeedRecord(number: transaction.draw(), kind: kind, name: "home")
      try transaction.connection.feeds.insert(feed)
      let list = ListRecord(number: transaction.draw(), feed: feed.number)
      try transaction.connection.lists.insert(list)
      return (list.number, kind)
    }
  }

  func apply(_ writes: [OrderWrite]) throws {
    try database.write { transaction throws(ListStoreError) in
      for case .insert(let entry) in writes {
        guard try transaction.connection.items.find(entry.item) == nil else { continue }
        try transaction.connection.items.insert(
          ItemRecord(number: entry.item, kind: kind, key: ItemKey(text: "\(entry.item)")))
      }
      try transaction.connection.order(of: list).apply(writes)
    }
  }

  func read<R>(_ body: (ListOrder) throws(ListStoreError) -> R) throws -> R {
    try database.read { connection throws(ListStoreError) in try body(connection.order(of: list)) }
  }

  static func run(_ number: Int64, _ high: Position, _ low: Position) -> Run {
    Run(
      number: number, high: high, low: low, newer: RunEdge(state: .open, token: "n", generation: 1),
      older: RunEdge(state: .open, token: nil, generation: 2, failures: 2))
  }
}

@Suite struct ListOrderTests {
  private func entry(_ position: Position, item: Int64? = nil, key: Int64? = nil) -> Entry {
    let item = item ?? position
    return Entry(
      position: position, item: item,
      sortBytes: key.map { SortBytes(ListSortKey($0), tieBreak: ItemKey(text: "\(item)")) },
      placed: 5)
  }

  @Test func whatIsWrittenIsRead() throws {
    let bench = try OrderBench(.inMemory())
    let entries = [entry(30, key: 3), entry(20, key: 2), entry(10)]
    let run = OrderBench.run(9, 30, 10)
    try bench.apply(
      entries.map { .insert($0) } + [.putRun(run), .putCut(position: 20, olderToken: "o", newerToken: nil)])
    try bench.read { order throws(ListStoreError) in
      #expect(try order.runs() == [run])
      #expect(try order.entries(in: 10...30, limit: 9) == entries)
      #expect(try order.entries(in: 11...29, limit: 9) == [entries[1]])
      #expect(try order.entries(in: 10...30, limit: 2) == Array(entries.prefix(2)))
      #expect(try order.entry(of: 20) == entries[1])
      #expect(try order.entry(of: 99) == nil)
      #expect(try order.entry(at: 10) == entries[2])
      #expect(try order.entry(at: 11) == nil)
      #expect(try order.entry(above: 10)?.position == 20)
      #expect(try order.entry(above: 30) == nil)
      #expect(try order.entry(below: 30)?.position == 20)
      #expect(try order.entry(below: 10) == nil)
      #expect(try order.entry(newerThan: SortBytes(2, tieBreak: ItemKey(text: "20")))?.position == 30)
      #expect(try order.entry(newerThan: SortBytes(2, tieBreak: ItemKey(text: "1")))?.position == 20)
      #expect(try order.entry(olderThan: SortBytes(2, tieBreak: ItemKey(text: "20"))) == nil)
      #expect(try order.entry(olderThan: SortBytes(9, tieBreak: ItemKey(text: "1")))?.position == 30)
      #expect(try order.count(above: 10, limit: 5) == 2)
      #expect(try order.count(above: 0, limit: 2) == 2)
      #expect(try order.cuts(in: 0...99, limit: 9) == [ListOrder.Cut(position: 20, olderToken: "o", newerToken: nil)])
      #expect(try ListOrder.places(of: 20, on: order.connection).map(\.position) == [20])
    }
    try bench.apply([.remove(position: 20), .move(from: 10, to: 40, placed: 8), .setSortBytes(position: 30, nil)])
    try bench.read { order throws(ListStoreError) in
      #expect(try order.entries(in: 0...99, limit: 9).map(\.position) == [40, 30])
      #expect(try order.entry(at: 40)?.placed == 8)
      #expect(try order.entry(at: 30)?.sortBytes == nil)
    }
    var changed = run
    changed.high = 40
    changed.older.state = .dead
    try bench.apply([.putRun(changed), .setHeadSequence(7)])
    #expect(try bench.read { order throws(ListStoreError) in try order.runs() } == [changed])
    try bench.apply([.clear])
    try bench.read { order throws(ListStoreError) in
      #expect(try order.runs().isEmpty)
      #expect(try order.entries(in: .min ... .max, limit: 9).isEmpty)
      #expect(try order.cuts(in: .min ... .max, limit: 9).isEmpty)
      let list = try order.connection.lists.find(order.list)
      #expect(list?.epoch == 1)
      #expect(list?.headSequence == 7)
    }
  }

  @Test func INV1_aPositionAndAnItemAreInAListOnce() throws {
    let bench = try OrderBench(.inMemory())
    try bench.apply([.insert(entry(30)), .putRun(OrderBench.run(9, 30, 30))])
    for second in [entry(30, item: 31), entry(40, item: 30)] {
      let error = #expect(throws: ListStoreError.self) { try bench.apply([.insert(entry(50)), .insert(second)]) }
      #expect(error?.code == .internalFault)
    }
    #expect(throws: ListStoreError.self) {
      try bench.apply([.insert(entry(50)), .move(from: 50, to: 30, placed: 1)])
    }
    let rows = try bench.read { order throws(ListStoreError) in try order.entries(in: 0...99, limit: 9) }
    #expect(rows == [entry(30)], "A plan that fails leaves nothing behind.")
  }

  @Test func INV1_anIDIsOneItemAndAnAliasLeadsToIt() throws {
    let database = try Database.inMemory()
    try database.write { transaction throws(ListStoreError) in
      let items = transaction.connection.items
      try items.insert(ItemRecord(number: 1, kind: 1, key: ItemKey(text: "server")))
      try items.insert(ItemRecord(number: 2, kind: 2, key: ItemKey(text: "server")))
      try items.addAlias(ItemKey(text: "local"), kind: 1, to: 1)
      #expect(try items.find(ItemKey(text: "local"), kind: 1)?.number == 1)
      #expect(try items.find(ItemKey(text: "local"), kind: 2) == nil)
      #expect(try items.find(ItemKey(text: "server"), kind: 2)?.number == 2)
      #expect(try items.aliases(of: 1) == [ItemKey(text: "local")])
    }
    let error = #expect(throws: ListStoreError.self) {
      try database.write { transaction throws(ListStoreError) in
        try transaction.connection.items.insert(ItemRecord(number: 3, kind: 1, key: ItemKey(text: "server")))
      }
    }
    #expect(error?.code == .internalFault)
  }

  @Test func INV9_noRowRefersToAMissingItem() throws {
    let bench = try OrderBench(.inMemory())
    try bench.apply([.insert(entry(30)), .putRun(OrderBench.run(9, 30, 30))])
    let deletion = #expect(throws: ListStoreError.self) {
      try bench.database.write { transaction throws(ListStoreError) in try transaction.connection.items.delete(30) }
    }
    #expect(deletion?.code == .internalFault)
    let insertion = #expect(throws: ListStoreError.self) {
      try bench.database.write { transaction throws(ListStoreError) in
        try transaction.connection.order(of: bench.list).apply([.insert(entry(77))])
      }
    }
    #expect(insertion?.code == .internalFault)
  }

  @Test func aPlanThatDoesNotFitIsUndone() throws {
    let misfits: [OrderWrite] = [
      .remove(position: 1), .move(from: 1, to: 2, placed: 1), .setSortBytes(position: 1, nil), .deleteRun(number: 1),
    ]
    let bench = try OrderBench(.inMemory())
    for write in misfits {
      let error = #expect(throws: ListStoreError.self) { try bench.apply([.insert(entry(30)), write]) }
      #expect(error?.code == .internalFault)
    }
    #expect(try bench.read { order throws(ListStoreError) in try order.entries(in: 0...99, limit: 9) }.isEmpty)
  }

  @Test func B29_renumberingKeepsTheOrderAndEverythingThatNamesAPosition() throws {
    let bench = try OrderBench(.inMemory())
    // Two runs without any room, and a joint below a row that is gone since.
    let positions: [Position] = [12, 11, 10, 9, 6, 5, 4]
    try bench.apply(
      positions.map { .insert(entry($0, key: $0)) } + [
        .putRun(OrderBench.run(100, 12, 9)), .putRun(OrderBench.run(101, 6, 4)),
        .putCut(position: 10, olderToken: "kept", newerToken: nil),
        .putCut(position: 8, olderToken: "moved", newerToken: nil),
        .putCut(position: 13, olderToken: "none above", newerToken: nil),
      ])
    let place = SQL(
      "INSERT INTO place (view, feed_no, list_no, epoch, item_id, pos, saved_at) VALUES (?, 1, ?, 0, '11', ?, 0)")
    try bench.database.write { transaction throws(ListStoreError) in
      try transaction.connection.lists.setShown(10, of: bench.list)
      try transaction.connection.run(place, "exact", bench.list, 11)
      try transaction.connection.run(place, "gone", bench.list, 8)
      try transaction.connection.run(place, "elsewhere", bench.list + 1, 8)
    }
    try bench.apply([.renumber])
    try bench.read { order throws(ListStoreError) in
      let rows = try order.entries(in: .min ... .max, limit: 99)
      #expect(rows.map(\.item) == positions)
      #expect(rows.allSatisfy { $0.placed == 5 && $0.sortBytes == entry($0.item, key: $0.item).sortBytes })
      let gaps = zip(rows, rows.dropFirst()).map { $0.position - $1.position }
      #expect(gaps == [Spread.stride, Spread.stride, Spread.stride, Spread.gap, Spread.stride, Spread.stride])
      let at = Dictionary(uniqueKeysWithValues: rows.map { ($0.item, $0.position) })
      let runs = try order.runs()
      #expect(runs.map(\.number) == [100, 101])
      #expect(runs.map(\.high) == [at[12], at[6]] && runs.map(\.low) == [at[9], at[4]])
      #expect(runs[0].older == OrderBench.run(100, 0, 0).older)
      let cuts = try order.cuts(in: .min ... .max, limit: 9)
      #expect(cuts.map(\.olderToken) == ["kept", "moved"])
      #expect(cuts.map(\.position) == [at[10], at[9]])
      #expect(try order.connection.lists.find(bench.list)?.shownPosition == at[10])
      let places = SQL("SELECT pos FROM place ORDER BY view")
      let saved = try order.connection.all(places) { row throws(ListStoreError) in try row.int64(0) }
      #expect(saved == [8, at[11], at[6]])
    }
  }

  @Test func deletingAListLeavesItsItemsAndOtherListsAlone() throws {
    let database = try Database.inMemory()
    let lists = try StoreSample.fill(database)
    let other = try StoreSample.keys(of: lists[1], in: database)
    try database.write { transaction throws(ListStoreError) in try transaction.connection.lists.delete(lists[0]) }
    #expect(try StoreSample.keys(of: lists[0], in: database).isEmpty)
    #expect(try StoreSample.keys(of: lists[1], in: database) == other)
    try database.read { connection throws(ListStoreError) in
      #expect(try connection.lists.find(lists[0]) == nil)
      #expect(try connection.items.find(ItemKey(text: "0-0-0"), kind: 1) != nil)
    }
    #expect(try database.problems().isEmpty)
  }
}
