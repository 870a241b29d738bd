import ImageCodecs

extension ImagePlaceholder {
  /// The longer side of what hashes are drawn at, in pixels: they hold no more detail than that.
  static let drawnSide = 32

  /// The picture to show; nil for a hash that makes no sense. Takes some ten microseconds for a hash.
  ///
  /// - Parameter target: A BlurHash doesn't know its proportions; it is drawn in those of the target's size, where
  ///   there is one.
  func drawn(for target: DecodeTarget) -> DecodedImage? {
    switch kind {
    case .image: return held
    case .blurHash(let text): return BlurHash(text)?.image(size: Self.size(for: target))
    case .thumbHash(let bytes): return ThumbHash(bytes)?.image()
    }
  }

  private static func size(for target: DecodeTarget) -> PixelSize {
    let square = PixelSize(width: drawnSide, height: drawnSide)
    guard let asked = target.size, asked.width > 0, asked.height > 0 else { return square }
    return DecodeTarget.fit(square).outputSize(for: asked)
  }
}
