/// Items that were created here and that stand in no order yet: they follow the head run's newest row on screen.
struct SendingTable {
  let connection: Connection

  /// Those of a list, the first made first.
  func items(in list: Int64) throws(ListStoreError) -> [Int64] {
    try connection.all(Self.ofList, list) { row throws(ListStoreError) in try row.int64(0) }
  }

  /// The lists in which an item is being sent.
  func lists(of item: Int64) throws(ListStoreError) -> [Int64] {
    try connection.all(Self.ofItem, item) { row throws(ListStoreError) in try row.int64(0) }
  }

  func insert(
    _ item: Int64, in list: Int64, number: Int64
  ) throws(ListStoreError) {
    try connection.run(Self.insertion, list, number, item)
  }

  /// An item is no longer being sent, in any list; answers the lists in which it was.
  @discardableResult
  func remove(_ item: Int64) throws(ListStoreError) -> [Int64] {
    let lists = try lists(of: item)
    if !lists.isEmpty { try connection.run(Self.deletion, item) }
    return lists
  }

  /// A feed shows another order: what is being sent goes along.
  func move(from list: Int64, to other: Int64) throws(ListStoreError) {
    try connection.run(Self.moving, other, list)
  }

  /// An item has its place in a list's order now.
  func remove(_ item: Int64, in list: Int64) throws(ListStoreError) {
    try connection.run(Self.deletionInList, item, list)
  }

  private static let ofList = SQL("SELECT item_no FROM sending WHERE list_no = ? ORDER BY local_no")
  private static let moving = SQL("UPDATE sending SET list_no = ? WHERE list_no = ?")
  private static let ofItem = SQL("SELECT list_no FROM sending WHERE item_no = ?")
  private static let insertion = SQL("INSERT INTO sending (list_no, local_no, item_no) VALUES (?, ?, ?)")
  private static let deletion = SQL("DELETE FROM sending WHERE item_no = ?")
  private static let deletionInList = SQL("DELETE FROM sending WHERE item_no = ? AND list_no = ?")
}

extension Connection {
  /// Created items that stand in no order yet.
  var sending: SendingTable { SendingTable(connection: self) }
}
