import Foundation
import ImageCodecs
import Testing

@testable import ImageLoading

/// Circle, rounded corners and crop, pixel by pixel.
@Suite struct ShapeTransformTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  /// How much of a pixel lies in a shape, by counting points: as good as a thousandth.
  private func counted(_ x: Int, _ y: Int, _ isInside: (Double, Double) -> Bool) -> Double {
    let steps = 100
    var inside = 0
    for row in 0..<steps {
      for column in 0..<steps
      where isInside(Double(x) + (Double(column) + 0.5) / 100, Double(y) + (Double(row) + 0.5) / 100) {
        inside += 1
      }
    }
    return Double(inside) / Double(steps * steps)
  }

  private func isInside(_ x: Double, _ y: Double, _ size: PixelSize, _ radius: Double) -> Bool {
    let (width, height) = (Double(size.width), Double(size.height))
    let centerX = min(max(x, radius), width - radius)
    let centerY = min(max(y, radius), height - radius)
    return (x - centerX) * (x - centerX) + (y - centerY) * (y - centerY) <= radius * radius
  }

  @Test(arguments: [(12, 12), (11, 11), (1, 1), (2, 2), (30, 11), (11, 30), (64, 64)])
  func I9_aCirclesEdgeIsAsOpaqueAsItsPartInside(width: Int, height: Int) throws {
    let image = try RestPictures.plain(width, height, [200, 100, 0, 255])
    let circle = try ImageTransform.circle.apply(image)
    let side = min(width, height)
    #expect(circle.size == size(side, side))
    for y in 0..<side {
      for x in 0..<side {
        let part = counted(x, y) { isInside($0, $1, size(side, side), Double(side) / 2) }
        let pixel = RestPictures.pixel(circle, x, y)
        #expect(abs(Double(pixel[3]) - 255 * part) <= 1.5, "\(x), \(y)")
        #expect(abs(Double(pixel[0]) - 200 * part) <= 1.5, "\(x), \(y)")
        #expect(pixel[2] == 0)
      }
    }
  }

  @Test(arguments: [(20, 14, 5), (9, 5, 4), (5, 9, 9), (9, 5, 100), (8, 8, 1), (7, 7, 3)])
  func I9_roundedCornersCutTheirPart(width: Int, height: Int, radius: Int) throws {
    let rounded = try ImageTransform.roundedCorners(radius).apply(
      RestPictures.plain(width, height, [255, 255, 255, 255]))
    #expect(rounded.size == size(width, height))
    let clamped = min(Double(radius), Double(min(width, height)) / 2)
    for y in 0..<height {
      for x in 0..<width {
        let part = counted(x, y) { isInside($0, $1, size(width, height), clamped) }
        #expect(abs(Double(RestPictures.pixel(rounded, x, y)[3]) - 255 * part) <= 1.5, "\(x), \(y)")
      }
    }
  }

  /// The area of what is left is the circle's, to a hundredth of a pixel: no pixel is counted twice or left out.
  @Test(arguments: [1, 2, 3, 10, 25, 100]) func I9_coverageSumsUpToTheArea(side: Int) {
    let mask = CornerMask(size: size(side, side), radius: Double(side) / 2)
    var area = Double(side * side)
    mask.forEachCut { _, _, inside in area -= 1 - inside }
    #expect(abs(area - Double.pi * Double(side * side) / 4) < 0.01)
  }

  @Test func I9_coloursStayMultipliedByAlpha() throws {
    let image = try RestPictures.noise(31, 31, seed: 7)
    for transform in [ImageTransform.circle, .roundedCorners(9)] {
      let bytes = RestPictures.rgba(try transform.apply(image))
      for start in stride(from: 0, to: bytes.count, by: 4) {
        #expect(bytes[start..<(start + 3)].allSatisfy { $0 <= bytes[start + 3] })
      }
    }
  }

  @Test func I9_badRadiiChangeNothingOrAreBounded() throws {
    let image = try RestPictures.noise(6, 4, seed: 1)
    for radius in [0, -1, Int.min] { #expect(try ImageTransform.roundedCorners(radius).apply(image) === image) }
    let most = RestPictures.rgba(try ImageTransform.roundedCorners(.max).apply(image))
    #expect(most == RestPictures.rgba(try ImageTransform.roundedCorners(2).apply(image)))
  }

  @Test func B4_identifiersTellParametersApart() {
    let transforms = [
      ImageTransform.circle, .roundedCorners(1), .roundedCorners(2), .crop(to: size(1, 2)), .crop(to: size(2, 1)),
      .blur(1), .blur(2),
    ]
    #expect(Set(transforms).count == transforms.count)
    // What does the same is the same.
    #expect(ImageTransform.roundedCorners(-5) == .roundedCorners(0))
    #expect(ImageTransform.blur(-5) == .blur(0))
    #expect(ImageTransform.crop(to: size(0, -3)) == .crop(to: size(1, 1)))
  }

  @Test(arguments: [
    (6, 5, 2, 3, 2, 1), (6, 5, 3, 2, 1, 1), (5, 5, 1, 1, 2, 2), (4, 4, 9, 2, 0, 1), (3, 3, 0, -7, 1, 1),
    (4, 4, .max, .min, 0, 1),
  ])
  func I9_aCropIsTheMiddle(width: Int, height: Int, cutWidth: Int, cutHeight: Int, left: Int, top: Int) throws {
    let image = try RestPictures.noise(width, height, seed: 3)
    let cut = try ImageTransform.crop(to: size(cutWidth, cutHeight)).apply(image)
    #expect(cut.size == size(min(max(cutWidth, 1), width), min(max(cutHeight, 1), height)))
    for y in 0..<cut.size.height {
      for x in 0..<cut.size.width {
        #expect(RestPictures.pixel(cut, x, y) == RestPictures.pixel(image, x + left, y + top))
      }
    }
  }

  @Test func I9_aCropThatCutsNothingIsThePicture() throws {
    let image = try RestPictures.noise(4, 3, seed: 3)
    #expect(try ImageTransform.crop(to: size(4, 3)).apply(image) === image)
    #expect(try ImageTransform.crop(to: size(.max, .max)).apply(image) === image)
  }
}
