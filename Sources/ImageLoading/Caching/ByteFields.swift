import Foundation

/// Writes numbers and texts one after the other: numbers little-endian, texts as their length in bytes and UTF-8.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    write(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write(_ date: Date) { write(date.timeIntervalSince1970.bitPattern) }
}

/// Reads what a ``ByteWriter`` wrote; nil, and nothing else, for bytes that nobody wrote so.
struct ByteReader {
  private let bytes: Data
  /// How many bytes were read.
  private(set) var place = 0

  init(_ bytes: Data) { self.bytes = bytes }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    guard let slice = take(MemoryLayout<Number>.size) else { return nil }
    return slice.reversed().reduce(into: Number.zero) { $0 = $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func text() -> String? {
    guard let count = number(UInt32.self), let slice = take(Int(count)) else { return nil }
    return String(validating: slice, as: UTF8.self)
  }

  mutating func date() -> Date? {
    guard let bits = number(UInt64.self) else { return nil }
    let seconds = Double(bitPattern: bits)
    return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
  }

  private mutating func take(_ count: Int) -> Data? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return bytes[bytes.startIndex + place..<bytes.startIndex + place + count]
  }
}
