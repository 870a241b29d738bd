/// The chunks of a PNG that tell size and orientation (PNG, third edition).
enum PNGHeader {
  static func read(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader.Found {
    guard let width = reader.big(16, bytes: 4), let height = reader.big(20, bytes: 4) else {
      throw ImageHeader.endsEarly(.png)
    }
    guard reader.has("IHDR", at: 12), reader.big(8, bytes: 4) == 13 else { throw ImageHeader.isDamaged(.png) }
    return (PixelSize(width: width, height: height), orientation(reader))
  }

  /// EXIF may stand behind the pixels, so all chunks are walked over.
  private static func orientation(_ reader: ByteReader) -> Orientation? {
    var other: Orientation?
    var offset = 33
    while let length = reader.big(offset, bytes: 4), let type = reader.big(offset + 4, bytes: 4) {
      let start = offset + 8
      switch type {
      case 0x6558_4966:  // eXIf
        if let found = EXIF.orientation(inPrefixed: reader.slice(start, count: length)) { return found }
      case 0x7445_5874:  // tEXt
        if reader.has("Raw profile type exif\u{0}", at: start) || reader.has("Raw profile type APP1\u{0}", at: start) {
          other = other ?? rawProfile(reader.slice(start + 22, count: length - 22))
        }
      case 0x6954_5874:  // iTXt, not compressed
        if reader.has("XML:com.adobe.xmp\u{0}\u{0}", at: start) {
          other = other ?? XMP.orientation(in: reader.slice(start, count: length))
        }
      case 0x4945_4E44:  // IEND
        return other
      default: break
      }
      offset = start + length + 4
    }
    return other
  }

  /// EXIF as ImageMagick writes it: a name, a length and hexadecimal digits, on lines of their own.
  private static func rawProfile(_ text: UnsafeRawBufferPointer) -> Orientation? {
    // An empty line, the name and the length end with a line feed each; the first directory needs few of the bytes.
    let digits = text.prefix(1 << 16).split(separator: 0x0A, omittingEmptySubsequences: true).dropFirst(2).joined()
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init) else { continue }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes.withUnsafeBytes { EXIF.orientation(inPrefixed: $0) }
  }
}
