public import ImageCodecs

extension ImageTransform {
  /// The circle in the middle of the picture, in a square as large as its shorter side; transparent around it.
  ///
  /// Pixels on the edge are as opaque as the part of them that lies inside. O(pixels).
  public static var circle: ImageTransform {
    ImageTransform(identifier: "swift-paging.circle") { image in
      let side = min(image.size.width, image.size.height)
      let square = PixelSize(width: side, height: side)
      return try CornerMask(size: square, radius: Double(side) / 2).applied(
        to: CenteredCrop(size: square).applied(to: image))
    }
  }

  /// The picture with its four corners rounded; transparent outside them.
  ///
  /// Pixels on the edge are as opaque as the part of them that lies inside. O(pixels).
  ///
  /// - Parameter radius: In pixels; below zero counts as zero, which changes nothing, and more than half of the shorter
  ///   side as that.
  public static func roundedCorners(_ radius: Int) -> ImageTransform {
    let radius = max(0, radius)
    return ImageTransform(identifier: "swift-paging.roundedCorners(\(radius))") { image in
      try CornerMask(size: image.size, radius: Double(radius)).applied(to: image)
    }
  }

  /// The middle of the picture, cut out; nothing is scaled.
  ///
  /// Where the same number of pixels can't be cut on both sides, one more is cut on the right or at the bottom.
  /// O(pixels that come out).
  ///
  /// - Parameter size: In pixels; a side below 1 counts as 1, one longer than the picture's as the picture's.
  public static func crop(to size: PixelSize) -> ImageTransform {
    let size = PixelSize(width: max(1, size.width), height: max(1, size.height))
    return ImageTransform(identifier: "swift-paging.crop(\(size.width)x\(size.height))") { image in
      try CenteredCrop(size: size).applied(to: image)
    }
  }
}
