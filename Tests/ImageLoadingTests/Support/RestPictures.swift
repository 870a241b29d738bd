import Foundation
import ImageCodecs
import Testing

@testable import ImageLoading

/// Pictures and requests for the tests of memory, targets and transforms.
enum RestPictures {
  static func url(_ name: String) -> URL {
    URL(string: "https://example.org/pictures/\(name)") ?? URL(filePath: name)
  }

  static func request(_ name: String, _ target: DecodeTarget = .original, surface: String? = nil) -> ImageRequest {
    var request = ImageRequest(url(name), target: target)
    request.surface = surface
    return request
  }

  /// A picture of one colour.
  static func plain(_ width: Int, _ height: Int, _ color: [UInt8] = [10, 20, 30, 255]) throws -> DecodedImage {
    let pixels = [[UInt8]](repeating: color, count: width * height)
    return try DecodedImage(size: PixelSize(width: width, height: height), rgba: Array(pixels.joined()))
  }

  /// A picture of random pixels, colours multiplied by alpha.
  static func noise(_ width: Int, _ height: Int, seed: UInt64) throws -> DecodedImage {
    var state = seed
    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
    var bytes: [UInt8] = []
    for _ in 0..<(width * height) {
      let alpha = next()
      for _ in 0..<3 { bytes.append(alpha == 0 ? 0 : next() % alpha) }
      bytes.append(alpha)
    }
    return try DecodedImage(size: PixelSize(width: width, height: height), rgba: bytes)
  }

  /// A picture of that many bytes: four to a pixel.
  static func bytes(_ count: Int) throws -> DecodedImage { try plain(count / 4, 1) }

  static func rgba(_ image: DecodedImage) -> [UInt8] { image.withPixels { Array($0) } }

  static func pixel(_ image: DecodedImage, _ x: Int, _ y: Int) -> [UInt8] {
    image.withPixels { Array($0[(4 * (y * image.size.width + x))..<(4 * (y * image.size.width + x) + 4)]) }
  }
}

extension ImageMemory {
  func image(for request: ImageRequest) -> DecodedImage? { image(for: request, keys: ImageKeys(request)) }

  func insert(_ image: DecodedImage, for request: ImageRequest) {
    insert(image, for: request, keys: ImageKeys(request))
  }

  /// Puts a picture in that nobody else holds.
  func insertBytes(_ count: Int, _ name: String, surface: String? = nil) throws {
    insert(try RestPictures.bytes(count), for: RestPictures.request(name, surface: surface))
  }

  func has(_ name: String) -> Bool { peek(ImageKeys(RestPictures.request(name)).final) != nil }
}
