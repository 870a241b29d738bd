import ImageCodecs
import Testing

/// What size comes out for what was asked.
@Suite struct TargetSizeTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  @Test func B98_B101_nothingGrowsUnlessThatIsAsked() {
    let source = size(40, 30)
    for target in [DecodeTarget.fit(size(400, 400)), .fill(size(41, 1)), .fit(size(.max, .max)), .original] {
      #expect(target.outputSize(for: source) == source, "\(target)")
    }
    #expect(DecodeTarget.fit(size(400, 400)).upscaled.outputSize(for: source) == size(400, 300))
    #expect(DecodeTarget.fill(size(400, 400)).upscaled.outputSize(for: source) == size(533, 400))
    #expect(DecodeTarget.fit(size(20, 20)).upscaled.outputSize(for: source) == size(20, 15))
  }

  @Test(arguments: [
    (400, 300, 100, 100, 100, 75, 133, 100), (300, 400, 100, 100, 75, 100, 100, 133),
    (500, 500, 100, 50, 50, 50, 100, 100), (1, 1000, 10, 10, 1, 10, 1, 1000), (1000, 1, 10, 10, 10, 1, 1000, 1),
    (1000, 10, 100, 100, 100, 1, 1000, 10), (400, 300, 0, 0, 1, 1, 1, 1), (400, 300, -5, 100, 1, 1, 133, 100),
    (3, 3, 2, 2, 2, 2, 2, 2),
  ])
  func B100_fitAndFill(
    width: Int, height: Int, askedWidth: Int, askedHeight: Int, fitWidth: Int, fitHeight: Int, fillWidth: Int,
    fillHeight: Int
  ) {
    let (source, asked) = (size(width, height), size(askedWidth, askedHeight))
    #expect(DecodeTarget.fit(asked).outputSize(for: source) == size(fitWidth, fitHeight))
    #expect(DecodeTarget.fill(asked).outputSize(for: source) == size(fillWidth, fillHeight))
  }

  @Test func B100_sizesWithoutEndDontTrap() {
    for side in [Int.max, .min, 0, 1] {
      for target in [DecodeTarget.fit(size(side, 1)), .fill(size(1, side)), .fit(size(side, side)).upscaled] {
        let result = target.outputSize(for: size(3, 65_535))
        #expect(result.width >= 1 && result.height >= 1)
        #expect(target.outputSize(for: size(side, side)).width <= .max)
      }
    }
  }
}
