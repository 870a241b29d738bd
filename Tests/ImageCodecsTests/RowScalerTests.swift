import Testing

@testable import ImageCodecs

@Suite struct RowScalerTests {
  @Test func B97_rowsBecomeTheMeanOfTheirArea_likeAPlainReference() throws {
    var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
    for _ in 0..<150 {
      let source = ScalerPicture(random: &random, maxSide: 60)
      let output = PixelSize(
        width: Int.random(in: 1...80, using: &random), height: Int.random(in: 1...80, using: &random))
      let orientation = try #require(Orientation(rawValue: UInt8.random(in: 1...8, using: &random)))
      let scaled = try source.scaled(to: output, orientation)
      let expected = source.reference(output, orientation)
      #expect(scaled.size == orientation.upright(output))
      #expect(
        scaled.withPixels { pixels in zip(pixels, expected).allSatisfy { abs(Double($0) - $1) <= 0.51 } },
        "seed \(random.seed): \(source.size) to \(output), \(orientation.rawValue)")
    }
  }

  @Test func B97_tallAndWidePicturesKeepTheirMean() throws {
    // More rows and columns in one pixel than sums of 16 bits, or a plain sum of 32, hold.
    for size in [
      PixelSize(width: 3, height: 2000), PixelSize(width: 60_000, height: 2), PixelSize(width: 1, height: 65_535),
    ] {
      var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
      let source = ScalerPicture(size: size, random: &random)
      let output = PixelSize(width: min(size.width, 2), height: min(size.height, 2))
      let expected = source.reference(output, .upright)
      try source.scaled(to: output, .upright).withPixels { pixels in
        #expect(zip(pixels, expected).allSatisfy { abs(Double($0) - $1) <= 0.51 }, "seed \(random.seed): \(size)")
      }
    }
  }
}

/// Numbers of a seed, so that a failure can be had again.
struct ScalerRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  /// Another one each run; a failure's message tells it.
  static let seedOfThisRun = UInt64.random(in: 0...UInt64.max)

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Pixels at random, and what becomes of them by the definition, slowly.
struct ScalerPicture {
  let size: PixelSize
  var pixels: [UInt8]

  init(random: inout ScalerRandom, maxSide: Int) {
    let width = Int.random(in: 1...maxSide, using: &random)
    self.init(size: PixelSize(width: width, height: Int.random(in: 1...maxSide, using: &random)), random: &random)
  }

  init(size: PixelSize, random: inout ScalerRandom) {
    self.size = size
    pixels = (0..<(4 * size.area)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  func scaled(to output: PixelSize, _ orientation: Orientation) throws -> DecodedImage {
    var scaler = try RowScaler(from: size, to: output, orientation)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<size.height {
        pixels.baseAddress.map { scaler.add($0 + 4 * row * size.width) }
      }
    }
    let isComplete = scaler.isComplete
    #expect(isComplete)
    return try scaler.finish()
  }

  /// The weights of the source's pixels along one side, for each pixel that comes out.
  private static func weights(from source: Int, to target: Int) -> [[(Int, Double)]] {
    (0..<target).map { index in
      guard target > source else {
        let (lower, upper) = (Double(index * source) / Double(target), Double((index + 1) * source) / Double(target))
        return (Int(lower)..<min(source, Int(upper.rounded(.up)))).map { pixel in
          (pixel, (min(upper, Double(pixel + 1)) - max(lower, Double(pixel))) / (upper - lower))
        }
      }
      let middle = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let position = min(max(middle, 0), Double(source - 1))
      let lower = min(Int(position), source - 1)
      let share = position - Double(lower)
      return [(lower, 1 - share), (min(lower + 1, source - 1), share)]
    }
  }

  func reference(_ output: PixelSize, _ orientation: Orientation) -> [Double] {
    let columns = Self.weights(from: size.width, to: output.width)
    let rows = Self.weights(from: size.height, to: output.height)
    let upright = orientation.upright(output)
    var result = [Double](repeating: 0, count: 4 * output.area)
    for row in 0..<output.height {
      for column in 0..<output.width {
        // The eight orientations written out, as the standard's table tells them.
        let (right, bottom) = (output.width - 1 - column, output.height - 1 - row)
        let place =
          switch orientation.rawValue {
          case 2: (right, row)
          case 3: (right, bottom)
          case 4: (column, bottom)
          case 5: (row, column)
          case 6: (bottom, column)
          case 7: (bottom, right)
          case 8: (row, right)
          default: (column, row)
          }
        for channel in 0..<4 {
          var sum = 0.0
          for (y, vertical) in rows[row] {
            for (x, horizontal) in columns[column] {
              sum += vertical * horizontal * Double(pixels[4 * (y * size.width + x) + channel])
            }
          }
          result[4 * (place.1 * upright.width + place.0) + channel] = sum
        }
      }
    }
    return result
  }
}
