import ImageCodecs
import Loading
import Testing

@testable import ImageLoading

/// Values that other implementations give for the same hashes.
@Suite struct HashTests {
  private func near(_ a: [UInt8], _ b: [Int], by tolerance: Int = 1) -> Bool {
    zip(a, b).allSatisfy { abs(Int($0) - $1) <= tolerance }
  }

  @Test func I12_aBlurHashGivesTheKnownColours() throws {
    let image = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")?.image(size: PixelSize(width: 32, height: 24)))
    for (x, y, color) in [
      (0, 0, [135, 164, 177]), (31, 0, [137, 166, 181]), (16, 12, [158, 125, 108]), (0, 23, [136, 144, 147]),
      (31, 23, [132, 142, 147]), (5, 20, [141, 144, 143]),
    ] {
      let pixel = RestPictures.pixel(image, x, y)
      #expect(near(pixel, color), "\(x), \(y): \(pixel)")
      #expect(pixel[3] == 255)
    }
    let wide = try #require(BlurHash("D$Het82swxX8a|l}WDjte;fQ")?.image(size: PixelSize(width: 8, height: 8)))
    for (x, y, color) in [
      (0, 0, [0, 0, 143]), (7, 0, [227, 0, 126]), (3, 4, [101, 150, 125]), (7, 7, [217, 207, 116]),
    ] {
      #expect(near(RestPictures.pixel(wide, x, y), color), "\(x), \(y): \(RestPictures.pixel(wide, x, y))")
    }
    let flat = try #require(BlurHash("00OZZy")?.image(size: PixelSize(width: 4, height: 4)))
    #expect(near(RestPictures.pixel(flat, 3, 1), [213, 30, 120], by: 0))
  }

  @Test(
    arguments: [
      (
        [213, 7, 18, 29, 4, 103, 135, 143, 119, 87, 135, 72, 135, 135, 151, 135, 88, 120, 144, 149, 8], 23, 32,
        [[64, 78, 113, 255], [85, 109, 139, 255], [140, 110, 89, 255], [0, 12, 43, 255], [0, 4, 40, 255]]
      ),
      (
        [154, 8, 134, 35, 150, 43, 96, 119, 80, 120, 134, 96, 80, 6, 246, 152, 143, 136, 79, 119, 120, 135, 135], 32,
        19,
        [[35, 24, 119, 255], [221, 2, 93, 240], [129, 120, 86, 180], [0, 222, 91, 241], [152, 141, 75, 24]]
      ),
    ] as [([UInt8], Int, Int, [[Int]])])
  func I12_aThumbHashGivesTheKnownColours(bytes: [UInt8], width: Int, height: Int, colors: [[Int]]) throws {
    let image = try #require(ThumbHash(bytes)?.image())
    try #require(image.size == PixelSize(width: width, height: height))
    let places = [(0, 0), (width - 1, 0), (width / 2, height / 2), (0, height - 1), (width - 1, height - 1)]
    for ((x, y), color) in zip(places, colors) {
      let pixel = RestPictures.pixel(image, x, y)
      let multiplied = color.prefix(3).map { ($0 * color[3] + 127) / 255 } + [color[3]]
      #expect(near(pixel, multiplied, by: 2), "\(x), \(y): \(pixel), not \(multiplied)")
    }
  }

  /// Two waves one way and seven the other.
  @Test func I12_aThumbHashHasProportions() {
    let tall: [UInt8] = [32, 155, 14, 58, 26, 133, 144, 136, 135, 135, 120, 135, 127, 72, 136, 247, 120]
    #expect(ThumbHash(tall)?.size == PixelSize(width: 9, height: 32))
  }

  @Test(arguments: [
    "", "0", "00000", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj",
    "LEHV6nWB2yk8pyo0adR*.7kCMdn\u{e9}",
    "~0000000", "}00000" + String(repeating: "0", count: 36), "00~~~~", "A\"HV6n", " 00000", "\u{0}00000", "🙂🙂🙂🙂🙂🙂",
  ])
  func I12_aBlurHashThatMakesNoSenseShowsNothing(text: String) {
    #expect(ImagePlaceholder.blurHash(text).drawn(for: .original) == nil)
  }

  @Test func I12_noBytesMakeAHashTrap() {
    var random = SeededGenerator(seed: 12)
    for count in 0..<40 {
      for _ in 0..<50 {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        _ = ImagePlaceholder.thumbHash(bytes).drawn(for: .original)
        let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
        let text = String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
        _ = ImagePlaceholder.blurHash(text).drawn(for: .fit(PixelSize(width: 9, height: 2)))
      }
      #expect(ThumbHash([UInt8](repeating: 0, count: min(count, 4))) == nil)
    }
    // Every cut of a good one is none.
    let good: [UInt8] = [213, 7, 18, 29, 4, 103, 135, 143, 119, 87, 135, 72, 135, 135, 151, 135, 88, 120, 144, 149, 8]
    for count in 0..<(good.count - 1) { #expect(ThumbHash(Array(good.prefix(count))) == nil) }
  }

  @Test func I12_aBlurHashIsDrawnInTheTargetsProportions() {
    let hash = ImagePlaceholder.blurHash("00OZZy")
    #expect(hash.drawn(for: .fill(PixelSize(width: 300, height: 150)))?.size == PixelSize(width: 32, height: 16))
    #expect(hash.drawn(for: .fit(PixelSize(width: 1, height: 3000)))?.size == PixelSize(width: 1, height: 32))
    #expect(hash.drawn(for: .fit(PixelSize(width: 0, height: -4)))?.size == PixelSize(width: 32, height: 32))
    #expect(hash.drawn(for: .original)?.size == PixelSize(width: 32, height: 32))
  }

  @Test func I12_aPictureIsItsOwnPlaceholder() throws {
    let image = try RestPictures.plain(3, 3)
    #expect(ImagePlaceholder.image(image).drawn(for: .original) === image)
    #expect(ImagePlaceholder.image(image) == .image(image))
    #expect(ImagePlaceholder.image(image) != .image(try RestPictures.plain(3, 3)))
  }
}
