import ImageCodecs

/// What a decoded picture in memory was made for, and so which other targets it can stand in for.
struct CachedSize: Hashable, Sendable {
  /// How well a picture stands in for another.
  enum Match: Comparable {
    /// At most a pixel of difference in each direction.
    case close(off: Int)
    /// Larger, by that many pixels in all.
    case larger(area: Int)
  }

  /// How many pixels a side may differ.
  static let tolerance = 1

  let size: PixelSize
  let target: DecodeTarget

  /// Whether it is as large as the file, as far as sizes tell: it was asked for like that, or the target had room left.
  var isNative: Bool {
    guard let asked = target.size else { return true }
    if target.allowsUpscaling { return false }
    return target.mode == .fill
      ? size.width < asked.width || size.height < asked.height : size.width < asked.width && size.height < asked.height
  }

  /// How well it would do for that target; nil: not at all.
  func match(for asked: DecodeTarget, allowsLarger: Bool) -> Match? {
    let wanted: PixelSize
    if isNative {
      wanted = asked.outputSize(for: size)
    } else {
      // What the file's size is isn't known, but its proportions are these.
      guard asked.size != nil, asked.allowsUpscaling == target.allowsUpscaling else { return nil }
      wanted = asked.upscaled.outputSize(for: size)
    }
    let off = max(abs(wanted.width - size.width), abs(wanted.height - size.height))
    if off <= Self.tolerance { return .close(off: off) }
    guard allowsLarger, wanted.width <= size.width, wanted.height <= size.height else { return nil }
    return .larger(area: size.area)
  }
}
