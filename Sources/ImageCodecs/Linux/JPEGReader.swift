#if !canImport(ImageIO)
  import CImageCodecs

  /// libjpeg at work on bytes that stay where they are meanwhile.
  struct JPEGReader: ~Copyable {
    private let reader: OpaquePointer
    private let limits: ImageLimits
    private var pixels: UnsafeRow?

    /// - Parameters:
    ///   - data: The file; must outlive the reader.
    ///   - ranges: What is read of it, inside of `data`.
    ///   - isTolerant: Whether gray takes the place of what is missing.
    init(
      _ data: UnsafeRawBufferPointer, _ ranges: [Range<Int>], isTolerant: Bool, _ limits: ImageLimits
    ) throws(ImageCodecError) {
      let pieces = ranges.map { image_jpeg_range(start: $0.lowerBound, end: $0.upperBound) }
      let start = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let reader = image_jpeg_open(start, pieces, pieces.count, isTolerant ? 1 : 0) else {
        throw ImageCodecError(.limit, message: "there is no memory to read a JPEG; decode fewer pictures at once")
      }
      self.reader = reader
      self.limits = limits
    }

    deinit { image_jpeg_close(reader) }

    /// The scan that was read last, counted from 1.
    var scan: Int { Int(image_jpeg_scan(reader)) }

    /// Reads the head; the size must be what is planned for, since limits were checked with that.
    ///
    /// - Returns: What the pixels are.
    func readHead(expecting size: PixelSize) throws(ImageCodecError) -> ColorConversion.Layout {
      var head = image_jpeg_head()
      try check(image_jpeg_read_head(reader, &head))
      guard Int(head.width) == size.width, Int(head.height) == size.height else {
        throw ImageCodecError(
          .corrupt, message: "the JPEG says in two places how large it is: \(size) and \(head.width)×\(head.height)")
      }
      switch head.components {
      case 1: return .gray
      case 4: return .cmyk(inverted: head.is_inverted != 0)
      default: return .rgb
      }
    }

    /// Begins to decode; the size of the rows that come.
    ///
    /// - Parameter keepsInks: Whether inks come as they are stored, and not as colours.
    func start(denominator: Int, smooths: Bool, keepsInks: Bool, maxBytes: Int) throws(ImageCodecError) -> PixelSize {
      var (width, height): (UInt32, UInt32) = (0, 0)
      try check(
        image_jpeg_start(
          reader, Int32(denominator), smooths ? 1 : 0, keepsInks ? 1 : 0, max(0, maxBytes), &width, &height))
      return PixelSize(width: Int(width), height: Int(height))
    }

    /// Reads all scans of a file that has several.
    func absorb(_ watch: DecodeWatch) throws(ImageCodecError) {
      var isDone: Int32 = 0
      while isDone == 0 {
        try watch.check()
        try check(image_jpeg_absorb(reader, 8, Int32(clamping: limits.maxScans), &isDone))
      }
    }

    /// Hands over rows of opaque pixels (or of inks) from the top, all there are; those before an error too.
    mutating func readRows(
      of size: PixelSize, _ watch: DecodeWatch, _ take: (UnsafePointer<UInt8>) -> Void
    ) throws(ImageCodecError) {
      let rowBytes = 4 * size.width
      // Small enough for a processor's cache.
      let rows = min(max(1, (1 << 18) / rowBytes), 16, size.height)
      let pixels = UnsafeRow(count: rows * rowBytes)
      self.pixels = pixels
      while true {
        try watch.check()
        var count: Int32 = 0
        let status = image_jpeg_read_rows(reader, pixels.start, rowBytes, Int32(rows), &count)
        for row in 0..<Int(count) { take(pixels.start + row * rowBytes) }
        try check(status)
        if count == 0 { return }
      }
    }

    private func check(_ status: image_jpeg_status) throws(ImageCodecError) {
      let words = String(cString: image_jpeg_message(reader))
      switch status {
      case .ok: return
      case .truncated:
        throw ImageCodecError(
          .truncated, message: "the JPEG ends too early (\(words)); load it again, or ask for what there is of it")
      case .unsupported:
        throw ImageCodecError(.unsupported, message: "a kind of JPEG that libjpeg can't read: \(words)")
      case .scans: throw JPEGScans.tooMany(limits.maxScans)
      case .memory:
        throw ImageCodecError(.limit, message: "the JPEG needs more memory than its size explains: \(words)")
      case .corrupt:
        throw ImageCodecError(.corrupt, message: "the JPEG is damaged: \(words)")
      }
    }
  }
#endif
