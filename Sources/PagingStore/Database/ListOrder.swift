/// The rows and runs of one stored order, as the merger reads them; `ListOrder+Writing` applies what it answers, and
/// `ListOrder+Windows` reads what screens show.
///
/// Every read is O(log n) and the rows that it answers.
struct ListOrder: OrderReading {
  let connection: Connection
  /// The list's number.
  let list: Int64

  private static let runs = SQL(
    """
    SELECT run_no, hi, lo, newer_state, newer_tok, newer_gen, newer_fail, older_state, older_tok, older_gen, older_fail
    FROM run WHERE list_no = ? ORDER BY hi DESC
    """)
  private static let ofItem = SQL("SELECT pos, item_no, skey, placed FROM entry WHERE item_no = ? AND list_no = ?")
  private static let at = SQL("SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos = ?")
  private static let within = SQL(
    """
    SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos >= ? AND pos <= ? ORDER BY pos DESC LIMIT ?
    """)
  private static let above = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos > ? ORDER BY pos LIMIT 1")
  private static let below = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos < ? ORDER BY pos DESC LIMIT 1")
  private static let newerThan = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND skey > ? ORDER BY skey, pos LIMIT 1")
  private static let olderThan = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND skey < ? ORDER BY skey DESC, pos DESC LIMIT 1")
  private static let countAbove = SQL(
    "SELECT count(*) FROM (SELECT 1 FROM entry WHERE list_no = ? AND pos > ? LIMIT ?)")
  private static let listsOfItem = SQL("SELECT list_no, pos FROM entry WHERE item_no = ? ORDER BY list_no")
  private static let cutsWithin = SQL(
    "SELECT pos, older_tok, newer_tok FROM cut WHERE list_no = ? AND pos >= ? AND pos <= ? ORDER BY pos DESC LIMIT ?")

  func runs() throws(ListStoreError) -> [Run] {
    try connection.all(Self.runs, list, read: Self.run)
  }

  func entry(of item: Int64) throws(ListStoreError) -> Entry? {
    try connection.first(Self.ofItem, item, list, read: Self.entry)
  }

  func entry(at position: Position) throws(ListStoreError) -> Entry? {
    try connection.first(Self.at, list, position, read: Self.entry)
  }

  func entries(in range: ClosedRange<Position>, limit: Int) throws(ListStoreError) -> [Entry] {
    try connection.all(Self.within, list, range.lowerBound, range.upperBound, max(0, limit), read: Self.entry)
  }

  func entry(above position: Position) throws(ListStoreError) -> Entry? {
    try connection.first(Self.above, list, position, read: Self.entry)
  }

  func entry(below position: Position) throws(ListStoreError) -> Entry? {
    try connection.first(Self.below, list, position, read: Self.entry)
  }

  func entry(newerThan key: SortBytes) throws(ListStoreError) -> Entry? {
    try connection.first(Self.newerThan, list, key, read: Self.entry)
  }

  func entry(olderThan key: SortBytes) throws(ListStoreError) -> Entry? {
    try connection.first(Self.olderThan, list, key, read: Self.entry)
  }

  /// How many rows stand above a position, counted up to `limit`: a limit that is reached means "at least".
  func count(above position: Position, limit: Int) throws(ListStoreError) -> Int {
    try connection.first(Self.countAbove, list, position, max(0, limit)) { row throws(ListStoreError) in try row.int(0)
    } ?? 0
  }

  /// A joint of two pages: below the row at the position the run can be cut.
  struct Cut: Hashable, Sendable {
    /// The row above the joint.
    var position: Position
    /// Continues the list below the joint.
    var olderToken: String?
    /// Continues the list above it.
    var newerToken: String?
  }

  /// The joints within positions, both inclusive, the newest first.
  func cuts(in range: ClosedRange<Position>, limit: Int) throws(ListStoreError) -> [Cut] {
    try connection.all(Self.cutsWithin, list, range.lowerBound, range.upperBound, max(0, limit)) {
      row throws(ListStoreError) in
      Cut(position: try row.int64(0), olderToken: try row.optionalText(1), newerToken: try row.optionalText(2))
    }
  }

  /// Every order that an item stands in, with its position there.
  static func places(
    of item: Int64, on connection: Connection
  ) throws(ListStoreError) -> [(list: Int64, position: Position)] {
    try connection.all(listsOfItem, item) { row throws(ListStoreError) in
      (list: try row.int64(0), position: try row.int64(1))
    }
  }

  /// The row of a statement that reads position, item, sort key and placement.
  static func entry(_ row: Row) throws(ListStoreError) -> Entry {
    Entry(
      position: try position(row, 0), item: try row.int64(1), sortBytes: try row.optionalSortBytes(2),
      placed: try row.int64(3))
  }

  /// The row of a statement that reads number, bounds and both edges.
  static func run(_ row: Row) throws(ListStoreError) -> Run {
    Run(
      number: try row.int64(0), high: try position(row, 1), low: try position(row, 2), newer: try edge(row, from: 3),
      older: try edge(row, from: 7))
  }

  /// A position. The outermost ones are never given to a row: beside each there has to be a place to say "beyond it".
  private static func position(_ row: Row, _ column: Int) throws(ListStoreError) -> Position {
    let position = try row.int64(column)
    guard position > .min, position < .max else {
      throw ListStoreError(.damaged, message: "A row stands where none can. recover(to:) saves what can be read.")
    }
    return position
  }

  /// More than any edge counts before it is given up.
  private static let maxFailures = 1_000_000

  private static func edge(_ row: Row, from column: Int) throws(ListStoreError) -> RunEdge {
    let failures = try row.int(column + 3)
    guard let state = RunEdge.State(rawValue: try row.int64(column)), (0...maxFailures).contains(failures) else {
      throw ListStoreError(
        .damaged, message: "An edge has a state that there isn't. recover(to:) saves what can be read.")
    }
    return RunEdge(
      state: state, token: try row.optionalText(column + 1), generation: try row.int64(column + 2), failures: failures)
  }
}

extension Connection {
  /// The rows and runs of one stored order.
  func order(of list: Int64) -> ListOrder { ListOrder(connection: self, list: list) }
}
