#if canImport(UIKit)
  public import ImageCodecs
  public import UIKit

  extension UIImage {
    /// A decoded picture; the pixels are shared, not copied. Nil only where the system refuses to make one.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - scale: Pixels a point; default 1.
    public convenience init?(_ image: DecodedImage, scale: CGFloat = 1) {
      guard let picture = image.cgImage else { return nil }
      self.init(cgImage: picture, scale: scale, orientation: .up)
    }
  }
#endif
