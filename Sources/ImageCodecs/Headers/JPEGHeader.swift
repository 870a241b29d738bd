/// The segments of a JPEG up to its first scan (ITU-T T.81, annex B).
enum JPEGHeader {
  static func read(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader.Found {
    var size: PixelSize?
    var exif: Orientation?
    var xmp: Orientation?
    var isOver = false
    var offset = 2
    while let (marker, start) = nextMarker(reader, from: offset) {
      // The start of a scan or the end of the picture: nothing more about it comes.
      if marker == 0xDA || marker == 0xD9 {
        isOver = true
        break
      }
      // Markers without a segment.
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        offset = start
        continue
      }
      guard let length = reader.big(start, bytes: 2) else { break }
      guard length >= 2 else { throw ImageHeader.isDamaged(.jpeg) }
      switch marker {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        guard let height = reader.big(start + 3, bytes: 2), let width = reader.big(start + 5, bytes: 2) else {
          throw ImageHeader.endsEarly(.jpeg)
        }
        size = size ?? PixelSize(width: width, height: height)
      case 0xE1:
        let segment = reader.slice(start + 2, count: length - 2)
        if reader.has("Exif\u{0}", at: start + 2) {
          exif = exif ?? EXIF.orientation(inPrefixed: segment)
        } else if xmp == nil, reader.has("http://ns.adobe.com/xap/1.0/\u{0}", at: start + 2) {
          xmp = XMP.orientation(in: segment)
        }
      default: break
      }
      offset = start + length
    }
    guard let size else {
      throw isOver ? ImageHeader.isDamaged(.jpeg) : ImageHeader.endsEarly(.jpeg)
    }
    return (size, exif ?? xmp)
  }

  /// The next marker and where its segment begins; bytes between segments that belong to none are passed over, as
  /// libjpeg does.
  private static func nextMarker(_ reader: ByteReader, from offset: Int) -> (UInt8, Int)? {
    var offset = offset
    while let byte = reader.uint8(offset), let next = reader.uint8(offset + 1) {
      offset += 1
      if byte == 0xFF, next != 0xFF, next != 0 { return (next, offset + 1) }
    }
    return nil
  }
}
