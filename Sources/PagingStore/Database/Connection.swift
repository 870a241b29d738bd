import CSQLite

// Safe because only one thread uses a connection at a time: the writer's inside its lock, a reader's while it is out of
// the pool.
/// One connection to the file, with the statements that it has prepared.
///
/// ```swift
/// let title = try connection.first(Self.titleOf, 7) { row throws(ListStoreError) in try row.text(0) }
/// let numbers = try connection.all(Self.numbers, list, limit) { row throws(ListStoreError) in try row.int64(0) }
/// let changed = try connection.run(Self.rename, "New", 7)
/// ```
/// Get one from ``Database/read(_:)`` or ``Database/write(durably:_:)`` and use it inside that closure only.
final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer
  private var statements: [SQL: Statement] = [:]

  /// Opens a file, with no look at what it holds.
  ///
  /// - Parameters:
  ///   - path: Where it lies; ":memory:" makes an empty one in memory.
  ///   - flags: SQLite's flags: read only, or read and write, with or without creating it.
  ///   - busyTimeout: How long to wait for locks of other processes, in milliseconds.
  init(path: String, flags: Int32, busyTimeout: Int32) throws(ListStoreError) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let opened else {
      let error = ListStoreError.sqlite(result, opened, cant: "open the store at \(path)")
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(opened, busyTimeout)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs a statement to its end and answers how many rows it inserted, changed or deleted.
  @discardableResult
  func run<each V: SQLValue>(_ sql: SQL, _ values: repeat each V) throws(ListStoreError) -> Int {
    let statement = try borrow(sql)
    defer { giveBack(statement) }
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try check(value.bind(to: statement.handle, at: index))
    }
    while try step(statement) {}
    return Int(sqlite3_changes(handle))
  }

  /// Runs a statement to its end with values of any types, and answers how many rows it changed.
  func run(_ sql: SQL, cells: [Cell]) throws(ListStoreError) -> Int {
    let statement = try borrow(sql)
    defer { giveBack(statement) }
    for (index, cell) in cells.enumerated() { try check(cell.bind(to: statement.handle, at: Int32(index + 1))) }
    while try step(statement) {}
    return Int(sqlite3_changes(handle))
  }

  /// The first row as `read` makes it, or nil when there is none.
  func first<each V: SQLValue, R>(
    _ sql: SQL, _ values: repeat each V, read: (Row) throws(ListStoreError) -> R
  ) throws(ListStoreError) -> R? {
    let statement = try borrow(sql)
    defer { giveBack(statement) }
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try check(value.bind(to: statement.handle, at: index))
    }
    guard try step(statement) else { return nil }
    return try read(Row(statement: statement.handle))
  }

  /// All rows in order, each as `read` makes it.
  func all<each V: SQLValue, R>(
    _ sql: SQL, _ values: repeat each V, read: (Row) throws(ListStoreError) -> R
  ) throws(ListStoreError) -> [R] {
    var rows: [R] = []
    try each(sql, repeat each values) { row throws(ListStoreError) in rows.append(try read(row)) }
    return rows
  }

  /// Calls `visit` with each row in order, without keeping any.
  func each<each V: SQLValue>(
    _ sql: SQL, _ values: repeat each V, visit: (Row) throws(ListStoreError) -> Void
  ) throws(ListStoreError) {
    let statement = try borrow(sql)
    defer { giveBack(statement) }
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try check(value.bind(to: statement.handle, at: index))
    }
    while try step(statement) { try visit(Row(statement: statement.handle)) }
  }

  /// Whether the statement answers any row.
  func has<each V: SQLValue>(_ sql: SQL, _ values: repeat each V) throws(ListStoreError) -> Bool {
    try first(sql, repeat each values) { _ in true } ?? false
  }

  /// Runs a statement that may fail for reasons that don't matter, such as a rollback after SQLite rolled back itself.
  func attempt(_ sql: SQL) { _ = try? run(sql) }

  private func borrow(_ sql: SQL) throws(ListStoreError) -> Statement {
    if let kept = statements[sql], !kept.isInUse {
      kept.isInUse = true
      return kept
    }
    var prepared: OpaquePointer?
    let result = sql.text.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(handle, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
      }
    }
    guard result == SQLITE_OK, let prepared else {
      throw .sqlite(
        result == SQLITE_OK ? SQLITE_MISUSE : result, handle, cant: "read or write the store", preparing: true)
    }
    let statement = Statement(prepared)
    statement.isInUse = true
    // One that is read at the same time as its twin isn't kept.
    if statements[sql] == nil { statements[sql] = statement }
    return statement
  }

  private func giveBack(_ statement: Statement) {
    sqlite3_reset(statement.handle)
    sqlite3_clear_bindings(statement.handle)
    statement.isInUse = false
  }

  private func check(_ result: Int32) throws(ListStoreError) {
    guard result == SQLITE_OK else { throw .sqlite(result, handle, cant: "read or write the store") }
  }

  private func step(_ statement: Statement) throws(ListStoreError) -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw .sqlite(result, handle, cant: "read or write the store")
    }
  }
}
