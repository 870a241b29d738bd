public import ImageCodecs

/// What a target is to show now.
public struct ImageContent: Sendable {
  /// How far the load has come; more stages may come.
  public struct Stage: Hashable, Sendable, CustomStringConvertible {
    /// The name, stable across releases.
    public let description: String

    /// Nothing was asked for: the target is cleared.
    public static let empty = Stage(description: "empty")
    /// The load goes on; ``ImageContent/image`` is the placeholder, or nil. A target that would rather keep what it
    /// shows ignores it.
    public static let placeholder = Stage(description: "placeholder")
    /// A thumbnail, or the picture as far as it has come.
    public static let preview = Stage(description: "preview")
    /// The picture.
    public static let image = Stage(description: "image")
    /// The picture won't come; ``ImageContent/error`` says why. Nothing follows.
    public static let failure = Stage(description: "failure")
  }

  /// How far the load has come.
  public var stage: Stage
  /// What to show, if there is something.
  public var image: DecodedImage?
  /// Why it failed, with ``Stage/failure``.
  public var error: ImageError?
  /// Where the picture came from, with ``Stage/image``. From `memory` it comes in the turn of the bind: show it without
  /// a fade.
  public var origin: ImageResponse.Origin?

  /// Content of that stage.
  public init(
    stage: Stage, image: DecodedImage? = nil, error: ImageError? = nil, origin: ImageResponse.Origin? = nil
  ) {
    self.stage = stage
    self.image = image
    self.error = error
    self.origin = origin
  }
}
