public import ImageCodecs

/// A picture, and where it came from.
public struct ImageResponse: Sendable {
  /// Where a picture came from; more places may come.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The name, stable across releases.
    public let description: String

    /// Decoded pictures in memory.
    public static let memory = Origin(description: "memory")
    /// A file of the cache, or of the app.
    public static let disk = Origin(description: "disk")
    /// The server.
    public static let network = Origin(description: "network")
    /// Bytes that the request brought along, or that a custom loader made.
    public static let data = Origin(description: "data")
  }

  /// The picture.
  public var image: DecodedImage
  /// Where it, or the bytes that it was made from, came from.
  public var origin: Origin

  /// A picture from somewhere.
  public init(image: DecodedImage, origin: Origin) {
    self.image = image
    self.origin = origin
  }
}
