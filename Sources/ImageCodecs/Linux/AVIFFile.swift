#if !canImport(ImageIO) && AVIF
  import CAVIF

  /// A file that libavif has open.
  final class AVIFFile {
    private let decoder: UnsafeMutablePointer<avifDecoder>
    /// As the pixels lie in the file.
    let stored: PixelSize
    let orientation: Orientation
    /// At least 1.
    let frameCount: Int

    /// Reads what the file says of itself; decodes nothing.
    ///
    /// - Parameter bytes: Not copied: they must outlive the file.
    /// - Throws: ``ImageCodecError``.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImageCodecError) {
      guard let decoder = avifDecoderCreate() else { throw Self.noMemory }
      self.decoder = decoder
      // Decodes run beside one another already.
      decoder.pointee.maxThreads = 1
      // What turns the picture are its properties; libavif would take EXIF for it.
      decoder.pointee.ignoreExif = 1
      decoder.pointee.ignoreXMP = 1
      decoder.pointee.strictFlags = UInt32(AVIF_STRICT_DISABLED.rawValue)
      // Sides are looked at with the limits, which say more.
      decoder.pointee.imageDimensionLimit = 0
      do throws(ImageCodecError) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try Self.check(avifDecoderSetIOMemory(decoder, start, bytes.count), decoder)
        try Self.check(avifDecoderParse(decoder), decoder)
        guard let image = decoder.pointee.image else { throw Self.noPicture }
        stored = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
        orientation = Self.orientation(image.pointee)
        frameCount = max(1, Int(decoder.pointee.imageCount))
      } catch {
        avifDecoderDestroy(decoder)
        throw error
      }
    }

    deinit { avifDecoderDestroy(decoder) }

    /// Hands the limit on to the codec, for pixels whose own stream says that they are more than the file says.
    func limit(to limits: ImageLimits) throws(ImageCodecError) {
      let most = min(limits.maxSourcePixels, Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT))
      decoder.pointee.imageSizeLimit = UInt32(clamping: max(1, most))
      try Self.check(avifDecoderReset(decoder), decoder)
    }

    /// How long the frame that was decoded last is shown.
    var duration: Duration {
      let seconds = decoder.pointee.imageTiming.duration
      // As browsers do with other formats: files that say less mean as fast as can be.
      guard seconds.isFinite, seconds >= 0.02 else { return .milliseconds(100) }
      return .seconds(min(seconds, 86_400))
    }

    /// Decodes a frame, as large as the plan says.
    func decode(_ index: Int, _ plan: DecodePlan) throws(ImageCodecError) -> DecodedImage {
      let watch = DecodeWatch(plan.options.limits)
      try watch.check()
      try Self.check(avifDecoderNthImage(decoder, UInt32(clamping: index)), decoder)
      guard let image = decoder.pointee.image else { throw Self.noPicture }
      try watch.check()
      // What the pixels' own stream says need not be what the file says of it.
      let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
      try plan.options.limits.admit(source: size)
      var rgb = avifRGBImage()
      avifRGBImageSetDefaults(&rgb, image)
      rgb.depth = 8
      rgb.format = AVIF_RGB_FORMAT_RGBA
      rgb.alphaPremultiplied = 1
      avifRGBImageAllocatePixels(&rgb)
      defer { avifRGBImageFreePixels(&rgb) }
      guard let pixels = rgb.pixels else { throw Self.noMemory }
      try Self.check(avifImageYUVToRGB(image, &rgb), decoder)
      var scaler = try RowScaler(plan, from: size)
      for row in 0..<size.height {
        if row % 64 == 0 { try watch.check() }
        scaler.add(pixels + row * Int(rgb.rowBytes))
      }
      guard plan.options.colors == .sRGB, let colors = Self.colors(image.pointee) else { return try scaler.finish() }
      return try scaler.finish { (pixels, count) throws(ImageCodecError) in colors.convert(pixels, count: count) }
    }

    private static func colors(_ image: avifImage) -> ColorConversion? {
      if image.icc.size > 0 {
        return ColorConversion(icc: UnsafeRawBufferPointer(start: image.icc.data, count: image.icc.size))
      }
      return ColorConversion(
        ColorCodePoints(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics)))
    }

    /// The rotation against the clock and the mirroring after it, as one of EXIF's eight.
    private static func orientation(_ image: avifImage) -> Orientation {
      let turns = image.transformFlags & UInt32(AVIF_TRANSFORM_IROT.rawValue) == 0 ? 0 : Int(image.irot.angle & 3)
      let isMirrored = image.transformFlags & UInt32(AVIF_TRANSFORM_IMIR.rawValue) != 0
      let values: [UInt8] =
        !isMirrored ? [1, 8, 3, 6] : image.imir.mode == 0 ? [4, 5, 2, 7] : [2, 7, 4, 5]
      return Orientation(rawValue: values[turns]) ?? .upright
    }

    private static let noMemory = ImageCodecError(.limit, message: "libavif has no memory for the picture")
    private static let noPicture = ImageCodecError(.corrupt, message: "the AVIF file has no picture")

    private static func check(
      _ result: avifResult, _ decoder: UnsafeMutablePointer<avifDecoder>
    ) throws(ImageCodecError) {
      guard result != AVIF_RESULT_OK else { return }
      let name = avifResultToString(result).map { String(cString: $0) } ?? "no reason given"
      let details = withUnsafeBytes(of: decoder.pointee.diag.error) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let text = details.isEmpty ? name : "\(name) (\(details))"
      switch result {
      case AVIF_RESULT_OUT_OF_MEMORY: throw noMemory
      case _ where details.contains("too large"):
        throw ImageCodecError(.limit, message: "libavif refuses the picture for its size: \(text)")
      case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_WAITING_ON_IO:
        throw ImageCodecError(.truncated, message: "the AVIF file ends too early: \(text)")
      case AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
        throw ImageCodecError(
          .unsupported, message: "libavif can't decode this: \(text); it may lack a codec for AV1")
      default:
        throw ImageCodecError(.corrupt, message: "the AVIF file is damaged: \(text)")
      }
    }
  }
#endif
