/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size of those sides; nothing is checked here, decoders refuse what makes no sense.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The sides with a cross between them, such as `640×480`.
  public var description: String { "\(width)×\(height)" }

  /// The number of pixels; `Int.max` where the product is larger than that, 0 where a side is not positive.
  public var area: Int {
    guard width > 0, height > 0 else { return 0 }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// The size with its sides exchanged.
  var transposed: PixelSize { PixelSize(width: height, height: width) }
}
