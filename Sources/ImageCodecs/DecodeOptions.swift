/// What a decoder is asked for.
public struct DecodeOptions: Hashable, Sendable {
  /// What becomes of the colours; more ways may come.
  public struct ColorHandling: Hashable, Sendable, CustomStringConvertible {
    /// The name, stable across releases.
    public let description: String

    /// Converted to sRGB by the profile in the file, where it has one.
    public static let sRGB = ColorHandling(description: "sRGB")
    /// The numbers in the file, whatever their profile says they mean.
    public static let asStored = ColorHandling(description: "asStored")
  }

  /// How large; default ``DecodeTarget/original``.
  public var target: DecodeTarget
  /// What is refused.
  public var limits: ImageLimits
  /// What becomes of the colours; default ``ColorHandling/sRGB``.
  public var colors: ColorHandling
  /// Whether a file that is cut or damaged in the middle gives what there is of it, the rest gray or transparent,
  /// instead of an error; default false.
  public var allowsPartial: Bool

  /// Options of those values.
  public init(
    target: DecodeTarget = .original, limits: ImageLimits = .init(), colors: ColorHandling = .sRGB,
    allowsPartial: Bool = false
  ) {
    self.target = target
    self.limits = limits
    self.colors = colors
    self.allowsPartial = allowsPartial
  }
}
