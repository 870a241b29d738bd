import ImageCodecs

/// Decoders, of which the first that takes a file decodes it.
struct DecoderList: Sendable {
  private let decoders: [any ImageDecoder]

  init(_ decoders: [any ImageDecoder]) { self.decoders = decoders }

  /// - Throws: ``ImageCodecError/Code/unsupported`` where none takes it.
  func decoder(of bytes: [UInt8]) throws(ImageCodecError) -> any ImageDecoder {
    let header = Array(bytes.prefix(ImageFormat.headerLength))
    guard let decoder = decoders.first(where: { $0.canDecode(header: header) }) else {
      throw ImageCodecError(
        .unsupported,
        message: bytes.isEmpty
          ? "there are no bytes, so there is no picture"
          : "no decoder takes these bytes; they may be no picture at all, or one of a format that needs another decoder"
      )
    }
    return decoder
  }
}
