import CSQLite

/// A value of any type that SQLite knows, for rows that are copied without being understood.
enum Cell: SQLValue, Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): value.bind(to: statement, at: index)
    case .real(let value): value.bind(to: statement, at: index)
    case .text(let value): value.bind(to: statement, at: index)
    case .blob(let value): value.bind(to: statement, at: index)
    }
  }
}

extension Row {
  /// All columns. Text that is not UTF-8 counts as missing, and a table that needs it refuses the row.
  var cells: [Cell] {
    (0..<Int(sqlite3_column_count(statement))).map { column in
      switch sqlite3_column_type(statement, Int32(column)) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(column)))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
      case SQLITE_TEXT: (try? text(column)).map { .text($0) } ?? .null
      case SQLITE_BLOB: (try? blob(column)).map { .blob($0) } ?? .null
      default: .null
      }
    }
  }
}
