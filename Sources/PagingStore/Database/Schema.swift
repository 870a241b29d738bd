/// The tables of a store, their version, and what makes a file one of ours.
///
/// A file is ours when its application number says so. The version is SQLite's user version; a file with a newer one
/// isn't touched.
enum Schema {
  /// The version that this library writes.
  static let version: Int64 = 1
  /// Marks a file as a store of this library; "PgSt" in ASCII.
  static let application: Int64 = 0x5067_5374

  /// What a file turned out to be.
  private enum Finding {
    case empty
    case ours
  }

  /// Makes sure that the file is a store of this version: creates the tables in an empty file and leaves every other
  /// alone.
  ///
  /// - Throws: `notADatabase`, `newerSchema`, `damaged` when tables are missing, `locked`, `inputOutput`.
  static func prepare(_ connection: Connection, path: String, inMemory: Bool) throws(ListStoreError) {
    let finding = try inspect(connection, path: path)
    if !inMemory { try useWriteAheadLog(connection, path: path) }
    guard finding == .empty else { return }
    try connection.run(SchemaText.begin)
    do throws(ListStoreError) {
      // Another process may have been quicker.
      if try inspect(connection, path: path) == .empty { try create(connection) }
      try connection.run(SchemaText.commit)
    } catch {
      connection.attempt(SchemaText.rollback)
      throw error
    }
    // So that the file itself says what it is, also when its log is lost.
    if !inMemory { _ = try connection.has(DatabaseText.checkpoint) }
  }

  /// Throws when a file isn't a store, or a newer one's; asks nothing of its tables.
  static func checkIdentity(_ connection: Connection, path: String) throws(ListStoreError) {
    let application = try number(SchemaText.application, connection)
    guard application == Self.application else { throw foreign(path) }
    let version = try number(SchemaText.version, connection)
    guard version <= Self.version else { throw newer(version, path) }
  }

  private static func create(_ connection: Connection) throws(ListStoreError) {
    for (_, text) in SchemaText.objects { try connection.run(text) }
    try connection.run(SchemaText.firstSequence)
    try connection.run(SchemaText.setApplication)
    try connection.run(SchemaText.setVersion)
  }

  private static func inspect(_ connection: Connection, path: String) throws(ListStoreError) -> Finding {
    let application = try number(SchemaText.application, connection)
    let version = try number(SchemaText.version, connection)
    let names = Set(try connection.all(SchemaText.names) { row throws(ListStoreError) in try row.text(0) })
    if application == 0, version == 0, names.isEmpty { return .empty }
    guard application == Self.application else { throw foreign(path) }
    guard version <= Self.version else { throw newer(version, path) }
    let missing = SchemaText.objects.map(\.name).filter { !names.contains($0) }
    guard missing.isEmpty, version > 0 else {
      throw ListStoreError(
        .damaged,
        message:
          "The file at \(path) lacks \(missing.joined(separator: ", ")). It is damaged: recover(to:) saves what can be read."
      )
    }
    if let table = try findContradiction(connection) {
      throw ListStoreError(
        .damaged,
        message:
          "The table \(table) of the file at \(path) contradicts the others. It is damaged: recover(to:) saves what can be read."
      )
    }
    _ = try WriteTransaction.lastSequence(connection)
    return .ours
  }

  /// The name of a table that contradicts others, so that a list could look empty that isn't; nil: there is none. It
  /// takes time for each list and run, not for each row.
  static func findContradiction(_ connection: Connection) throws(ListStoreError) -> String? {
    for (name, text) in zip(["kind", "feed", "list", "run"], SchemaText.smallTables) {
      let finding = try connection.first(text) { row throws(ListStoreError) in try row.text(0) }
      if finding != "ok" { return name }
    }
    return try connection.first(SchemaText.contradiction) { row throws(ListStoreError) in try row.optionalText(0) }
      ?? nil
  }

  private static func foreign(_ path: String) -> ListStoreError {
    ListStoreError(
      .notADatabase,
      message: "The file at \(path) belongs to another program. It was left as it is: give the store a path of its own."
    )
  }

  private static func newer(_ version: Int64, _ path: String) -> ListStoreError {
    ListStoreError(
      .newerSchema,
      message: "The file at \(path) has version \(version) of the tables, this library knows \(Self.version). "
        + "It was left as it is: update the library, or open another file.")
  }

  private static func useWriteAheadLog(_ connection: Connection, path: String) throws(ListStoreError) {
    let mode = try connection.first(SchemaText.useWriteAheadLog) { row throws(ListStoreError) in try row.text(0) }
    guard mode == "wal" else {
      throw ListStoreError(
        .inputOutput,
        message:
          "The file system at \(path) can't hold a write-ahead log. Put the store on a local disk, in a folder that can be written."
      )
    }
  }

  private static func number(_ sql: SQL, _ connection: Connection) throws(ListStoreError) -> Int64 {
    try connection.first(sql) { row throws(ListStoreError) in try row.int64(0) } ?? 0
  }
}
