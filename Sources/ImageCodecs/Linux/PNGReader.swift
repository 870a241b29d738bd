#if !canImport(ImageIO)
  import CImageCodecs

  /// One PNG while libpng reads it: first its head, then its rows in the order of the file.
  struct PNGReader: ~Copyable {
    /// Profiles larger than this, compressed or not, count as absent.
    static let maxProfile: UInt32 = 4 << 20

    private let reader: OpaquePointer
    private let info: image_png_info

    /// Reads the head.
    ///
    /// - Parameters:
    ///   - bytes: Stay where they are as long as the reader lives.
    ///   - readsProfile: Whether ``conversion()`` will be asked.
    ///   - ignoresChecksums: For bytes whose checksums were looked at already.
    /// - Throws: ``ImageCodecError``.
    init(
      _ bytes: UnsafeRawBufferPointer, _ limits: ImageLimits, readsProfile: Bool, ignoresChecksums: Bool = false
    ) throws(ImageCodecError) {
      let options = image_png_options(
        max_side: UInt32(clamping: min(limits.maxSide, Int(Int32.max))),
        max_profile: readsProfile ? Self.maxProfile : 0,
        ignores_checksums: ignoresChecksums ? 1 : 0)
      guard
        let reader = image_png_open(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, options)
      else { throw Self.noMemory }
      var info = image_png_info()
      let status = image_png_read_info(reader, &info)
      if let failure = Self.failure(status, reader) {
        image_png_close(reader)
        throw failure
      }
      self.init(reader, info)
    }

    private init(_ reader: OpaquePointer, _ info: image_png_info) {
      self.reader = reader
      self.info = info
    }

    deinit { image_png_close(reader) }

    /// The size of the picture as it is stored; sides that don't fit count as 0.
    var size: PixelSize {
      PixelSize(width: Int(exactly: info.width) ?? 0, height: Int(exactly: info.height) ?? 0)
    }
    var isInterlaced: Bool { info.is_interlaced != 0 }
    /// Whether each pixel's alpha is 255.
    var isOpaque: Bool { info.is_opaque != 0 }

    /// What turns the file's colours into sRGB; nil where they are that already, which they are without a usable
    /// profile too.
    func conversion() -> ColorConversion? {
      var count = 0
      guard let profile = image_png_profile(reader, &count) else { return nil }
      return ColorConversion(
        icc: UnsafeRawBufferPointer(start: profile, count: count), info.is_gray != 0 ? .gray : .rgb)
    }

    /// Reads all rows, as they are stored.
    ///
    /// - Parameter body: Takes a row's pixels, four bytes each, alpha not multiplied in, which it may change; and where
    ///   they belong.
    /// - Throws: ``ImageCodecError``: what `watch` throws, and what is wrong with the file, after the rows before that.
    mutating func forEachRow(
      _ watch: DecodeWatch, _ body: (UnsafeMutablePointer<UInt8>, PNGRow) -> Void
    ) throws(ImageCodecError) {
      if let failure = Self.failure(image_png_begin(reader), reader) { throw failure }
      // A band stays in the cache, between libpng and whoever takes the rows.
      let stride = 4 * size.width
      let bandRows = max(1, min(64, (64 << 10) / max(1, stride)))
      let band = UnsafeRow(count: max(1, stride * min(bandRows, size.height)))
      defer { withExtendedLifetime(band) {} }
      for pass in isInterlaced ? PNGPass.interlaced : [.whole] {
        let passSize = pass.size(in: size)
        guard passSize.area > 0 else { continue }
        var row = 0
        while row < passSize.height {
          try watch.check()
          let count = min(bandRows, passSize.height - row)
          var complete: UInt32 = 0
          let status = image_png_read_rows(reader, band.start, stride, UInt32(count), &complete)
          for index in 0..<Int(complete) {
            body(band.start + index * stride, pass.row(row + index, count: passSize.width))
          }
          row += Int(complete)
          if row < passSize.height, let failure = Self.failure(status, reader) { throw failure }
        }
      }
    }

    private static func failure(_ status: image_png_status, _ reader: OpaquePointer) -> ImageCodecError? {
      switch status {
      case IMAGE_PNG_OK: nil
      case IMAGE_PNG_TRUNCATED:
        ImageCodecError(.truncated, message: "the PNG file ends before its pixels do; get the whole file")
      case IMAGE_PNG_NO_MEMORY: noMemory
      default:
        ImageCodecError(
          .corrupt, message: "the PNG file is damaged (\(String(cString: image_png_message(reader)))); get it again")
      }
    }

    private static var noMemory: ImageCodecError {
      ImageCodecError(.limit, message: "there is no memory to read a PNG file; load fewer pictures at once")
    }
  }
#endif
