import ImageCodecs
import Testing

@testable import ImageLoading

@Suite struct ResizeTransformTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  /// How much of each source pixel goes into a target pixel, in one direction.
  private func weights(_ index: Int, from source: Int, to target: Int) -> [Double] {
    var weights = [Double](repeating: 0, count: source)
    if target <= source {
      let (lower, upper) = (Double(index * source) / Double(target), Double((index + 1) * source) / Double(target))
      for place in 0..<source {
        weights[place] = max(0, min(upper, Double(place + 1)) - max(lower, Double(place))) / (upper - lower)
      }
    } else {
      let position = min(max((Double(index) + 0.5) * Double(source) / Double(target) - 0.5, 0), Double(source - 1))
      let lower = Int(position)
      weights[lower] += 1 - (position - Double(lower))
      weights[min(lower + 1, source - 1)] += position - Double(lower)
    }
    return weights
  }

  @Test(arguments: [
    (9, 6, 3, 2), (10, 7, 3, 5), (7, 5, 14, 10), (5, 9, 11, 4), (1, 1, 5, 3), (30, 1, 7, 4), (8, 8, 8, 3),
    (3, 40, 1, 1),
  ])
  func I9_aResizeIsTheMeanByArea(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
    let image = try RestPictures.noise(width, height, seed: UInt64(width * height))
    let bytes = RestPictures.rgba(image)
    let result = try ImageTransform.resize(to: size(toWidth, toHeight)).apply(image)
    #expect(result.size == size(toWidth, toHeight))
    for y in 0..<toHeight {
      let downs = weights(y, from: height, to: toHeight)
      for x in 0..<toWidth {
        let acrosses = weights(x, from: width, to: toWidth)
        let pixel = RestPictures.pixel(result, x, y)
        for channel in 0..<4 {
          var sum = 0.0
          for row in 0..<height {
            for column in 0..<width {
              sum += downs[row] * acrosses[column] * Double(bytes[4 * (row * width + column) + channel])
            }
          }
          #expect(abs(Double(pixel[channel]) - sum) <= 0.6, "\(x), \(y)")
        }
      }
    }
  }

  /// Red beside nothing: the edge is a paler red, and no darker one.
  @Test func B103_transparentEdgesHaveNoDarkHalo() throws {
    let image = try DecodedImage(size: size(2, 1), rgba: [255, 0, 0, 255, 0, 0, 0, 0])
    #expect(RestPictures.rgba(try ImageTransform.resize(to: size(1, 1)).apply(image)) == [128, 0, 0, 128])
    let grown = try ImageTransform.resize(to: size(16, 4)).apply(image)
    for x in 0..<16 {
      let pixel = RestPictures.pixel(grown, x, 2)
      #expect(pixel[0] == pixel[3])
    }
  }

  @Test func I9_badSizesCountAsOneAndLargeOnesAreRefused() throws {
    let image = try RestPictures.noise(6, 4, seed: 1)
    #expect(try ImageTransform.resize(to: size(0, -5)).apply(image).size == size(1, 1))
    #expect(try ImageTransform.resize(to: size(6, 4)).apply(image) === image)
    #expect(ImageTransform.resize(to: size(.min, 2)) == .resize(to: size(1, 2)))
    for (width, height) in [(Int.max, Int.max), (.max, 1), (1, .max), (5001, 5000)] {
      #expect {
        try ImageTransform.resize(to: size(width, height)).apply(image)
      } throws: { ($0 as? ImageCodecError)?.code == .limit }
    }
  }

  @Test func I2_aResizeHearsThatItIsCancelled() async throws {
    let image = try RestPictures.noise(64, 64, seed: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try ImageTransform.resize(to: PixelSize(width: 9, height: 9)).apply(image).size
    }
    await #expect(throws: ImageCodecError.self) { try await task.value }
  }
}
