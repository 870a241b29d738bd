/// An item as it is stored, without the edits over it.
struct ItemRecord: Hashable, Sendable {
  /// Its number in the store, which is also the identity of its row on screen.
  var number: Int64
  /// The number of its type.
  var kind: Int64
  /// Its ID.
  var key: ItemKey
  /// What the server last said, encoded; nil: known only by its ID.
  var base: [UInt8]?
  /// The server's version of that.
  var version: Int64?
  /// The sequence number at which the request left that brought it.
  var baseSequence: Int64 = 0
  /// When it became known that the server deleted it; nil: it didn't.
  var deletedSequence: Int64?
  /// When its last copy came, or that it was deleted, in milliseconds since 1970.
  var usedAt: Int64 = 0
}

/// The items, each once, and the other IDs that they go by.
struct ItemTable {
  let connection: Connection

  private static let byKey = SQL(
    """
    SELECT item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at FROM item
    WHERE kind_no = ? AND item_id = ?
    """)
  private static let byNumber = SQL(
    """
    SELECT item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at FROM item WHERE item_no = ?
    """)
  private static let anyAlias = SQL("SELECT 1 FROM alias WHERE kind_no >= 0 LIMIT 1")
  private static let byAlias = SQL("SELECT item_no FROM alias WHERE kind_no = ? AND alias_id = ?")
  private static let insert = SQL(
    """
    INSERT INTO item (item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let insertIfNew = SQL(
    """
    INSERT INTO item (item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind_no, item_id) DO NOTHING
    """)
  private static let update = SQL(
    """
    UPDATE item SET kind_no = ?, item_id = ?, base = ?, base_ver = ?, base_seq = ?, deleted_seq = ?, used_at = ?
    WHERE item_no = ?
    """)
  private static let updateContents = SQL(
    "UPDATE item SET base = ?, base_ver = ?, base_seq = ?, deleted_seq = ?, used_at = ? WHERE item_no = ?")
  private static let delete = SQL("DELETE FROM item WHERE item_no = ?")
  private static let addAlias = SQL(
    """
    INSERT INTO alias (kind_no, alias_id, item_no) VALUES (?, ?, ?)
    ON CONFLICT (kind_no, alias_id) DO UPDATE SET item_no = excluded.item_no
    """)
  private static let aliasesOf = SQL("SELECT alias_id FROM alias WHERE item_no = ? ORDER BY kind_no, alias_id")
  private static let moveAliases = SQL("UPDATE alias SET item_no = ? WHERE item_no = ?")
  private static let deleteAliases = SQL("DELETE FROM alias WHERE item_no = ?")

  /// The item with an ID, or that goes by it as an alias; nil: there is none. Deleted ones are found too.
  ///
  /// - Parameter orByAlias: Whether there can be aliases at all; see ``hasAliases``.
  func find(_ key: ItemKey, kind: Int64, orByAlias: Bool = true) throws(ListStoreError) -> ItemRecord? {
    if let record = try connection.first(Self.byKey, kind, key.text, read: Self.record) { return record }
    guard orByAlias, let number = try target(ofAlias: key, kind: kind) else { return nil }
    return try find(number)
  }

  /// Whether any item goes by another ID: mostly none does, and nobody has to look. A few microseconds.
  var hasAliases: Bool {
    get throws(ListStoreError) { try connection.has(Self.anyAlias) }
  }

  /// The item with a number.
  func find(_ number: Int64) throws(ListStoreError) -> ItemRecord? {
    try connection.first(Self.byNumber, number, read: Self.record)
  }

  /// The number of the item that goes by another ID; nil: none does.
  func target(ofAlias key: ItemKey, kind: Int64) throws(ListStoreError) -> Int64? {
    try connection.first(Self.byAlias, kind, key.text) { row throws(ListStoreError) in try row.int64(0) }
  }

  /// Stores an item under a number that was drawn for it. Another item with that ID is a fault.
  func insert(_ item: ItemRecord) throws(ListStoreError) {
    _ = try insert(item, Self.insert)
  }

  /// Stores an item under a number that was drawn for it, unless there is one with that ID; answers whether it did.
  /// Looks for no alias.
  func insertIfNew(_ item: ItemRecord) throws(ListStoreError) -> Bool {
    try insert(item, Self.insertIfNew) > 0
  }

  private func insert(_ item: ItemRecord, _ statement: SQL) throws(ListStoreError) -> Int {
    try connection.run(
      statement, item.number, item.kind, item.key.text, item.base, item.version, item.baseSequence,
      item.deletedSequence, item.usedAt)
  }

  /// Writes everything of an item that is stored.
  func update(_ item: ItemRecord) throws(ListStoreError) {
    let count = try connection.run(
      Self.update, item.kind, item.key.text, item.base, item.version, item.baseSequence, item.deletedSequence,
      item.usedAt,
      item.number)
    guard count == 1 else { throw Self.missing(item.number) }
  }

  /// Writes what a copy from the server changes: everything but the item's kind and ID, whose index is left alone.
  func updateContents(of item: ItemRecord) throws(ListStoreError) {
    let count = try connection.run(
      Self.updateContents, item.base, item.version, item.baseSequence, item.deletedSequence, item.usedAt, item.number)
    guard count == 1 else { throw Self.missing(item.number) }
  }

  /// Deletes an item with its aliases. Rows, edits and the like that refer to it must be gone before.
  func delete(_ number: Int64) throws(ListStoreError) {
    try connection.run(Self.deleteAliases, number)
    try connection.run(Self.delete, number)
  }

  /// Lets an item go by another ID as well.
  func addAlias(_ key: ItemKey, kind: Int64, to number: Int64) throws(ListStoreError) {
    try connection.run(Self.addAlias, kind, key.text, number)
  }

  /// The other IDs of an item.
  func aliases(of number: Int64) throws(ListStoreError) -> [ItemKey] {
    try connection.all(Self.aliasesOf, number) { row throws(ListStoreError) in ItemKey(text: try row.text(0)) }
  }

  /// What went to one item by another ID goes to another item from now on.
  func moveAliases(from old: Int64, to new: Int64) throws(ListStoreError) {
    try connection.run(Self.moveAliases, new, old)
  }

  private static func missing(_ number: Int64) -> ListStoreError {
    ListStoreError(.notFound, message: "The store has no item with number \(number).")
  }

  /// The row of a statement that reads all columns in the order of the table.
  static func record(_ row: Row) throws(ListStoreError) -> ItemRecord {
    ItemRecord(
      number: try row.int64(0), kind: try row.int64(1), key: ItemKey(text: try row.text(2)),
      base: try row.optionalBlob(3),
      version: try row.optionalInt64(4), baseSequence: try row.int64(5), deletedSequence: try row.optionalInt64(6),
      usedAt: try row.int64(7))
  }
}

extension Connection {
  /// The items, each once.
  var items: ItemTable { ItemTable(connection: self) }
}
