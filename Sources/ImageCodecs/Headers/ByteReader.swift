/// Numbers and stretches of bytes, each read within bounds: nil where there are too few bytes.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer

  /// Reads those bytes, which must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  func uint8(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.count ? bytes[offset] : nil
  }

  /// A number of up to seven bytes, the most significant first.
  func big(_ offset: Int, bytes length: Int) -> Int? {
    guard has(length, at: offset) else { return nil }
    return bytes[offset..<(offset + length)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number of up to seven bytes, the least significant first.
  func little(_ offset: Int, bytes length: Int) -> Int? {
    guard has(length, at: offset) else { return nil }
    return bytes[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether those characters stand there.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return has(expected.count, at: offset) && bytes[offset..<(offset + expected.count)].elementsEqual(expected)
  }

  /// A stretch of the bytes, cut short where they end.
  func slice(_ offset: Int, count: Int) -> UnsafeRawBufferPointer {
    let lower = min(max(0, offset), bytes.count)
    return UnsafeRawBufferPointer(rebasing: bytes[lower..<(lower + min(max(0, count), bytes.count - lower))])
  }

  private func has(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && offset <= bytes.count && bytes.count - offset >= length
  }
}

extension [UInt8] {
  /// `withUnsafeBytes` for a body that throws errors of this module, as which they come out.
  func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    try withUnsafeBytes { bytes in
      Result { () throws(ImageCodecError) in try body(bytes) }
    }.get()
  }
}
