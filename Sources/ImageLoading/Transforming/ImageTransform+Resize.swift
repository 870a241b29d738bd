public import ImageCodecs

extension ImageTransform {
  /// The picture in exactly that size, whatever its proportions: the mean of the pixels that lie in each where it gets
  /// smaller, linear between them where it grows. For a size that keeps the proportions ask the decoder with a
  /// `DecodeTarget`, which costs less.
  ///
  /// Transparent pixels' colours don't count. O(pixels that come in and go out).
  ///
  /// - Parameter size: In pixels; a side below 1 counts as 1. More pixels than `ImageLimits` has by default (25
  ///   million) fail the load with ``ImageError/Code/transform``.
  public static func resize(to size: PixelSize) -> ImageTransform {
    let size = PixelSize(width: max(1, size.width), height: max(1, size.height))
    return ImageTransform(identifier: "swift-paging.resize(\(size.width)x\(size.height))") { image in
      let limit = ImageLimits().maxOutputPixels
      guard size.area <= limit else {
        throw ImageCodecError(
          .limit, message: "a picture can't be resized to \(size) pixels: \(limit) are the most; ask for fewer")
      }
      return try image.resized(to: size)
    }
  }
}
