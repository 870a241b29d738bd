/// One row, as its server wrote it.
struct RawRow: Identifiable, Sendable {
  let id: RowID
  /// Its JSON in one line: names, numbers and strings byte for byte as they came.
  let line: [UInt8]
}

/// What tells a row from others.
enum RowID: Hashable, Sendable {
  /// The JSON text of its ID: 1 and "1" differ.
  case text(String)
  /// A guessed ID that need not be one: the row is the same only if its contents are too.
  case textAndContents(String, hash: Int)
  /// It has none, so it is told by when it came.
  case unknown(UInt64)

  /// Whether two rows with this ID are the same row.
  var tells: Bool {
    if case .unknown = self { false } else { true }
  }
}

/// A reply with its rows cut out.
struct RowDocument: Sendable {
  /// The whole reply.
  let body: JSONSlice
  let rows: [RawRow]
}
