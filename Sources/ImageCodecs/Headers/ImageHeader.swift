/// What the head of a file says of its picture, read without decoding and within the bytes that are there.
struct ImageHeader {
  let format: ImageFormat
  /// The size as the pixels lie in the file; both sides at least 1.
  let stored: PixelSize
  let orientation: Orientation

  /// The size of the upright picture.
  var upright: PixelSize { orientation.upright(stored) }
}

extension ImageHeader {
  /// The head of a JPEG, PNG or WebP; the others' decoders read their own.
  ///
  /// Goes from one segment or chunk to the next and never copies any; at most linear in the number of bytes.
  ///
  /// - Throws: ``ImageCodecError/Code/unsupported`` for another type, ``ImageCodecError/Code/truncated`` where the file
  ///   ends before its size, ``ImageCodecError/Code/corrupt`` where it tells none.
  init(_ data: [UInt8]) throws(ImageCodecError) {
    guard let format = ImageFormat(sniffing: Array(data.prefix(ImageFormat.headerLength))) else {
      throw ImageCodecError(.unsupported, message: "the bytes begin like no type of picture that is known")
    }
    let found = try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
      let reader = ByteReader(bytes)
      switch format {
      case .jpeg: return try JPEGHeader.read(reader)
      case .png: return try PNGHeader.read(reader)
      case .webp: return try WebPHeader.read(reader)
      default:
        throw ImageCodecError(.unsupported, message: "the head of \(format) files is read by their decoder")
      }
    }
    guard found.size.width > 0, found.size.height > 0 else {
      throw ImageCodecError(
        .corrupt, message: "the \(format) file says that its picture is \(found.size) pixels; it has none to show")
    }
    self.format = format
    stored = found.size
    orientation = found.orientation ?? .upright
  }

  /// What the parsers of the single formats find.
  typealias Found = (size: PixelSize, orientation: Orientation?)

  static func endsEarly(_ format: ImageFormat) -> ImageCodecError {
    ImageCodecError(.truncated, message: "the \(format) file ends before it tells the size of its picture")
  }

  static func isDamaged(_ format: ImageFormat) -> ImageCodecError {
    ImageCodecError(.corrupt, message: "the head of the \(format) file is damaged; it tells no size")
  }
}
