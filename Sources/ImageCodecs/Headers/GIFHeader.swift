/// The screen of a GIF and its first frame, which may reach beyond it (GIF89a, 18 to 20).
enum GIFHeader {
  static func read(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader.Found {
    guard let width = reader.little(6, bytes: 2), let height = reader.little(8, bytes: 2) else {
      throw ImageHeader.endsEarly(.gif)
    }
    var size = PixelSize(width: width, height: height)
    // Files exist whose first frame is larger than the screen; it is all shown, as browsers do.
    if let frame = firstFrame(reader) {
      size = PixelSize(width: max(width, frame.width), height: max(height, frame.height))
    }
    return (size, nil)
  }

  /// How far to the right and down the first frame reaches.
  private static func firstFrame(_ reader: ByteReader) -> PixelSize? {
    guard let flags = reader.uint8(10) else { return nil }
    var offset = 13 + (flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7))
    while let kind = reader.uint8(offset) {
      switch kind {
      case 0x21:
        // An extension: a label and blocks, the last of which is empty.
        offset += 2
        while let length = reader.uint8(offset), length > 0 { offset += 1 + Int(length) }
        offset += 1
      case 0x2C:
        guard let left = reader.little(offset + 1, bytes: 2), let top = reader.little(offset + 3, bytes: 2),
          let width = reader.little(offset + 5, bytes: 2), let height = reader.little(offset + 7, bytes: 2)
        else { return nil }
        return PixelSize(width: left + width, height: top + height)
      default:
        return nil
      }
    }
    return nil
  }
}
