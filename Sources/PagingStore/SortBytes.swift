/// A sort key with its tie-break as bytes that compare as the keys do, so that the database can order by them.
///
/// Numbers are smaller than texts, and a text that is a whole number (an ID such as "10") is that number: "9" comes
/// before "10". A key that begins another is smaller than that.
struct SortBytes: Hashable, Comparable, Sendable {
  /// The bytes.
  let bytes: [UInt8]

  /// Bytes that were written before.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The place of an item with that key; items with equal keys stand in the order of their IDs.
  init(_ key: ListSortKey, tieBreak id: ItemKey) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 + id.text.utf8.count)
    for part in key.parts {
      switch part {
      case .number(let number): bytes.append(number: number)
      case .text(let text): bytes.append(text: text)
      }
    }
    // Below every part, so that a key that begins another comes before it whatever the IDs are.
    bytes.append(Mark.end)
    bytes.append(text: id.text)
    self.bytes = bytes
  }

  static func < (a: SortBytes, b: SortBytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// The byte before each part says what it is, in the order in which kinds of parts compare.
private enum Mark {
  static let end: UInt8 = 0x01
  static let negative: UInt8 = 0x20
  static let number: UInt8 = 0x21
  static let text: UInt8 = 0x40
}

extension [UInt8] {
  fileprivate mutating func append(number: Int64) {
    append(number < 0 ? Mark.negative : Mark.number)
    append(bigEndian: UInt64(bitPattern: number))
  }

  fileprivate mutating func append(text: String) {
    if let number = wholeNumber(text) {
      append(number.isNegative ? Mark.negative : Mark.number)
      append(bigEndian: number.bits)
      return
    }
    append(Mark.text)
    for byte in text.utf8 {
      append(byte)
      // A zero inside is told from the end by what follows it.
      if byte == 0 { append(0xFF) }
    }
    append(0)
    append(0)
  }

  private mutating func append(bigEndian bits: UInt64) {
    Swift.withUnsafeBytes(of: bits.bigEndian) { append(contentsOf: $0) }
  }
}

/// The number that a text spells, if it is the only spelling of it: "7" and "-7" but not "007", "+7" or "-0". Those are
/// texts, so that no two IDs have the same bytes.
private func wholeNumber(_ text: String) -> (isNegative: Bool, bits: UInt64)? {
  let digits = text.utf8
  guard let first = digits.first, digits.count <= 20 else { return nil }
  let isNegative = first == UInt8(ascii: "-")
  guard let leading = isNegative ? digits.dropFirst().first : first else { return nil }
  guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(leading) else { return nil }
  if leading == UInt8(ascii: "0"), isNegative || digits.count > 1 { return nil }
  return isNegative
    ? Int64(text, radix: 10).map { (true, UInt64(bitPattern: $0)) } : UInt64(text, radix: 10).map { (false, $0) }
}
