import CSQLite

/// The text of one statement, fixed when the program was compiled: values are bound to its question marks, never
/// spliced in.
///
/// Write each as a `static let` beside the code that runs it. A connection prepares it once and finds it again by its
/// address.
struct SQL: Hashable, Sendable {
  /// The text, in UTF-8.
  let text: StaticString

  /// A statement's text. A test finds every such literal in this module's sources and looks at its query plan.
  init(_ text: StaticString) {
    self.text = text
  }

  static func == (a: SQL, b: SQL) -> Bool { a.text.utf8Start == b.text.utf8Start }

  func hash(into hasher: inout Hasher) { hasher.combine(text.utf8Start) }
}

/// What can be bound to a statement: `Int64`, `Int`, `Bool`, `Double`, `String`, `[UInt8]`, ``SortBytes``,
/// ``RunEdge/State`` and optionals of them.
protocol SQLValue {
  /// Binds itself to the parameter with that index, which counts from 1; answers SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

extension Int: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, Int64(self)) }
}

extension Bool: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self ? 1 : 0)
  }
}

extension Double: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_double(statement, index, self) }
}

extension String: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copies) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copies, UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension [UInt8]: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { bindBytes($0, to: statement, at: index) }
  }
}

extension RunEdge.State: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, rawValue) }
}

extension SortBytes: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    bytes.withUnsafeBytes { bindBytes($0, to: statement, at: index) }
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .none: sqlite3_bind_null(statement, index)
    case .some(let value): value.bind(to: statement, at: index)
    }
  }
}

/// Tells SQLite to take a copy of what is bound.
private let copies = csqlite_copies()

private func bindBytes(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32) -> Int32 {
  // No bytes are no null.
  guard let start = bytes.baseAddress, bytes.count > 0 else { return sqlite3_bind_zeroblob(statement, index, 0) }
  return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), copies)
}
