#if canImport(CoreGraphics)
  public import CoreGraphics
  public import ImageCodecs

  extension DecodedImage {
    /// The picture as Core Graphics knows it; the pixels are shared, not copied, and kept as long as it is.
    ///
    /// Nil only where the system refuses to make one. O(1).
    public var cgImage: CGImage? {
      let pixels = heldPixels
      guard let start = pixels.baseAddress, let space = CGColorSpace(name: CGColorSpace.sRGB),
        let provider = CGDataProvider(
          dataInfo: Unmanaged.passRetained(self).toOpaque(), data: start, size: pixels.count,
          releaseData: { image, _, _ in
            if let image { Unmanaged<DecodedImage>.fromOpaque(image).release() }
          })
      else { return nil }
      let layout = CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Big.rawValue
      return CGImage(
        width: size.width, height: size.height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * size.width,
        space: space, bitmapInfo: CGBitmapInfo(rawValue: layout), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }
  }
#endif
