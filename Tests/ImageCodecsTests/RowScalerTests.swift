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
      var source = ScalerPicture(size: size, random: &random)
      // Bright, so that sums are as large as they get.
      source.pixels = source.pixels.map { $0 | 0xC0 }
      let output = PixelSize(width: min(size.width, 2), height: min(size.height, 2))
      let expected = source.reference(output, .upright)
      try source.scaled(to: output, .upright).withPixels { pixels in
        #expect(zip(pixels, expected).allSatisfy { abs(Double($0) - $1) <= 0.51 }, "seed \(random.seed): \(size)")
      }
    }
  }
}

extension RowScalerTests {
  @Test(arguments: 1...8)
  func B97_eachOrientationOfAFileGivesTheSameUprightPicture(value: Int) throws {
    let orientation = try #require(Orientation(rawValue: UInt8(value)))
    // Red, green, blue and yellow quarters, read by rows, as a file of that orientation has them.
    let stored = ["", "RGBY", "GRYB", "YBGR", "BYRG", "RBGY", "GYRB", "YGBR", "BRYG"][value]
    let colors: [Character: [UInt8]] = [
      "R": [255, 0, 0, 255], "G": [0, 255, 0, 255], "B": [0, 0, 255, 255], "Y": [255, 255, 0, 255],
    ]
    let quarters = stored.map { colors[$0] ?? [] }
    // 12 wide and 8 high when upright.
    let size = orientation.upright(PixelSize(width: 12, height: 8))
    var pixels: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        pixels += quarters[(row < size.height / 2 ? 0 : 2) + (column < size.width / 2 ? 0 : 1)]
      }
    }
    for divisor in [1, 2] {
      let output = PixelSize(width: size.width / divisor, height: size.height / divisor)
      let image = try ScalerPicture(size: size, pixels: pixels).scaled(to: output, orientation)
      #expect(image.size == PixelSize(width: 12 / divisor, height: 8 / divisor))
      let corners = image.withPixels { pixels in
        let right = image.size.width - 1
        let bottom = (image.size.height - 1) * image.size.width
        return [0, right, bottom, bottom + right].map { Array(pixels[(4 * $0)..<(4 * $0 + 4)]) }
      }
      #expect(corners == "RGBY".map { colors[$0] ?? [] }, "at 1/\(divisor)")
    }
  }

  @Test func B103_transparentColorsLeaveNoHalo() throws {
    // White beside transparent black and transparent red: all that shows is white.
    let row: [UInt8] = [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 128, 255, 0, 0, 0]
    var scaler = try RowScaler(
      from: PixelSize(width: 4, height: 1), to: PixelSize(width: 2, height: 1), .upright)
    row.withUnsafeBufferPointer { row in row.baseAddress.map { scaler.add(unmultiplied: $0) } }
    let pixels = try scaler.finish().withPixels { Array($0) }
    #expect(pixels == [128, 128, 128, 128, 64, 64, 64, 64])
  }

  @Test func B107_rowsThatDidNotComeStayTransparent() throws {
    for value in 1...8 {
      let orientation = try #require(Orientation(rawValue: UInt8(value)))
      let size = PixelSize(width: 6, height: 4)
      let opaque = [UInt8](repeating: 255, count: 4 * size.width)
      var scaler = try RowScaler(from: size, to: PixelSize(width: 3, height: 2), orientation)
      for _ in 0..<2 { opaque.withUnsafeBufferPointer { row in row.baseAddress.map { scaler.add($0) } } }
      let isComplete = scaler.isComplete
      #expect(!isComplete)
      var converted = 0
      let image = try scaler.finish { (pixels, count) throws(ImageCodecError) in
        for index in 0..<count { pixels[4 * index] = 7 }
        converted += count
      }
      // Half of it, and nothing else, has been converted.
      #expect(converted == 3)
      #expect(image.withPixels { $0.filter { $0 == 7 }.count } == 3, "orientation \(value)")
      #expect(image.withPixels { $0.filter { $0 == 255 }.count } == 9, "orientation \(value)")
    }
  }

  @Test func B97_rowsTooManyAreLeftOut() throws {
    var random = ScalerRandom(seed: 1)
    let picture = ScalerPicture(size: PixelSize(width: 5, height: 3), random: &random)
    var scaler = try RowScaler(from: picture.size, to: PixelSize(width: 2, height: 1), .upright)
    picture.pixels.withUnsafeBufferPointer { pixels in
      for row in [0, 1, 2, 0, 1] { pixels.baseAddress.map { scaler.add($0 + 20 * row) } }
    }
    let expected = try picture.scaled(to: PixelSize(width: 2, height: 1), .upright).withPixels { Array($0) }
    #expect(try scaler.finish().withPixels { Array($0) } == expected)
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

  init(size: PixelSize, pixels: [UInt8]) {
    self.size = size
    self.pixels = pixels
  }

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
