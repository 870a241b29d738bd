import CSQLite

/// A prepared statement; ``Connection`` makes, keeps and runs them.
final class Statement {
  let handle: OpaquePointer
  /// Whether rows of it are being read right now: then the same text needs a second statement.
  var isInUse = false

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }
}

/// The row that a statement stands at. Columns count from 0. Good only inside the closure that was given it.
///
/// A column that holds another type than it should is what a damaged file looks like: it throws `damaged`, and never
/// traps.
struct Row {
  let statement: OpaquePointer

  /// Whether the column holds no value.
  func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

  /// An integer.
  func int64(_ column: Int) throws(ListStoreError) -> Int64 {
    guard sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { throw unexpected(column) }
    return sqlite3_column_int64(statement, Int32(column))
  }

  /// An integer, or nil where there is none.
  func optionalInt64(_ column: Int) throws(ListStoreError) -> Int64? {
    isNull(column) ? nil : try int64(column)
  }

  /// An integer as a Swift `Int`.
  func int(_ column: Int) throws(ListStoreError) -> Int {
    guard let value = Int(exactly: try int64(column)) else { throw unexpected(column) }
    return value
  }

  /// An integer that is 0 for false.
  func bool(_ column: Int) throws(ListStoreError) -> Bool { try int64(column) != 0 }

  /// A number with a fraction, also when it was stored as an integer.
  func double(_ column: Int) throws(ListStoreError) -> Double {
    switch sqlite3_column_type(statement, Int32(column)) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, Int32(column))
    default: throw unexpected(column)
    }
  }

  /// Text.
  func text(_ column: Int) throws(ListStoreError) -> String {
    let index = Int32(column)
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, index) else {
      throw unexpected(column)
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected(column) }
    return text
  }

  /// Text, or nil where there is none.
  func optionalText(_ column: Int) throws(ListStoreError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  /// Bytes, copied.
  func blob(_ column: Int) throws(ListStoreError) -> [UInt8] {
    try withBytes(column) { Array($0) }
  }

  /// Bytes, copied, or nil where there are none.
  func optionalBlob(_ column: Int) throws(ListStoreError) -> [UInt8]? {
    isNull(column) ? nil : try blob(column)
  }

  /// A sort key, or nil where there is none.
  func optionalSortBytes(_ column: Int) throws(ListStoreError) -> SortBytes? {
    isNull(column) ? nil : try withBytes(column) { SortBytes(bytes: Array($0)) }
  }

  private func withBytes<R>(_ column: Int, _ read: (UnsafeRawBufferPointer) -> R) throws(ListStoreError) -> R {
    let index = Int32(column)
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw unexpected(column) }
    let start = sqlite3_column_blob(statement, index)
    return read(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index))))
  }

  private func unexpected(_ column: Int) -> ListStoreError {
    let name = sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    return ListStoreError(
      .damaged,
      message:
        "A value of column \(name) has a type that it never should. The file is damaged: recover(to:) saves what can be read."
    )
  }
}
