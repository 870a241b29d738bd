import Foundation
import ImageCodecs

/// A picture of a few cosine waves in some twenty letters, as <https://github.com/woltapp/blurhash> describes it
/// ("Algorithm.md").
struct BlurHash {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// What each byte stands for, -1 for those that stand for nothing.
  private static let values: [Int] = {
    var values = [Int](repeating: -1, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
    return values
  }()

  private let columns: Int
  private let rows: Int
  /// Linear red, green and blue of each wave, row by row.
  private let waves: [SIMD4<Float>]

  /// Nil for a text that is no such hash: letters that it doesn't use, or too few or too many of them.
  init?(_ text: String) {
    let digits = text.utf8.map { Self.values[Int($0)] }
    guard digits.count >= 6, digits.allSatisfy({ $0 >= 0 }) else { return nil }
    columns = digits[0] % 9 + 1
    rows = digits[0] / 9 + 1
    // The last two digits would be a tenth row.
    guard rows <= 9, digits.count == 4 + 2 * columns * rows else { return nil }
    let largest = Float(digits[1] + 1) / 166
    let average = digits[2..<6].reduce(0) { $0 * 83 + $1 }
    guard average < 1 << 24 else { return nil }
    var waves = [
      SIMD4(
        Self.linear(average >> 16), Self.linear(average >> 8 & 255), Self.linear(average & 255), 0)
    ]
    for index in 1..<(columns * rows) {
      let value = digits[4 + 2 * index] * 83 + digits[5 + 2 * index]
      guard value < 19 * 19 * 19 else { return nil }
      waves.append(
        SIMD4(Self.part(value / 361), Self.part(value / 19 % 19), Self.part(value % 19), 0) * largest)
    }
    self.waves = waves
  }

  /// The picture, opaque. O(pixels × columns).
  func image(size: PixelSize) -> DecodedImage? {
    let acrosses = Self.cosines(count: size.width, waves: columns)
    let downs = Self.cosines(count: size.height, waves: rows)
    return try? DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) in
      var line = [SIMD4<Float>](repeating: .zero, count: columns)
      for y in 0..<size.height {
        for column in 0..<columns {
          var sum = SIMD4<Float>.zero
          for row in 0..<rows { sum += waves[row * columns + column] * downs[y * rows + row] }
          line[column] = sum
        }
        for x in 0..<size.width {
          var color = SIMD4<Float>.zero
          for column in 0..<columns { color += line[column] * acrosses[x * columns + column] }
          let start = 4 * (y * size.width + x)
          for channel in 0..<3 { pixels[start + channel] = Self.byte(ofLinear: color[channel]) }
          pixels[start + 3] = 255
        }
      }
    }
  }

  private static func cosines(count: Int, waves: Int) -> [Float] {
    var cosines: [Float] = []
    cosines.reserveCapacity(count * waves)
    for index in 0..<count {
      for wave in 0..<waves { cosines.append(Float(cos(Double.pi * Double(index * wave) / Double(count)))) }
    }
    return cosines
  }

  /// A part of a wave's colour, -1 to 1, from its nineteen steps, which lie closer around zero.
  private static func part(_ step: Int) -> Float {
    let part = Float(step - 9) / 9
    return part < 0 ? -part * part : part * part
  }

  private static func linear(_ byte: Int) -> Float {
    let value = Float(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// sRGB of linear values in steps of a 4,095th, since a power for each pixel takes longer than all the rest.
  private static let bytes: [UInt8] = (0...4095).map { step in
    let value = Float(step) / 4095
    let encoded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8((encoded * 255 + 0.5).rounded(.down))
  }

  private static func byte(ofLinear value: Float) -> UInt8 {
    bytes[Int((min(max(value, 0), 1) * 4095).rounded())]
  }
}
