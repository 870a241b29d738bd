#if canImport(ImageIO)
  /// Decodes by the system's own decoders (ImageIO): JPEG, PNG, GIF, WebP, HEIC and AVIF, animations too.
  ///
  /// A picture is never decoded larger than it comes out. Limits of pixels hold before anything is decoded; the
  /// system's decoders can't be stopped in the middle, so ``ImageLimits/maxTime`` and cancellation are looked at before
  /// and after, and ``ImageLimits/maxScans`` isn't.
  public struct SystemImageDecoder: ImageDecoder {
    /// A decoder; it keeps nothing.
    public init() {}

    /// Whether a file begins as one of the formats of ``ImageFormat`` does.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) != nil }

    /// The size of the upright picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
      let header = try SystemImageFile(data).header()
      return header.orientation.upright(header.stored)
    }

    /// The picture, or the first frame of an animation.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      let watch = DecodeWatch(options.limits)
      let file = try SystemImageFile(data)
      let header = try file.header()
      let plan = try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
      if !options.allowsPartial { try file.requireWhole(0) }
      try watch.check()
      let image = try file.picture(0, plan)
      try watch.check()
      return image
    }

    /// The frames of an animation with more than one, composed by the system.
    ///
    /// Holds the file and what ImageIO keeps of it.
    ///
    /// - Throws: ``ImageCodecError``.
    public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
      let file = try SystemImageFile(data)
      guard file.frameCount > 1, file.isAnimation else { return nil }
      let header = try file.header()
      let plan = try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
      return SystemImageFrames(file, plan)
    }
  }
#endif
