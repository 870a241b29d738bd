import CSQLite
import Foundation

/// Reads the rows of a table in an SQLite file, in the order of its rowids: integers, numbers, texts and nulls as they
/// are, blobs in Base64.
///
/// The file may come from anywhere: it is opened for reading only, its schema may call no function that could do harm,
/// and rows and bytes are bounded.
struct SQLiteRows: ~Copyable {
  private let handle: OpaquePointer
  private let limits: RowFileLimits

  /// Whether `bytes`, the start of a file, are those of an SQLite file.
  static func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

  /// Opens the file at `path`.
  init(_ path: String, _ limits: RowFileLimits) throws(RowFileFault) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      let fault = Self.fault(result, opened)
      sqlite3_close_v2(opened)
      throw fault
    }
    handle = opened
    self.limits = limits
    sqlite3_busy_timeout(opened, 2000)
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Int32(clamping: limits.rowBytes * 2))
    for words in ["PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA query_only = ON"] {
      sqlite3_exec(opened, words, nil, nil, nil)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// The rows of a table or view.
  ///
  /// - Parameter table: Its name; nil: the only table that the file has.
  func rows(of table: String?) throws(RowFileFault) -> [JSONSlice] {
    let (name, isView) = try found(table)
    let quoted = "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    var buffer = RowBuffer(limits)
    let rows = "SELECT * FROM \(quoted)"
    // A view, which need not have an end that could be sorted, and a table without rowids have their own order.
    let statement: OpaquePointer
    if !isView, let ordered = try? prepare(rows + " ORDER BY rowid") {
      statement = ordered
    } else {
      statement = try prepare(rows)
    }
    defer { sqlite3_finalize(statement) }
    let names = (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "column \(column + 1)"
    }
    while try step(statement) {
      let origin = "row \(grouped(buffer.count + 1)) of \(printable(name, limit: 60))"
      var members: [(name: String, json: [UInt8])] = []
      for (column, name) in names.enumerated() {
        members.append((name, try value(statement, Int32(column), origin)))
      }
      try buffer.append(members, origin: origin)
    }
    return try buffer.rows()
  }

  private func found(_ table: String?) throws(RowFileFault) -> (name: String, isView: Bool) {
    let tables = try self.tables()
    let names = tables.map(\.name)
    if let table {
      if let same = tables.first(where: { $0.name == table }) { return same }
      if let near = tables.first(where: { $0.name.lowercased() == table.lowercased() }) { return near }
      throw RowFileFault("it has no table '\(printable(table, limit: 60))'; \(Self.listed(names))")
    }
    guard let only = tables.first, tables.count == 1 else {
      throw RowFileFault(
        names.isEmpty ? "it has no tables." : "--table says which table is meant; \(Self.listed(names))")
    }
    return only
  }

  private static func listed(_ names: [String]) -> String {
    if names.isEmpty { return "it has none." }
    let shown = names.prefix(12).map { printable($0, limit: 60) }.joined(separator: ", ")
    return "it has \(shown)\(names.count > 12 ? " and \(names.count - 12) more" : "")."
  }

  /// The names of its tables and views, in order; those of SQLite itself are left out.
  private func tables() throws(RowFileFault) -> [(name: String, isView: Bool)] {
    let statement = try prepare(
      "SELECT name, type = 'view' FROM sqlite_schema WHERE type IN ('table', 'view') "
        + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name LIMIT 10000")
    defer { sqlite3_finalize(statement) }
    var tables: [(name: String, isView: Bool)] = []
    while try step(statement) {
      if let text = sqlite3_column_text(statement, 0) {
        tables.append((String(cString: text), sqlite3_column_int(statement, 1) == 1))
      }
    }
    return tables
  }

  private func value(_ statement: OpaquePointer, _ column: Int32, _ origin: String) throws(RowFileFault) -> [UInt8] {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return Array(String(sqlite3_column_int64(statement, column)).utf8)
    case SQLITE_FLOAT:
      let number = sqlite3_column_double(statement, column)
      // JSON has neither infinities nor NaN.
      return Array((number.isFinite ? "\(number)" : "null").utf8)
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        throw RowFileFault("\(origin): the text in '\(printable(name, limit: 60))' is not UTF-8.")
      }
      return Array(jsonString(text).utf8)
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
      return Array(jsonString(Data(bytes).base64EncodedString()).utf8)
    default: return Array("null".utf8)
    }
  }

  private func prepare(_ sql: String) throws(RowFileFault) -> OpaquePointer {
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard result == SQLITE_OK, let prepared else { throw Self.fault(result, handle) }
    return prepared
  }

  private func step(_ statement: OpaquePointer) throws(RowFileFault) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw Self.fault(result, handle)
    }
  }

  private static func fault(_ result: Int32, _ handle: OpaquePointer?) -> RowFileFault {
    let words =
      handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(result))
    return RowFileFault("SQLite can't read it: \(printable(words, limit: 200)).")
  }
}
