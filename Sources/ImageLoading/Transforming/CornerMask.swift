import Foundation
import ImageCodecs

/// Four rounded corners: how much of each pixel lies inside them, as exact as numbers are.
struct CornerMask {
  let size: PixelSize
  /// In pixels; at most half of the shorter side.
  let radius: Double

  /// - Parameter radius: Below zero counts as zero, above half of the shorter side as that.
  init(size: PixelSize, radius: Double) {
    self.size = size
    self.radius = min(max(0, radius), Double(min(size.width, size.height)) / 2)
  }

  /// The side of the square of pixels, in each corner, of which any is cut.
  private var side: Int { Int(radius.rounded(.up)) }

  /// Calls `body` for each pixel of which a part lies outside, with the part inside, 0 to 1. O(radius²).
  func forEachCut(_ body: (_ x: Int, _ y: Int, _ inside: Double) -> Void) {
    for row in 0..<side {
      for column in 0..<side {
        let inside = coverage(column, row)
        guard inside < 1 else { break }
        for y in Self.mirrored(row, size.height) {
          for x in Self.mirrored(column, size.width) { body(x, y, inside) }
        }
      }
    }
  }

  /// A place and its mirror image, once where they are one.
  private static func mirrored(_ index: Int, _ count: Int) -> [Int] {
    let other = count - 1 - index
    return other == index ? [index] : [index, other]
  }

  /// How much of a pixel in the top left corner lies inside, 0 to 1.
  func coverage(_ column: Int, _ row: Int) -> Double {
    // Where its sides are from the circle's centre, to the left and up.
    let (left, top) = (radius - Double(column), radius - Double(row))
    let (right, bottom) = (left - 1, top - 1)
    if max(0, right) * max(0, right) + max(0, bottom) * max(0, bottom) >= radius * radius { return 0 }
    if left * left + top * top <= radius * radius { return 1 }
    // A radius of a half pixel more has pixels across the circle's middle: beyond it lies the other half of the same
    // circle, or the straight edge of a longer side.
    if right < 0, Double(size.width) > 2 * radius { return area(0..<left, bottom..<top) - right }
    if bottom < 0, Double(size.height) > 2 * radius { return area(right..<left, 0..<top) - bottom }
    return area(right..<left, bottom..<top)
  }

  private func area(_ x: Range<Double>, _ y: Range<Double>) -> Double {
    let area =
      quadrant(x.upperBound, y.upperBound) - quadrant(x.lowerBound, y.upperBound)
      - quadrant(x.upperBound, y.lowerBound) + quadrant(x.lowerBound, y.lowerBound)
    return min(max(area, 0), 1)
  }

  /// The area of the circle between the axes and a corner; for a side below zero the area on the other side of the
  /// axis, counted as negative, so that differences give the area of any rectangle.
  private func quadrant(_ x: Double, _ y: Double) -> Double {
    let sign: Double = (x < 0) == (y < 0) ? 1 : -1
    let (x, y) = (min(abs(x), radius), min(abs(y), radius))
    if x * x + y * y <= radius * radius { return sign * x * y }
    let reach = (radius * radius - y * y).squareRoot()
    return sign * (reach * y + underArc(x) - underArc(reach))
  }

  /// The area under the circle's arc from its middle to `x`.
  private func underArc(_ x: Double) -> Double {
    let ratio = min(max(x / radius, -1), 1)
    return (x * max(0, radius * radius - x * x).squareRoot() + radius * radius * asin(ratio)) / 2
  }

  /// The picture with its corners cut.
  ///
  /// - Throws: `ImageCodecError` where there is no memory for it.
  func applied(to image: DecodedImage) throws(ImageCodecError) -> DecodedImage {
    guard radius > 0 else { return image }
    return try DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) throws(ImageCodecError) in
      image.withPixels { pixels.copyMemory(from: $0) }
      forEachCut { x, y, inside in
        let start = 4 * (y * size.width + x)
        for index in start..<(start + 4) { pixels[index] = UInt8(Double(pixels[index]) * inside + 0.5) }
      }
    }
  }
}
