/// The decoders that this build has.
public enum ImageDecoders {
  /// One decoder for each type of file that this build can decode: on Apple systems the system's, for all types;
  /// elsewhere one for JPEG and PNG each, and for GIF, WebP, HEIC and AVIF where the package trait of that name is on.
  public static var shipped: [any ImageDecoder] {
    #if canImport(ImageIO)
      return [SystemImageDecoder()]
    #else
      var decoders: [any ImageDecoder] = [JPEGDecoder(), PNGDecoder()]
      #if WebP
        decoders.append(WebPDecoder())
      #endif
      #if GIF
        decoders.append(GIFDecoder())
      #endif
      #if HEIC
        decoders.append(HEICDecoder())
      #endif
      #if AVIF
        decoders.append(AVIFDecoder())
      #endif
      return decoders
    #endif
  }
}

/// Decoders as one: the first that takes a file decodes it.
public struct ImageDecoderList: ImageDecoder {
  /// In the order in which they are asked.
  public var decoders: [any ImageDecoder]

  /// A list of those decoders; default ``ImageDecoders/shipped``.
  public init(_ decoders: [any ImageDecoder] = ImageDecoders.shipped) {
    self.decoders = decoders
  }

  /// Whether one of the decoders takes files that begin like that.
  public func canDecode(header: [UInt8]) -> Bool { decoders.contains { $0.canDecode(header: header) } }

  /// The size of the upright picture, as the first decoder that takes the file reads it.
  ///
  /// - Throws: ``ImageCodecError``: ``ImageCodecError/Code/unsupported`` where no decoder takes the file; the message
  ///   tells of the package trait to turn on where that would help.
  public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try decoder(for: data).size(of: data) }

  /// The picture, by the first decoder that takes the file.
  ///
  /// - Throws: ``ImageCodecError``, as ``size(of:)``.
  public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    try decoder(for: data).decode(data, options)
  }

  /// The frames of an animation, by the first decoder that takes the file; nil for a still picture.
  ///
  /// - Throws: ``ImageCodecError``, as ``size(of:)``.
  public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
    try decoder(for: data).frames(of: data, options)
  }

  /// How much of the beginning of a file is worth showing, as the first decoder that takes the file says; nil where
  /// none does.
  public func previewLength(of data: [UInt8], after shown: Int) -> Int? {
    let header = Array(data.prefix(ImageFormat.headerLength))
    return decoders.first { $0.canDecode(header: header) }?.previewLength(of: data, after: shown)
  }

  private func decoder(for data: [UInt8]) throws(ImageCodecError) -> any ImageDecoder {
    let header = Array(data.prefix(ImageFormat.headerLength))
    if let decoder = decoders.first(where: { $0.canDecode(header: header) }) { return decoder }
    guard let format = ImageFormat(sniffing: header) else {
      let reason = data.isEmpty ? "there are no bytes" : "the bytes begin like no type of picture that is known"
      throw ImageCodecError(.unsupported, message: "\(reason); look at what the server sent")
    }
    var remedy = "add a decoder that takes \(format) to the list"
    if let trait = format.trait {
      remedy = "turn on the trait \"\(trait)\" of the package that has ImageCodecs, or \(remedy)"
    }
    throw ImageCodecError(.unsupported, message: "no decoder here takes \(format) files; \(remedy)")
  }
}

extension ImageFormat {
  /// The package trait that a decoder for it needs outside Apple systems; nil where none does.
  var trait: String? { [.gif, .webp, .heic, .avif].contains(self) ? description : nil }
}
