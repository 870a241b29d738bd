#if !canImport(ImageIO)
  import Foundation
  import Testing

  @testable import ImageCodecs

  @Suite struct ColorConversionTests {
    @Test func B102_displayP3BecomesSRGB_byTheFormula() throws {
      let conversion = try #require(ColorConversion(ColorCodePoints(primaries: 12, transfer: 13)))
      let profile = try #require(ProfileBytes.displayP3.withUnsafeBytes { ColorConversion(icc: $0) })
      for color in [[200, 100, 50], [128, 128, 128], [40, 90, 160], [255, 255, 255], [0, 0, 0]] as [[UInt8]] {
        let expected = Self.sRGB(ofDisplayP3: color)
        for conversion in [conversion, profile] {
          var pixel = color + [255]
          conversion.convert(&pixel, count: 1)
          #expect(zip(pixel, expected).allSatisfy { abs(Double($0) - $1) <= 2 }, "\(color): \(pixel), not \(expected)")
          #expect(pixel[3] == 255)
        }
      }
    }

    @Test func B102_colorsOfTransparentPixelsAreConvertedUnmultiplied() throws {
      let conversion = try #require(ColorConversion(ColorCodePoints(primaries: 12, transfer: 13)))
      var opaque: [UInt8] = [200, 100, 50, 255]
      var half: [UInt8] = [100, 50, 25, 128, 0, 0, 0, 0]
      conversion.convert(&opaque, count: 1)
      conversion.convert(&half, count: 2)
      #expect(zip(half[0..<3], opaque).allSatisfy { abs(2 * Int($0) - Int($1)) <= 2 })
      #expect(Array(half[3...]) == [128, 0, 0, 0, 0])
    }

    @Test func B102_aProfileThatIsSRGBConvertsNothing() {
      #expect(ProfileBytes.sRGB.withUnsafeBytes { ColorConversion(icc: $0) } == nil)
      #expect(ColorConversion(ColorCodePoints(primaries: 1, transfer: 13)) == nil)
      #expect(ColorConversion(ColorCodePoints(primaries: 2, transfer: 2)) == nil)
    }

    @Test func B106_damagedHugeAndForeignProfilesAreIgnored() {
      let good = ProfileBytes.displayP3
      #expect([UInt8]().withUnsafeBytes { ColorConversion(icc: $0) } == nil)
      #expect(good[0..<200].withUnsafeBytes { ColorConversion(icc: $0) } == nil)
      #expect((good + [UInt8](repeating: 0, count: 5 << 20)).withUnsafeBytes { ColorConversion(icc: $0) } == nil)
      #expect(good.withUnsafeBytes { ColorConversion(icc: $0, .cmyk(inverted: true)) } == nil)
      var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
      for _ in 0..<500 {
        var damaged = good
        for _ in 0..<4 {
          damaged[Int.random(in: 0..<good.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        // Whatever is left of it, converting must not trap.
        var pixels = [UInt8](repeating: 99, count: 40)
        damaged.withUnsafeBytes { ColorConversion(icc: $0) }?.convert(&pixels, count: 10)
      }
    }

    /// Both have the same curve: out of it, through the primaries (from XYZ and back, D65), into it.
    private static func sRGB(ofDisplayP3 color: [UInt8]) -> [Double] {
      let linear = color.map { value -> Double in
        let part = Double(value) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      let matrix = [[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]]
      return matrix.map { row in
        let part = min(1, max(0, zip(row, linear).map(*).reduce(0, +)))
        return 255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055)
      }
    }
  }

  /// Small profiles of three primaries and a curve (ICC.1, 8.3.3), put together byte by byte.
  enum ProfileBytes {
    static let sRGB = matrix([[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]])
    static let displayP3 = matrix([
      [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    ])

    /// - Parameter primaries: XYZ of red, green and blue, adapted to D50.
    static func matrix(_ primaries: [[Double]]) -> [UInt8] {
      func big(_ value: Int, _ length: Int = 4) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded())) }
      func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ ".utf8) + big(0) + values.flatMap(fixed) }
      // The curve of sRGB, as the third kind of function.
      let curve =
        Array("para".utf8) + big(0) + big(3, 2) + big(0, 2)
        + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
      let tags: [(String, [UInt8])] =
        [("wtpt", xyz([0.9642, 1, 0.8249]))] + zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, xyz($1)) }
        + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
      var directory = big(tags.count)
      var content: [UInt8] = []
      for (name, bytes) in tags {
        directory += Array(name.utf8) + big(128 + 4 + 12 * tags.count + content.count) + big(bytes.count)
        content += bytes
      }
      let size = 128 + directory.count + content.count
      let header =
        big(size) + big(0) + big(0x0420_0000) + Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + [0.9642, 1, 0.8249].flatMap(fixed)
      return header + [UInt8](repeating: 0, count: 128 - header.count) + directory + content
    }
  }
#endif
