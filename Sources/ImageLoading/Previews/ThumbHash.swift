import Foundation
import ImageCodecs

/// A picture of a few cosine waves in some twenty-five bytes, proportions and transparency included, as
/// <https://github.com/evanw/thumbhash> describes it.
///
/// The bits, from the lowest of the first byte on: the averages of lightness, of yellow against blue and of red against
/// green, six each; the scale of lightness, five; whether there is alpha, one; the waves along the shorter side, three;
/// the scales of the two colours, six each; whether the picture is wide, one; with alpha its average and scale, four
/// each; then four for each wave: lightness, colours, alpha.
struct ThumbHash {
  private struct Waves {
    let columns: Int
    let rows: Int
    var average: Float
    var factors: [Float] = []

    /// How many columns a row has: the waves make a triangle, of which the first one, the average, is kept apart.
    func columns(inRow row: Int) -> Range<Int> {
      let first = row == 0 ? 1 : 0
      // Column times rows below columns times what is left of the rows.
      let end = (columns * (rows - row) + rows - 1) / rows
      return first..<max(first, end)
    }

    var count: Int { (0..<rows).reduce(0) { $0 + columns(inRow: $1).count } }
  }

  /// The size that it is drawn at.
  let size: PixelSize
  private let hasAlpha: Bool
  private let lightness: Waves
  private let yellow: Waves
  private let red: Waves
  private let alpha: Waves

  /// Nil for too few bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 5 else { return nil }
    let head = bytes[0..<5].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    func field(_ start: UInt64, _ count: UInt64) -> Float { Float(head >> start & (1 << count - 1)) }
    hasAlpha = field(23, 1) == 1
    guard !hasAlpha || bytes.count >= 6 else { return nil }
    let isWide = field(39, 1) == 1
    let longer = hasAlpha ? 5 : 7
    let shorter = Int(field(24, 3))
    size = Self.size(columns: isWide ? longer : shorter, rows: isWide ? shorter : longer)
    var reader = NibbleReader(bytes: bytes, start: hasAlpha ? 6 : 5)
    lightness = reader.waves(
      columns: max(3, isWide ? longer : shorter), rows: max(3, isWide ? shorter : longer), average: field(0, 6) / 63,
      scale: field(18, 5) / 31)
    // Coarse steps make colours pale; a quarter more makes up for it.
    yellow = reader.waves(columns: 3, rows: 3, average: field(6, 6) / 31.5 - 1, scale: field(27, 6) / 63 * 1.25)
    red = reader.waves(columns: 3, rows: 3, average: field(12, 6) / 31.5 - 1, scale: field(33, 6) / 63 * 1.25)
    if hasAlpha {
      alpha = reader.waves(
        columns: 5, rows: 5, average: Float(bytes[5] & 15) / 15, scale: Float(bytes[5] >> 4) / 15)
    } else {
      alpha = Waves(columns: 1, rows: 1, average: 1)
    }
    guard reader.isComplete else { return nil }
  }

  /// The picture. O(pixels × waves).
  func image() -> DecodedImage? {
    let acrosses = Self.cosines(count: size.width)
    let downs = Self.cosines(count: size.height)
    return try? DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) in
      for y in 0..<size.height {
        for x in 0..<size.width {
          func value(_ waves: Waves) -> Float {
            var sum = waves.average
            var index = 0
            for row in 0..<waves.rows {
              let down = 2 * downs[y * Self.maxWaves + row]
              for column in waves.columns(inRow: row) {
                sum += waves.factors[index] * acrosses[x * Self.maxWaves + column] * down
                index += 1
              }
            }
            return sum
          }
          let (light, yellow, red) = (value(lightness), value(self.yellow), value(self.red))
          let blue = light - 2 / 3 * yellow
          let full = (3 * light - blue + red) / 2
          let opacity = hasAlpha ? min(max(value(alpha), 0), 1) : 1
          let start = 4 * (y * size.width + x)
          for (channel, color) in [full, full - red, blue, 1].enumerated() {
            pixels[start + channel] = UInt8(min(max(color, 0), 1) * opacity * 255 + 0.5)
          }
        }
      }
    }
  }

  /// As large as ``ImagePlaceholder/drawnSide`` allows, in the proportions of the waves.
  private static func size(columns: Int, rows: Int) -> PixelSize {
    let (columns, rows) = (max(1, columns), max(1, rows))
    let side = ImagePlaceholder.drawnSide
    let square = PixelSize(width: side, height: side)
    return DecodeTarget.fit(square).upscaled.outputSize(for: PixelSize(width: columns, height: rows))
  }

  private static let maxWaves = 7

  private static func cosines(count: Int) -> [Float] {
    (0..<count).flatMap { index in
      (0..<maxWaves).map { Float(cos(Double.pi * (Double(index) + 0.5) * Double($0) / Double(count))) }
    }
  }

  /// Reads the waves' factors, four bits each, the lower half of a byte first.
  private struct NibbleReader {
    let bytes: [UInt8]
    let start: Int
    var next = 0
    var isComplete = true

    init(bytes: [UInt8], start: Int) {
      self.bytes = bytes
      self.start = start
    }

    mutating func waves(columns: Int, rows: Int, average: Float, scale: Float) -> Waves {
      var waves = Waves(columns: columns, rows: rows, average: average)
      for _ in 0..<waves.count {
        let place = start + next / 2
        guard place < bytes.count else {
          isComplete = false
          return waves
        }
        let step = bytes[place] >> (next % 2 == 0 ? 0 : 4) & 15
        waves.factors.append((Float(step) / 7.5 - 1) * scale)
        next += 1
      }
      return waves
    }
  }
}
