/// The chunks of a WebP that tell size and orientation (RFC 9649).
enum WebPHeader {
  static func read(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader.Found {
    guard let size = try size(reader) else { throw ImageHeader.endsEarly(.webp) }
    // Only a file whose first chunk says so has more than its pixels.
    return (size, reader.has("VP8X", at: 12) ? orientation(reader) : nil)
  }

  private static func size(_ reader: ByteReader) throws(ImageCodecError) -> PixelSize? {
    if reader.has("VP8X", at: 12) {
      guard let width = reader.little(24, bytes: 3), let height = reader.little(27, bytes: 3) else { return nil }
      return PixelSize(width: width + 1, height: height + 1)
    }
    if reader.has("VP8L", at: 12) {
      guard let bits = reader.little(21, bytes: 4) else { return nil }
      guard reader.uint8(20) == 0x2F else { throw ImageHeader.isDamaged(.webp) }
      return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    if reader.has("VP8 ", at: 12) {
      guard let width = reader.little(26, bytes: 2), let height = reader.little(28, bytes: 2) else { return nil }
      guard reader.big(23, bytes: 3) == 0x9D012A else { throw ImageHeader.isDamaged(.webp) }
      return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }
    if reader.count < 16 { return nil }
    throw ImageHeader.isDamaged(.webp)
  }

  private static func orientation(_ reader: ByteReader) -> Orientation? {
    var xmp: Orientation?
    var offset = 12
    while let length = reader.little(offset + 4, bytes: 4) {
      if reader.has("EXIF", at: offset) {
        if let found = EXIF.orientation(inPrefixed: reader.slice(offset + 8, count: length)) { return found }
      } else if reader.has("XMP ", at: offset) {
        xmp = xmp ?? XMP.orientation(in: reader.slice(offset + 8, count: length))
      }
      // Chunks are padded to whole words.
      offset += 8 + length + length % 2
    }
    return xmp
  }
}
