#if !canImport(ImageIO) && WebP
  /// Decodes WebP by libwebp: lossy, lossless, with alpha, animated. There where the trait `WebP` is on.
  ///
  /// A picture that becomes much smaller is scaled while it is decoded: a lossy one takes some rows and what comes out,
  /// a lossless one four bytes for each pixel of the file besides, since any pixel of it may refer to any before. Small
  /// ones, those that become no less than 4/9 as wide, and lossy ones with alpha are decoded whole, at four bytes a
  /// pixel, and scaled then, since libwebp scales colours without regard to fine chroma and to alpha. A file with fewer
  /// bytes than it says is ``ImageCodecError/Code/truncated``, any other that ends early is
  /// ``ImageCodecError/Code/corrupt``.
  public struct WebPDecoder: ImageDecoder {
    /// A decoder; it keeps nothing.
    public init() {}

    /// Whether a file begins with `RIFF` and `WEBP`.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .webp }

    /// The size of the upright picture, or of the canvas of an animation.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try Self.header(data).upright }

    /// The picture, or the first frame of an animation.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      let header = try Self.header(data)
      let plan = try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
      let file = WebPFile(data)
      guard file.canvas != nil else {
        let patch = FramePatch(x: 0, y: 0, size: plan.stored, disposal: .keep, blend: .source)
        return try WebPPicture(file: file, plan: plan).decode(0..<file.end, patch)
      }
      guard let first = file.frames.first else { throw file.endsInside() }
      return try WebPPicture(file: file, plan: plan).decode(first.picture, first.patch)
    }

    /// The frames of an animation with more than one, composed.
    ///
    /// Holds the canvas, and one frame more while it is decoded. Any frame can be had after a seek; it takes decoding
    /// the frames since the last one that covers all. Where the file is cut, the frame that isn't whole is an error of
    /// ``ImageFrames/next()``, or with ``DecodeOptions/allowsPartial`` what there is of it.
    ///
    /// - Throws: ``ImageCodecError``.
    public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
      let header = try Self.header(data)
      let file = WebPFile(data)
      guard file.frames.count > 1 else { return nil }
      let plan = try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
      return try ComposedFrames(WebPFrames(file: file, options: options), plan)
    }

    private static func header(_ data: [UInt8]) throws(ImageCodecError) -> ImageHeader {
      guard ImageFormat(sniffing: Array(data.prefix(ImageFormat.headerLength))) == .webp else {
        throw ImageCodecError(
          .unsupported, message: "the file doesn't begin as a WebP does; let another decoder try it")
      }
      return try ImageHeader(data)
    }
  }

  extension WebPFile {
    /// The error of a picture that is not whole.
    func endsInside() -> ImageCodecError {
      isCut
        ? ImageCodecError(
          .truncated, message: "the WebP has fewer bytes than it says; fetch all of it, or allow partial ones")
        : ImageCodecError(.corrupt, message: "the WebP's picture is damaged")
    }

    /// What turns the colours into sRGB, where that is asked for and needed.
    func colors(_ options: DecodeOptions) -> ColorConversion? {
      guard options.colors == .sRGB, let profile else { return nil }
      return data.withUnsafeBytes { ColorConversion(icc: UnsafeRawBufferPointer(rebasing: $0[profile])) }
    }
  }
#endif
