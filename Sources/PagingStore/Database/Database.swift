import CSQLite
import Synchronization

/// The store's file: one writer, readers beside it.
///
/// ```swift
/// let number = try database.write { transaction throws(ListStoreError) in
///   try transaction.connection.run(Self.rename, "New", 7)
///   return transaction.sequence
/// }
/// let name = try database.read { connection throws(ListStoreError) in
///   try connection.first(Self.name, 7) { row throws(ListStoreError) in try row.text(0) }
/// }
/// ```
/// What a closure throws undoes its whole transaction. Don't call `read` or `write` inside a closure of either: use the
/// connection that was handed in. Every member may be used from any thread and blocks it: a write for as long as
/// another one takes, or another process holds the file, at most the busy timeout.
final class Database: Sendable {
  /// Where the file lies; nil: in memory.
  let path: String?

  private let busyTimeout: Int32
  private let writer: Connection
  /// Held while the writer is used; in memory while anything is.
  private let turn = Mutex(())
  /// Readers that nobody uses. Not more than ``keptReaders`` wait here.
  private let idle = Mutex<[Connection]>([])
  private static let keptReaders = 4

  /// Opens the store at a path, and creates it when there is no file or an empty one; a new file is its owner's only.
  ///
  /// A file that isn't a store of this library, or of a newer version, is left as it was.
  ///
  /// - Throws: `notADatabase`, `newerSchema`, `damaged`, `locked`, `diskFull`, `inputOutput`.
  convenience init(at path: String, busyTimeout: Duration = .seconds(5)) throws(ListStoreError) {
    try Self.checkBeforeOpening(path)
    FileFacts.createForOwner(path)
    try self.init(path: path, busyTimeout: busyTimeout)
  }

  /// A store in memory, which is gone with this object. Reads wait for writes.
  static func inMemory() throws(ListStoreError) -> Database { try Database(path: nil, busyTimeout: .zero) }

  private init(path: String?, busyTimeout: Duration) throws(ListStoreError) {
    self.path = path
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
    self.busyTimeout =
      milliseconds.overflow ? .max : Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000)
    let flags = path == nil ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    writer = try Connection(path: path ?? ":memory:", flags: flags, busyTimeout: self.busyTimeout)
    guard !writer.isReadOnly else {
      throw ListStoreError(
        .inputOutput,
        message:
          "The file at \(path ?? "") can't be written. Make it and its folder writable for this process, or open a copy."
      )
    }
    try writer.run(DatabaseText.checkCells)
    try Schema.prepare(writer, path: path ?? "memory", inMemory: path == nil)
    for text in DatabaseText.writerSettings { try writer.run(text) }
  }

  // The connection that is closed last moves the log into the file, which a reader can't.
  deinit { idle.withLock { $0.removeAll() } }

  /// Runs a transaction that may write; nothing of it is seen before it ends, and nothing stays when `body` throws.
  ///
  /// - Parameters:
  ///   - durably: Wait until it would outlive a power cut: for what only this device knows, edits and creations.
  ///     A commit outlives the death of the process either way.
  ///   - body: What to do.
  func write<R>(
    durably: Bool = false, _ body: (WriteTransaction) throws(ListStoreError) -> R
  ) throws(ListStoreError) -> R {
    try inTurn { () throws(ListStoreError) -> R in
      // It can't be changed inside a transaction.
      if durably { try writer.run(DatabaseText.synchronousFull) }
      defer { if durably { writer.attempt(DatabaseText.synchronousNormal) } }
      try writer.run(SchemaText.begin)
      do throws(ListStoreError) {
        let transaction = try WriteTransaction(writer)
        let result = try body(transaction)
        try transaction.storeSequence()
        try writer.run(SchemaText.commit)
        return result
      } catch {
        if writer.isInTransaction { writer.attempt(SchemaText.rollback) }
        throw error
      }
    }
  }

  /// Runs a transaction that only reads: all of it sees the same moment, whatever is written meanwhile. Keep it short.
  func read<R>(_ body: (Connection) throws(ListStoreError) -> R) throws(ListStoreError) -> R {
    guard path != nil else { return try inTurn { () throws(ListStoreError) -> R in try Self.reading(writer, body) } }
    let reader = try takeReader()
    let result = try Self.reading(reader, body)
    // One that threw isn't used again.
    idle.withLock { if $0.count < Self.keptReaders { $0.append(reader) } }
    return result
  }

  /// A number that differs after another process has committed a write, and only then. A few microseconds.
  func dataVersion() throws(ListStoreError) -> Int64 {
    try inTurn { () throws(ListStoreError) -> Int64 in
      try writer.first(DatabaseText.dataVersion) { row throws(ListStoreError) in try row.int64(0) } ?? 0
    }
  }

  /// Moves what the write-ahead log holds into the file, as far as no reader needs it. Blocks nobody but writers.
  func checkpoint() throws(ListStoreError) {
    guard path != nil else { return }
    try inTurn { () throws(ListStoreError) in _ = try writer.has(DatabaseText.checkpoint) }
  }

  /// What SQLite finds wrong with the file, as its own lines; empty: nothing. Reads all of it.
  func problems() throws(ListStoreError) -> [String] {
    try read { connection throws(ListStoreError) in
      let found = try connection.all(DatabaseText.integrityCheck) { row throws(ListStoreError) in try row.text(0) }
      let orphans = try connection.all(DatabaseText.foreignKeyCheck) { row throws(ListStoreError) in
        "a row of \(try row.text(0)) refers to a missing row of \(try row.text(2))"
      }
      return found.filter { $0 != "ok" } + orphans
    }
  }

  private static func reading<R>(
    _ connection: Connection, _ body: (Connection) throws(ListStoreError) -> R
  ) throws(ListStoreError) -> R {
    try connection.run(SchemaText.beginReading)
    defer { connection.attempt(SchemaText.rollback) }
    return try body(connection)
  }

  private func takeReader() throws(ListStoreError) -> Connection {
    if let kept = idle.withLock({ $0.popLast() }) { return kept }
    let reader = try Connection(path: path ?? "", flags: SQLITE_OPEN_READONLY, busyTimeout: busyTimeout)
    try reader.run(DatabaseText.checkCells)
    try reader.run(DatabaseText.temporaryInMemory)
    return reader
  }

  private func inTurn<R>(_ body: () throws(ListStoreError) -> R) throws(ListStoreError) -> R {
    var result: Result<R, ListStoreError>?
    turn.withLock { _ in
      result = Result { () throws(ListStoreError) -> R in try body() }
    }
    guard let result else {
      throw ListStoreError(.internalFault, message: "A lock was released without its work done.")
    }
    return try result.get()
  }

  /// An empty file beside a log isn't a new store but a lost one, and SQLite would throw the log away.
  private static func checkBeforeOpening(_ path: String) throws(ListStoreError) {
    guard !path.isEmpty else {
      throw ListStoreError(.inputOutput, message: "The store's path is empty. Give it the path of a file.")
    }
    let size = FileFacts(path).size
    // SQLite takes a file of one byte for an empty one and writes over it. No database is smaller than its smallest
    // page.
    if let size, (1..<512).contains(size) {
      throw ListStoreError(
        .notADatabase,
        message:
          "The file at \(path) has only \(size) bytes: it is no database. Give the store a path of its own, or delete the file."
      )
    }
    if size == 0, FileFacts(path + "-wal").size ?? 0 > 0 {
      throw ListStoreError(
        .damaged,
        message:
          "The file at \(path) is empty but its log isn't: it was cut off. Restore it, or delete both files to start anew."
      )
    }
  }
}

/// Statements that concern the whole file.
enum DatabaseText {
  static let writerSettings = [
    synchronousNormal, foreignKeys, SQL("PRAGMA journal_size_limit = 8388608"), SQL("PRAGMA wal_autocheckpoint = 1000"),
    temporaryInMemory,
  ]
  static let synchronousNormal = SQL("PRAGMA synchronous = NORMAL")
  static let synchronousFull = SQL("PRAGMA synchronous = FULL")
  static let foreignKeys = SQL("PRAGMA foreign_keys = ON")
  static let temporaryInMemory = SQL("PRAGMA temp_store = MEMORY")
  /// Pages are looked at more closely when they are read.
  static let checkCells = SQL("PRAGMA cell_size_check = ON")
  static let dataVersion = SQL("PRAGMA data_version")
  static let checkpoint = SQL("PRAGMA wal_checkpoint(PASSIVE)")
  static let integrityCheck = SQL("PRAGMA integrity_check(20)")
  static let foreignKeyCheck = SQL("PRAGMA foreign_key_check")
}
