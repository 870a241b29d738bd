#if !canImport(ImageIO) && HEIC
  import CHEIF

  /// Decodes HEIC by libheif: the first picture of the file, which its transformations have turned upright. There where
  /// the trait `HEIC` is on.
  ///
  /// A picture is decoded whole and scaled then: it takes up to eight bytes for each pixel of the file. libheif can't
  /// be stopped in the middle, so ``ImageLimits/maxTime`` and cancellation are looked at before it decodes a picture
  /// and after.
  public struct HEICDecoder: ImageDecoder {
    /// A decoder; it keeps nothing.
    public init() {}

    /// Whether a file's brands are those of HEVC in HEIF.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .heic }

    /// The size of the upright picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
      try data.withBytes { (bytes) throws(ImageCodecError) in try HEIFFile(bytes, maxSide: .max).size }
    }

    /// The picture.
    ///
    /// A file that is cut or damaged gives an error always: the library decodes pictures whole.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      try data.withBytes { (bytes) throws(ImageCodecError) in
        let watch = DecodeWatch(options.limits)
        let file = try HEIFFile(bytes, maxSide: options.limits.maxSide)
        let plan = try DecodePlan(stored: file.size, options: options)
        try watch.check()
        let picture = try file.decode()
        // The pixels go with it, and a pointer to them doesn't keep it.
        defer { withExtendedLifetime(picture) {} }
        // What the pixels' own stream says need not be what the file says of it.
        try options.limits.admit(source: picture.size)
        var scaler = try RowScaler(plan, from: picture.size)
        for row in 0..<picture.size.height {
          if row % 64 == 0 { try watch.check() }
          if picture.isMultiplied {
            scaler.add(picture.start + row * picture.stride)
          } else {
            scaler.add(unmultiplied: picture.start + row * picture.stride)
          }
        }
        guard options.colors == .sRGB, let colors = file.colors() else { return try scaler.finish() }
        return try scaler.finish { (pixels, count) throws(ImageCodecError) in colors.convert(pixels, count: count) }
      }
    }
  }
#endif
