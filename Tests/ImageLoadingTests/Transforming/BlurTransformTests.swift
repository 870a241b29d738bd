import ImageCodecs
import Testing

@testable import ImageLoading

@Suite struct BlurTransformTests {
  /// Three passes of a mean in each direction, written down as they are defined, in floating point.
  private func blurred(_ image: DecodedImage, radius: Int) -> [Double] {
    let (width, height) = (image.size.width, image.size.height)
    var values = RestPictures.rgba(image).map(Double.init)
    for isRow in [true, false] {
      for _ in 0..<3 {
        var next = values
        for y in 0..<height {
          for x in 0..<width {
            for channel in 0..<4 {
              var sum = 0.0
              for step in -radius...radius {
                let column = isRow ? min(max(x + step, 0), width - 1) : x
                let row = isRow ? y : min(max(y + step, 0), height - 1)
                sum += values[4 * (row * width + column) + channel]
              }
              next[4 * (y * width + x) + channel] = sum / Double(2 * radius + 1)
            }
          }
        }
        values = next
      }
    }
    return values
  }

  @Test(arguments: [(17, 9, 1), (9, 40, 3), (70, 20, 5), (5, 4, 5), (1, 1, 1), (1, 30, 8), (30, 1, 30), (3, 3, 2)])
  func I9_aBlurIsThreeMeansEachWay(width: Int, height: Int, radius: Int) throws {
    let image = try RestPictures.noise(width, height, seed: UInt64(width + height))
    let result = try ImageTransform.blur(radius).apply(image)
    #expect(result.size == image.size)
    let expected = blurred(image, radius: min(radius, max(width, height)))
    let bytes = RestPictures.rgba(result)
    for index in bytes.indices where abs(Double(bytes[index]) - expected[index]) > 0.6 {
      Issue.record("byte \(index) is \(bytes[index]), not \(expected[index])")
      break
    }
  }

  @Test func I9_oneColourStaysAsItIs() throws {
    for color: [UInt8] in [[255, 255, 255, 255], [1, 0, 128, 129], [0, 0, 0, 0]] {
      let image = try RestPictures.plain(40, 30, color)
      for radius in [1, 7, 40, 100_000] {
        #expect(RestPictures.rgba(try ImageTransform.blur(radius).apply(image)) == RestPictures.rgba(image))
      }
    }
  }

  @Test func I9_coloursStayMultipliedByAlpha() throws {
    let bytes = RestPictures.rgba(try ImageTransform.blur(4).apply(RestPictures.noise(50, 50, seed: 9)))
    for start in stride(from: 0, to: bytes.count, by: 4) {
      #expect(bytes[start..<(start + 3)].allSatisfy { $0 <= bytes[start + 3] })
    }
  }

  /// Sums at the largest radius and the brightest values must not overflow.
  @Test func I9_theLargestRadiusHasRoom() throws {
    var line = BoxLine(count: 70_000, lanes: 1, radius: BoxBlur.maxRadius)
    for index in line.values.indices { line.values[index] = 255 << 8 }
    line.blur()
    #expect(line.values.allSatisfy { $0 == 255 << 8 })
  }

  @Test func I9_badRadiiChangeNothing() throws {
    let image = try RestPictures.noise(6, 4, seed: 1)
    for radius in [0, -1, Int.min] { #expect(try ImageTransform.blur(radius).apply(image) === image) }
    #expect(try ImageTransform.blur(.max).apply(image).size == image.size)
  }

  @Test func I2_aBlurHearsThatItIsCancelled() async throws {
    let image = try RestPictures.noise(64, 64, seed: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try ImageTransform.blur(3).apply(image).size
    }
    await #expect(throws: ImageCodecError.self) { try await task.value }
  }
}
