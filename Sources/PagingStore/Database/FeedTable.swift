/// A list as the app names it.
struct FeedRecord: Hashable, Sendable {
  /// Its number in the store.
  var number: Int64
  /// The number of the items' type.
  var kind: Int64
  /// Its name.
  var name: String
  /// The stored order that is shown.
  var current: Int64?
  /// The one that was shown before a refresh switched.
  var previous: Int64?
}

/// The lists as the app names them; ``ListTable`` has their orders.
struct FeedTable {
  let connection: Connection

  private static let byName = SQL(
    "SELECT feed_no, kind_no, name, current_list, previous_list FROM feed WHERE kind_no = ? AND name = ?")
  private static let byNumber = SQL(
    "SELECT feed_no, kind_no, name, current_list, previous_list FROM feed WHERE feed_no = ?")
  private static let after = SQL(
    "SELECT feed_no, kind_no, name, current_list, previous_list FROM feed WHERE feed_no > ? ORDER BY feed_no LIMIT ?")
  private static let insert = SQL(
    "INSERT INTO feed (feed_no, kind_no, name, current_list, previous_list) VALUES (?, ?, ?, ?, ?)")
  private static let setLists = SQL("UPDATE feed SET current_list = ?, previous_list = ? WHERE feed_no = ?")
  private static let delete = SQL("DELETE FROM feed WHERE feed_no = ?")

  /// The list with a name; nil: nothing was stored for it yet.
  func find(_ name: String, kind: Int64) throws(ListStoreError) -> FeedRecord? {
    try connection.first(Self.byName, kind, name, read: Self.record)
  }

  /// The list with a number.
  func find(_ number: Int64) throws(ListStoreError) -> FeedRecord? {
    try connection.first(Self.byNumber, number, read: Self.record)
  }

  /// All lists, by number, a batch at a time: those with larger numbers than `number`.
  func after(_ number: Int64, limit: Int) throws(ListStoreError) -> [FeedRecord] {
    try connection.all(Self.after, number, limit, read: Self.record)
  }

  /// Stores a list under a number that was drawn for it.
  func insert(_ feed: FeedRecord) throws(ListStoreError) {
    try connection.run(Self.insert, feed.number, feed.kind, feed.name, feed.current, feed.previous)
  }

  /// Says which orders are shown and kept.
  func setLists(of feed: Int64, current: Int64?, previous: Int64?) throws(ListStoreError) {
    try connection.run(Self.setLists, current, previous, feed)
  }

  /// Deletes the name; its orders must be gone before.
  func delete(_ number: Int64) throws(ListStoreError) {
    try connection.run(Self.delete, number)
  }

  private static func record(_ row: Row) throws(ListStoreError) -> FeedRecord {
    FeedRecord(
      number: try row.int64(0), kind: try row.int64(1), name: try row.text(2), current: try row.optionalInt64(3),
      previous: try row.optionalInt64(4))
  }
}

extension Connection {
  /// The lists as the app names them.
  var feeds: FeedTable { FeedTable(connection: self) }
}
