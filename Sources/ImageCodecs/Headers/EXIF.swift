/// The one thing in EXIF that pixels depend on.
enum EXIF {
  /// The orientation that the first directory of a TIFF structure tells; nil where it has none, or is damaged.
  ///
  /// The second directory is about the small picture inside, and is never read.
  ///
  /// - Parameter tiff: The bytes after `Exif\0\0`.
  static func orientation(in tiff: UnsafeRawBufferPointer) -> Orientation? {
    let reader = ByteReader(tiff)
    let isBig = reader.has("MM\u{0}*", at: 0)
    guard isBig || reader.has("II*\u{0}", at: 0) else { return nil }
    func number(_ offset: Int, _ length: Int) -> Int? {
      isBig ? reader.big(offset, bytes: length) : reader.little(offset, bytes: length)
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      // A short as the standard wants it, or a long or a byte as some write it.
      let length = [1: 1, 3: 2, 4: 4][type]
      guard let length, let value = number(entry + 8, length), let byte = UInt8(exactly: value) else { return nil }
      return Orientation(rawValue: byte)
    }
    return nil
  }

  /// The same for bytes that may begin with `Exif\0\0`.
  static func orientation(inPrefixed bytes: UnsafeRawBufferPointer) -> Orientation? {
    let reader = ByteReader(bytes)
    return orientation(in: reader.has("Exif\u{0}", at: 0) ? reader.slice(6, count: bytes.count) : bytes)
  }
}

/// The orientation in an XMP packet, which stands there where a file has no EXIF.
enum XMP {
  /// What follows the first `tiff:Orientation`, as an attribute or an element; nil where there is none.
  static func orientation(in packet: UnsafeRawBufferPointer) -> Orientation? {
    let name: StaticString = "tiff:Orientation"
    let reader = ByteReader(packet)
    var offset = 0
    while offset + name.utf8CodeUnitCount < packet.count {
      defer { offset += 1 }
      guard packet[offset] == UInt8(ascii: "t"), reader.has(name, at: offset) else { continue }
      var value = offset + name.utf8CodeUnitCount
      if reader.has("=\"", at: value) || reader.has("='", at: value) {
        value += 2
      } else if reader.has(">", at: value) {
        value += 1
      } else {
        continue
      }
      let digit = reader.uint8(value) ?? 0
      return digit >= 0x30 ? Orientation(rawValue: digit - 0x30) : nil
    }
    return nil
  }
}
