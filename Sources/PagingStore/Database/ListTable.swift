/// One stored order of rows.
struct ListRecord: Hashable, Sendable {
  /// What an order is for.
  enum Role: Int64, Sendable {
    /// The order that its feed shows, showed, or will show.
    case main = 0
    /// A window that touches nothing of its feed's order, until it does.
    case detached = 1
    /// A session that is being built beside the one on screen.
    case building = 2
  }

  /// Its number; never used twice.
  var number: Int64
  /// The feed that it is of.
  var feed: Int64
  /// What it is for.
  var role: Role = .main
  /// The server's name for its session.
  var session: String?
  /// When the session ends, in milliseconds since 1970.
  var sessionUntil: Int64?
  /// How often it was emptied.
  var epoch: Int64 = 0
  /// Rises with every change that can be seen.
  var version: Int64 = 0
  /// The sequence number at which the last applied head request left.
  var headSequence: Int64 = 0
  /// The server's event position of that answer, where it says.
  var headAsOf: Int64?
  /// Rows above it are stored but not shown; nil: all are.
  var shownPosition: Position?
  /// How many newer rows the server said there are.
  var newerHint: Int64?
  /// How many rows the server said there are in all.
  var total: Int64?
  /// Answers in a row that contradicted the order.
  var conflicts: Int64 = 0
  /// When it was made, in milliseconds since 1970.
  var madeAt: Int64 = 0
}

/// The stored orders; ``ListOrder`` has the rows of one.
struct ListTable {
  let connection: Connection

  private static let byNumber = SQL(
    """
    SELECT list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof, shown_pos, hint_new,
      total, conflicts, made_at FROM list WHERE list_no = ?
    """)
  private static let ofFeed = SQL(
    """
    SELECT list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof, shown_pos, hint_new,
      total, conflicts, made_at FROM list WHERE feed_no = ? ORDER BY list_no
    """)
  private static let insert = SQL(
    """
    INSERT INTO list (list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof, shown_pos,
      hint_new, total, conflicts, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let update = SQL(
    """
    UPDATE list SET feed_no = ?, role = ?, session = ?, session_until = ?, epoch = ?, version = ?, head_seq = ?,
      head_asof = ?, shown_pos = ?, hint_new = ?, total = ?, conflicts = ?, made_at = ? WHERE list_no = ?
    """)
  private static let bump = SQL("UPDATE list SET version = version + 1 WHERE list_no = ?")
  private static let show = SQL("UPDATE list SET shown_pos = ? WHERE list_no = ?")
  private static let hint = SQL("UPDATE list SET hint_new = ? WHERE list_no = ?")
  private static let delete = SQL("DELETE FROM list WHERE list_no = ?")
  private static let deleteHeld = SQL("DELETE FROM held WHERE list_no = ?")
  private static let deleteSending = SQL("DELETE FROM sending WHERE list_no = ?")

  /// The order with a number; nil: it is gone.
  func find(_ number: Int64) throws(ListStoreError) -> ListRecord? {
    try connection.first(Self.byNumber, number, read: Self.record)
  }

  /// All orders of a feed, the oldest first.
  func all(ofFeed feed: Int64) throws(ListStoreError) -> [ListRecord] {
    try connection.all(Self.ofFeed, feed, read: Self.record)
  }

  /// Stores an order under a number that was drawn for it.
  func insert(_ list: ListRecord) throws(ListStoreError) {
    try connection.run(
      Self.insert, list.number, list.feed, list.role.rawValue, list.session, list.sessionUntil, list.epoch,
      list.version,
      list.headSequence, list.headAsOf, list.shownPosition, list.newerHint, list.total, list.conflicts, list.madeAt)
  }

  /// Writes everything of an order that is stored.
  func update(_ list: ListRecord) throws(ListStoreError) {
    let count = try connection.run(
      Self.update, list.feed, list.role.rawValue, list.session, list.sessionUntil, list.epoch, list.version,
      list.headSequence, list.headAsOf, list.shownPosition, list.newerHint, list.total, list.conflicts, list.madeAt,
      list.number)
    guard count == 1 else {
      throw ListStoreError(.notFound, message: "The store has no list with number \(list.number).")
    }
  }

  /// Notes a change that can be seen.
  func bumpVersion(_ list: Int64) throws(ListStoreError) {
    try connection.run(Self.bump, list)
  }

  /// Rows above a position aren't shown; nil: all are.
  func setShown(_ position: Position?, of list: Int64) throws(ListStoreError) {
    try connection.run(Self.show, position, list)
  }

  /// How many newer rows the server said there are.
  func setNewerHint(_ count: Int64?, of list: Int64) throws(ListStoreError) {
    try connection.run(Self.hint, count, list)
  }

  /// Deletes an order with its rows, runs and joints, and what is held or sending for it. Items stay.
  func delete(_ list: Int64) throws(ListStoreError) {
    try ListOrder(connection: connection, list: list).empty()
    try connection.run(Self.deleteHeld, list)
    try connection.run(Self.deleteSending, list)
    try connection.run(Self.delete, list)
  }

  private static func record(_ row: Row) throws(ListStoreError) -> ListRecord {
    guard let role = ListRecord.Role(rawValue: try row.int64(2)) else {
      throw ListStoreError(
        .damaged, message: "A list has a role that there isn't. recover(to:) saves what can be read.")
    }
    return ListRecord(
      number: try row.int64(0), feed: try row.int64(1), role: role, session: try row.optionalText(3),
      sessionUntil: try row.optionalInt64(4), epoch: try row.int64(5), version: try row.int64(6),
      headSequence: try row.int64(7), headAsOf: try row.optionalInt64(8), shownPosition: try row.optionalInt64(9),
      newerHint: try row.optionalInt64(10), total: try row.optionalInt64(11), conflicts: try row.int64(12),
      madeAt: try row.int64(13))
  }
}

extension Connection {
  /// The stored orders.
  var lists: ListTable { ListTable(connection: self) }
}
