@testable import PagingStore

/// What a list holds, with the server's numbers for its rows.
struct SeenList {
  struct Row: Hashable {
    var id: Int
    /// Where the list has it.
    var place: Int64
    var item: Int64
    var position: Position
  }
  var record: ListRecord?
  var rows: [Row] = []
  /// The order, whose items are places of the server.
  var order = ListedOrder()
  /// The same with IDs for items.
  var named: ListedOrder {
    var named = order
    for index in rows.indices { named.entries[index].item = Int64(rows[index].id) }
    return named
  }
  /// What is held, with its place.
  var heldItems: [(id: Int, place: Int64)] = []
  /// The places of what is held.
  var held: Set<Int64> { Set(heldItems.map(\.place)) }
  /// The window of the whole list.
  var window: Window?
  /// The IDs on screen, without those that are being sent.
  var shown: [Int] = []
  var sending: [Int] = []

  var positions: Set<Position> { Set(rows.map(\.position)) }

  func place(of id: Int) -> Int64? { rows.first { $0.id == id }?.place }

  /// The list in words, as of a merger's test.
  var text: String {
    var list = MergeList(.cursor)
    list.order = order
    return list.shown + (held.isEmpty ? "" : " held \(held.sorted())")
  }
}

/// One moment of the store.
struct StoreSight {
  struct Item {
    var number: Int64
    var base: ModelItem?
    var isDeleted: Bool
  }
  var sequence: Int64 = 0
  var items: [Int: Item] = [:]
  /// IDs by the items' numbers.
  var ids: [Int64: Int] = [:]
  var patches: [StoredPatch] = []
  var lists: [String: SeenList] = [:]
  var session: (number: Int64, previous: Int64?, ids: [Int], isOneRun: Bool)?
}

/// Reads all of a store; what it decoded before it knows.
final class StoreReader {
  private static let allItems = SQL(
    """
    SELECT item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at FROM item WHERE item_no > ?
    """)
  private var decoded: [[UInt8]: ModelItem] = [:]
  private var last: StoreSight?
  private weak var lastStore: StoreCore?

  func decode(_ bytes: [UInt8]) throws(ListStoreError) -> ModelItem {
    if let item = decoded[bytes] { return item }
    let item = try ItemCoder.json.decode(ModelItem.self, from: bytes)
    decoded[bytes] = item
    return item
  }

  func read(_ model: StoreModel) throws -> StoreSight {
    let core = model.store.core
    let sequence = try core.database.read { connection throws(ListStoreError) in
      try WriteTransaction.lastSequence(connection)
    }
    if let last, lastStore === core, last.sequence == sequence { return last }
    var sight = try core.database.read { connection throws(ListStoreError) in
      var sight = StoreSight(sequence: sequence)
      for record in try connection.all(
        Self.allItems, Int64(0),
        read: { row throws(ListStoreError) in
          try ItemTable.record(row)
        })
      {
        guard let id = Int(record.key.text) else { continue }
        sight.ids[record.number] = id
        var base: ModelItem?
        if let bytes = record.base { base = try decode(bytes) }
        sight.items[id] = StoreSight.Item(
          number: record.number, base: base, isDeleted: record.deletedSequence != nil)
      }
      sight.patches = try connection.patches.patches()
      for list in model.lists {
        sight.lists[list.name] = try Self.seen(list, sight.ids, model.places, core, connection)
      }
      if let feed = try core.feed(model.session.list.id, on: connection), let current = feed.current {
        let order = connection.order(of: current)
        let rows = try order.entries(in: .min ... .max, limit: .max)
        sight.session = (current, feed.previous, rows.compactMap { sight.ids[$0.item] }, try order.runs().count <= 1)
      }
      return sight
    }
    for list in model.lists {
      guard var seen = sight.lists[list.name] else { continue }
      seen.window = try core.window(of: list.list.id, at: .head, before: 100, after: 10_000)
      let positions = Set(seen.rows.map(\.position))
      for row in seen.window?.rows ?? [] {
        let id = sight.ids[row.item] ?? 0
        if positions.contains(row.position) { seen.shown.append(id) } else { seen.sending.append(id) }
      }
      sight.lists[list.name] = seen
    }
    (last, lastStore) = (sight, core)
    return sight
  }

  private static func seen(
    _ list: ModelList, _ ids: [Int64: Int], _ places: [SortBytes: Int64], _ core: StoreCore, _ connection: Connection
  ) throws(ListStoreError) -> SeenList {
    var seen = SeenList()
    guard let record = try core.list(list.list.id, on: connection) else { return seen }
    let order = connection.order(of: record.number)
    seen.record = record
    func place(_ item: Int64, _ key: SortBytes?) -> Int64 {
      key.flatMap { places[$0] } ?? Int64(ids[item] ?? -1)
    }
    for entry in try order.entries(in: .min ... .max, limit: .max) {
      let row = SeenList.Row(
        id: ids[entry.item] ?? -1, place: place(entry.item, entry.sortBytes), item: entry.item,
        position: entry.position)
      seen.rows.append(row)
      var listed = entry
      listed.item = row.place
      seen.order.entries.append(listed)
    }
    seen.order.stored = try order.runs()
    for cut in try order.cuts(in: .min ... .max, limit: .max) {
      seen.order.cuts[cut.position] = (cut.olderToken, cut.newerToken)
    }
    for held in try connection.heldItems(of: record.number) {
      seen.heldItems.append((ids[held.item.item] ?? -1, place(held.item.item, held.item.sortBytes)))
    }
    seen.order.epoch = record.epoch
    seen.order.headSequence = record.headSequence
    return seen
  }
}
