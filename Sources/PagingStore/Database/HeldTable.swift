/// Live items that wait until a head page says where they belong.
enum HeldTable {
  /// One of them.
  struct Held: Hashable, Sendable {
    /// The item's number.
    var item: Int64
    /// Its place in a list with keys.
    var sortBytes: SortBytes?
  }

  /// Those of a list in the order in which they came; at most `limit`.
  static func items(in list: Int64, limit: Int = .max, _ connection: Connection) throws(ListStoreError) -> [Held] {
    try connection.all(ofList, list, limit) { row throws(ListStoreError) in
      Held(item: try row.int64(0), sortBytes: try row.optionalSortBytes(1))
    }
  }

  /// How many there are, up to a limit.
  static func count(in list: Int64, limit: Int, _ connection: Connection) throws(ListStoreError) -> Int {
    try connection.first(counted, list, limit) { row throws(ListStoreError) in try row.int(0) } ?? 0
  }

  /// Holds an item back; one that is held already stays where it is.
  static func hold(
    _ item: Int64, sortBytes: SortBytes?, in list: Int64, arrival: Int64, _ connection: Connection
  ) throws(ListStoreError) {
    try connection.run(insertion, list, arrival, item, sortBytes)
  }

  /// An item is held no more; answers whether it was.
  @discardableResult
  static func release(_ item: Int64, in list: Int64, _ connection: Connection) throws(ListStoreError) -> Bool {
    try connection.run(deletion, item, list) > 0
  }

  /// An item is held no more in any list; answers the lists in which it was.
  static func release(_ item: Int64, _ connection: Connection) throws(ListStoreError) -> [Int64] {
    let lists = try connection.all(listsOf, item) { row throws(ListStoreError) in try row.int64(0) }
    if !lists.isEmpty { try connection.run(deletionOfItem, item) }
    return lists
  }

  /// Nothing of a list is held any more.
  static func clear(_ list: Int64, _ connection: Connection) throws(ListStoreError) {
    try connection.run(clearing, list)
  }

  private static let ofList = SQL("SELECT item_no, skey FROM held WHERE list_no = ? ORDER BY arrival LIMIT ?")
  private static let counted = SQL("SELECT count(*) FROM (SELECT 1 FROM held WHERE list_no = ? LIMIT ?)")
  private static let insertion = SQL(
    "INSERT OR IGNORE INTO held (list_no, arrival, item_no, skey) VALUES (?, ?, ?, ?)")
  private static let deletion = SQL("DELETE FROM held WHERE item_no = ? AND list_no = ?")
  private static let listsOf = SQL("SELECT list_no FROM held WHERE item_no = ?")
  private static let deletionOfItem = SQL("DELETE FROM held WHERE item_no = ?")
  private static let clearing = SQL("DELETE FROM held WHERE list_no = ?")
}
