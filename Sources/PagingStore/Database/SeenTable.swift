/// What a ranked feed has shown, for requests that leave it out. A ring: the oldest are forgotten.
struct SeenTable {
  let connection: Connection

  /// How many a feed remembers.
  static let capacity = 5_000

  /// Whether an item was shown.
  func contains(_ key: String, feed: Int64) throws(ListStoreError) -> Bool {
    try connection.has(Self.one, feed, key)
  }

  /// The items shown last, the last one first; at most `limit`.
  func newest(_ limit: Int, feed: Int64) throws(ListStoreError) -> [String] {
    try connection.all(Self.lastShown, feed, limit) { row throws(ListStoreError) in try row.text(0) }
  }

  /// Notes what was shown; one that was shown before keeps its place. `draw` gives numbers that rise.
  func note(
    _ keys: [String], feed: Int64, draw: () -> Int64
  ) throws(ListStoreError) {
    for key in keys { try connection.run(Self.insertion, feed, key, draw()) }
    try connection.run(Self.trimming, feed, feed, Self.capacity)
  }

  private static let one = SQL("SELECT 1 FROM seen WHERE feed_no = ? AND item_id = ?")
  private static let lastShown = SQL("SELECT item_id FROM seen WHERE feed_no = ? ORDER BY first_seq DESC LIMIT ?")
  private static let insertion = SQL("INSERT OR IGNORE INTO seen (feed_no, item_id, first_seq) VALUES (?, ?, ?)")
  private static let trimming = SQL(
    """
    DELETE FROM seen WHERE feed_no = ? AND first_seq <
      (SELECT min(first_seq) FROM (SELECT first_seq FROM seen WHERE feed_no = ? ORDER BY first_seq DESC LIMIT ?))
    """)
}

extension Connection {
  /// What ranked feeds have shown.
  var seen: SeenTable { SeenTable(connection: self) }
}
