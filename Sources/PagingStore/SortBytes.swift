/// A sort key with its tie-break as bytes that compare as the keys do, so that the database can order by them.
struct SortBytes: Hashable, Comparable, Sendable {
  /// The bytes.
  let bytes: [UInt8]

  /// Bytes that ``init(bytes:)`` wrote before.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func < (a: SortBytes, b: SortBytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
