public import ImageCodecs

/// What a target shows while it waits; costs no request.
public struct ImagePlaceholder: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case image(ObjectIdentifier)
    case blurHash(String)
    case thumbHash([UInt8])
  }

  let kind: Kind
  let held: DecodedImage?

  private init(_ kind: Kind, held: DecodedImage? = nil) {
    self.kind = kind
    self.held = held
  }

  /// A picture that is there.
  public static func image(_ image: DecodedImage) -> ImagePlaceholder {
    ImagePlaceholder(.image(ObjectIdentifier(image)), held: image)
  }

  /// A [BlurHash](https://github.com/woltapp/blurhash); one that makes no sense shows nothing.
  public static func blurHash(_ hash: String) -> ImagePlaceholder { ImagePlaceholder(.blurHash(hash)) }

  /// A [ThumbHash](https://github.com/evanw/thumbhash); one that makes no sense shows nothing.
  public static func thumbHash(_ hash: [UInt8]) -> ImagePlaceholder { ImagePlaceholder(.thumbHash(hash)) }

  /// Whether both show the same: the same object, or the same hash.
  public static func == (a: ImagePlaceholder, b: ImagePlaceholder) -> Bool { a.kind == b.kind }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
