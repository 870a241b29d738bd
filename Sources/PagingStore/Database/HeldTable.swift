/// Live items that wait until a head page says where they belong.
struct HeldTable {
  let connection: Connection

  /// How many there are, up to a limit.
  func count(in list: Int64, limit: Int) throws(ListStoreError) -> Int {
    try connection.first(Self.counted, list, limit) { row throws(ListStoreError) in try row.int(0) } ?? 0
  }

  /// Holds an item back. One that is held already keeps its turn, unless it is told to stand elsewhere now.
  func hold(
    _ item: Int64, sortBytes: SortBytes?, in list: Int64, arrival: Int64
  ) throws(ListStoreError) {
    try connection.run(Self.insertion, list, arrival, item, sortBytes)
  }

  /// An item is held no more in any list; answers the lists in which it was.
  func release(_ item: Int64) throws(ListStoreError) -> [Int64] {
    let lists = try connection.all(Self.listsOf, item) { row throws(ListStoreError) in try row.int64(0) }
    if !lists.isEmpty { try connection.run(Self.deletionOfItem, item) }
    return lists
  }

  private static let counted = SQL("SELECT count(*) FROM (SELECT 1 FROM held WHERE list_no = ? LIMIT ?)")
  private static let insertion = SQL(
    """
    INSERT INTO held (list_no, arrival, item_no, skey) VALUES (?, ?, ?, ?)
    ON CONFLICT (item_no, list_no) DO UPDATE SET arrival = excluded.arrival, skey = excluded.skey
    WHERE held.skey IS NOT excluded.skey
    """)
  private static let listsOf = SQL("SELECT list_no FROM held WHERE item_no = ?")
  private static let deletionOfItem = SQL("DELETE FROM held WHERE item_no = ?")
}

extension Connection {
  /// Live items that wait.
  var held: HeldTable { HeldTable(connection: self) }
}
