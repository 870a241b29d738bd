#if !canImport(ImageIO)
  /// Decodes PNG by libpng: all colour types and depths, interlaced or not, and animations (APNG).
  ///
  /// - Sixteen bits a channel are rounded to eight.
  /// - Memory: the file, a few rows and what comes out; four bytes a pixel of the file for interlaced ones that shrink
  ///   to more than a tenth of their pixels.
  /// - Colours: a profile (`iCCP`) of up to 4 MiB is followed. Without one, numbers are sRGB. `gAMA` and `cHRM` are
  ///   ignored: 45455 with sRGB's primaries says sRGB anyway, and other values are too often wrong; libpng by itself,
  ///   Pillow and libvips show the numbers too. So is `cICP`.
  /// - Chunks that pixels don't need are stepped over unread, whatever is compressed in them and however they are
  ///   damaged. Checksums of the others must be right, but for `tRNS` and `iCCP`, which then count as absent. A file
  ///   that ends after its last pixel is whole.
  /// - Orientation: from EXIF (`eXIf`), or as ImageMagick and XMP write it.
  /// - Of an animation, ``decode(_:_:)`` gives the picture that decoders without animation show.
  public struct PNGDecoder: ImageDecoder {
    /// A decoder; it holds nothing.
    public init() {}

    /// Whether the bytes begin with PNG's signature.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .png }

    /// The size of the upright picture; reads chunk heads only.
    ///
    /// - Throws: ``ImageCodecError/Code/unsupported`` for other types, ``ImageCodecError/Code/truncated``,
    ///   ``ImageCodecError/Code/corrupt``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try Self.header(data).upright }

    /// The picture, upright.
    ///
    /// - Throws: ``ImageCodecError``: `unsupported` for other types, `limit`, `cancelled`, `truncated`, `corrupt`. With
    ///   ``DecodeOptions/allowsPartial`` the last two only where there is not one row; rows that are missing are
    ///   transparent, and places of an interlaced picture show the pixels that came nearby.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      let watch = DecodeWatch(options.limits)
      let plan = try Self.plan(data, options)
      return try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        let reader = try PNGReader(bytes, options.limits, readsProfile: options.colors == .sRGB)
        return try reader.picture(plan, watch)
      }
    }

    /// The frames of an APNG; nil for a still picture, and where the chunks of the animation break its rules: then the
    /// picture of ``decode(_:_:)`` is all that the file promises.
    ///
    /// A picture that is not part of the animation is none of its frames. An animation of one frame which is the
    /// picture itself is a still picture.
    ///
    /// - Throws: ``ImageCodecError``: as ``decode(_:_:)``; `limit` naming `maxFrameBytes` where composing takes more
    ///   than that; `truncated` where frames are missing at the end, unless ``DecodeOptions/allowsPartial`` leaves them
    ///   out.
    public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
      let plan = try Self.plan(data, options)
      let animation = try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        try APNG.read(bytes, canvas: plan.stored, allowsPartial: options.allowsPartial)
      }
      guard let animation else { return nil }
      return try ComposedFrames(APNGFrames(data: data, animation: animation, options: options), plan)
    }

    private static func header(_ data: [UInt8]) throws(ImageCodecError) -> ImageHeader {
      guard ImageFormat(sniffing: Array(data.prefix(ImageFormat.headerLength))) == .png else {
        throw ImageCodecError(.unsupported, message: "the bytes are no PNG file; ask ImageDecoders for a decoder")
      }
      return try ImageHeader(data)
    }

    private static func plan(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodePlan {
      let header = try header(data)
      return try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
    }
  }
#endif
