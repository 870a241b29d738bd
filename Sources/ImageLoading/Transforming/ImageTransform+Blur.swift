import ImageCodecs

extension ImageTransform {
  /// The picture blurred, transparency included: three passes of a mean over `2 * radius + 1` pixels in each direction,
  /// which together are close to a Gaussian with a standard deviation of `√(radius * (radius + 1))` pixels.
  ///
  /// Beyond its edges the picture counts as going on in the colour of its edge. O(pixels), whatever the radius.
  ///
  /// - Parameter radius: In pixels; below 1 changes nothing, and more than the longer side, or 32,000, counts as that.
  public static func blur(_ radius: Int) -> ImageTransform {
    let radius = min(max(0, radius), BoxBlur.maxRadius)
    return ImageTransform(identifier: "swift-paging.blur(\(radius))") { image in
      let radius = min(radius, max(image.size.width, image.size.height))
      return radius == 0 ? image : try BoxBlur(radius: radius).applied(to: image)
    }
  }
}
