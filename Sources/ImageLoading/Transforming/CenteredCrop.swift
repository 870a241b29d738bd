import ImageCodecs

/// The middle of a picture, cut out.
struct CenteredCrop {
  let size: PixelSize

  /// The part of that size in the middle, where one pixel too many goes to the right and to the bottom. A side that is
  /// not positive counts as 1, one that is longer than the picture's as the picture's.
  ///
  /// - Throws: `ImageCodecError` where there is no memory for it.
  func applied(to image: DecodedImage) throws(ImageCodecError) -> DecodedImage {
    let source = image.size
    let cut = PixelSize(width: min(max(1, size.width), source.width), height: min(max(1, size.height), source.height))
    guard cut != source else { return image }
    let left = (source.width - cut.width) / 2
    let top = (source.height - cut.height) / 2
    return try DecodedImage(size: cut) { (pixels: UnsafeMutableRawBufferPointer) in
      image.withPixels { all in
        for y in 0..<cut.height {
          let start = 4 * ((top + y) * source.width + left)
          let row = UnsafeMutableRawBufferPointer(rebasing: pixels[(4 * y * cut.width)..<(4 * (y + 1) * cut.width)])
          row.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<(start + 4 * cut.width)]))
        }
      }
    }
  }
}
