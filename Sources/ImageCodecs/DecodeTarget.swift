/// How large a picture should come out of a decoder.
///
/// The proportions are the picture's own always, and nothing is cut off. Sizes are those of the upright picture.
public struct DecodeTarget: Hashable, Sendable {
  /// How the picture and the size that was asked for relate; more ways may come.
  public struct Mode: Hashable, Sendable, CustomStringConvertible {
    /// The mode's name, stable across releases.
    public let description: String

    /// The file's own size.
    public static let original = Mode(description: "original")
    /// As large as possible inside the size.
    public static let fit = Mode(description: "fit")
    /// As small as possible while it covers the size.
    public static let fill = Mode(description: "fill")
  }

  /// How the picture and ``size`` relate.
  public let mode: Mode
  /// The size that was asked for, in pixels; nil for ``original``.
  public let size: PixelSize?
  /// Whether a picture smaller than that is made larger; default false.
  public var allowsUpscaling: Bool

  private init(_ mode: Mode, _ size: PixelSize?) {
    self.mode = mode
    self.size = size
    allowsUpscaling = false
  }

  /// The file's own size.
  public static var original: DecodeTarget { DecodeTarget(.original, nil) }

  /// As large as possible inside `size`, never larger than the file.
  public static func fit(_ size: PixelSize) -> DecodeTarget { DecodeTarget(.fit, size) }

  /// As small as possible while it covers `size`, never larger than the file.
  public static func fill(_ size: PixelSize) -> DecodeTarget { DecodeTarget(.fill, size) }

  /// The same, making small pictures larger too.
  public var upscaled: DecodeTarget {
    var target = self
    target.allowsUpscaling = true
    return target
  }

  /// The size of what comes out for a picture of that upright size, rounded to whole pixels, no side below 1.
  ///
  /// A size that was asked for with a side that is not positive counts as 1 there.
  public func outputSize(for source: PixelSize) -> PixelSize {
    guard let asked = size, source.width > 0, source.height > 0 else { return source }
    let byWidth = Double(max(1, asked.width)) / Double(source.width)
    let byHeight = Double(max(1, asked.height)) / Double(source.height)
    var factor = mode == .fill ? max(byWidth, byHeight) : min(byWidth, byHeight)
    if !allowsUpscaling { factor = min(factor, 1) }
    return PixelSize(width: Self.side(source.width, factor), height: Self.side(source.height, factor))
  }

  private static func side(_ length: Int, _ factor: Double) -> Int {
    // Bounded before it becomes an integer, since a side asked for may be any number.
    Int(min(max(1, (Double(length) * factor).rounded()), 1e15))
  }
}
