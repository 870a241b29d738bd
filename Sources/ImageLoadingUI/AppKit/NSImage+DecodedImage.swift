#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import ImageCodecs

  extension NSImage {
    /// A decoded picture; the pixels are shared, not copied. Nil only where the system refuses to make one.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - scale: Pixels a point, above 0; default 1.
    public convenience init?(_ image: DecodedImage, scale: CGFloat = 1) {
      guard scale > 0, let picture = image.cgImage else { return nil }
      let size = NSSize(width: CGFloat(image.size.width) / scale, height: CGFloat(image.size.height) / scale)
      self.init(cgImage: picture, size: size)
    }
  }
#endif
