#if !canImport(ImageIO) && WebP
  import CWebP

  /// Decodes one picture of a WebP by libwebp, a piece of its bytes at a time, so that a decode can end between them,
  /// and a file that is cut gives the rows that there are.
  struct WebPReader {
    /// How a picture ended.
    enum End { case whole, early, damaged }

    /// The file up to its end, or the chunks of a frame.
    let bytes: UnsafeBufferPointer<UInt8>
    let size: PixelSize
    let hasAlpha: Bool
    let isLossless: Bool

    /// Reads the head of the picture.
    ///
    /// - Returns: Nil with how it ended where that can't be read.
    /// - Throws: ``ImageCodecError/Code/limit`` where there is no memory.
    static func open(_ bytes: UnsafeBufferPointer<UInt8>) -> (reader: WebPReader?, end: End) {
      var features = WebPBitstreamFeatures()
      switch WebPGetFeatures(bytes.baseAddress, bytes.count, &features) {
      case VP8_STATUS_OK: break
      case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: return (nil, .early)
      default: return (nil, .damaged)
      }
      let reader = WebPReader(
        bytes: bytes, size: PixelSize(width: Int(features.width), height: Int(features.height)),
        hasAlpha: features.has_alpha != 0, isLossless: features.format == 2)
      return (reader, .whole)
    }

    /// Decodes into rows that follow one another, colours multiplied by alpha.
    ///
    /// - Parameters:
    ///   - output: The picture's own size, or a smaller one.
    ///   - memory: Room for `4 * output.area` bytes.
    /// - Returns: How the picture ended, and how many rows of `memory` are final.
    /// - Throws: What `watch` throws, and ``ImageCodecError/Code/limit`` where there is no memory.
    func read(
      _ output: PixelSize, into memory: UnsafeMutablePointer<UInt8>, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> (end: End, rows: Int) {
      var config = WebPDecoderConfig()
      guard WebPInitDecoderConfig(&config) != 0, let stride = Int32(exactly: 4 * output.width) else {
        throw Self.noMemory
      }
      config.output.colorspace = MODE_rgbA
      config.output.is_external_memory = 1
      config.output.u.RGBA = WebPRGBABuffer(rgba: memory, stride: stride, size: 4 * output.area)
      if output != size {
        config.options.use_scaling = 1
        config.options.scaled_width = Int32(output.width)
        config.options.scaled_height = Int32(output.height)
      }
      // Decodes run beside one another already. A thread for the filters shows a picture that is alone a third earlier, and
      // costs a quarter more of the processor.
      config.options.use_threads = 0
      // The library refers to the configuration for as long as its decoder lives.
      return try withUnsafeMutablePointer(to: &config) { (config) throws(ImageCodecError) -> (End, Int) in
        guard let decoder = WebPIDecode(nil, 0, config) else { throw Self.noMemory }
        defer { WebPIDelete(decoder) }
        return try feed(decoder, output, watch)
      }
    }

    private func feed(
      _ decoder: OpaquePointer, _ output: PixelSize, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> (end: End, rows: Int) {
      // About 64 rows a piece, if all cost the same.
      let step = max(1024, bytes.count / max(1, size.height / 64) + 1)
      var given = 0
      var status = VP8_STATUS_SUSPENDED
      while status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA, given < bytes.count {
        try watch.check()
        given = min(bytes.count, given + step)
        status = WebPIUpdate(decoder, bytes.baseAddress, given)
      }
      if status == VP8_STATUS_OK { return (.whole, output.height) }
      if status == VP8_STATUS_OUT_OF_MEMORY { throw Self.noMemory }
      var rows: Int32 = 0
      if WebPIDecGetRGB(decoder, &rows, nil, nil, nil) == nil { rows = 0 }
      let isEarly = status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA
      return (isEarly ? .early : .damaged, min(max(0, Int(rows)), output.height))
    }

    private static var noMemory: ImageCodecError {
      ImageCodecError(.limit, message: "there is no memory to decode a WebP; ask for a smaller target")
    }
  }
#endif
