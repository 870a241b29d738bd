import Testing

@testable import ImageCodecs

@Suite struct DecodeTargetTests {
  @Test func B100_fitLiesInsideTheSizeAsked() {
    let target = DecodeTarget.fit(PixelSize(width: 100, height: 100))
    #expect(target.outputSize(for: PixelSize(width: 4000, height: 3000)) == PixelSize(width: 100, height: 75))
    #expect(target.outputSize(for: PixelSize(width: 3000, height: 4000)) == PixelSize(width: 75, height: 100))
    #expect(target.outputSize(for: PixelSize(width: 640, height: 640)) == PixelSize(width: 100, height: 100))
  }

  @Test func B100_fillCoversTheSizeAskedOnItsShorterSide() {
    let target = DecodeTarget.fill(PixelSize(width: 100, height: 100))
    #expect(target.outputSize(for: PixelSize(width: 4000, height: 3000)) == PixelSize(width: 133, height: 100))
    #expect(target.outputSize(for: PixelSize(width: 3000, height: 4000)) == PixelSize(width: 100, height: 133))
  }

  @Test(arguments: [PixelSize(width: 1, height: 50_000), PixelSize(width: 50_000, height: 1)])
  func B100_noSideOfAThinPictureBecomesNothing(source: PixelSize) {
    let output = DecodeTarget.fit(PixelSize(width: 64, height: 64)).outputSize(for: source)
    #expect(min(output.width, output.height) == 1)
    #expect(max(output.width, output.height) == 64)
  }

  @Test(arguments: [
    PixelSize(width: 0, height: 0), PixelSize(width: -5, height: 10), PixelSize(width: .min, height: .min),
  ])
  func B100_aSideThatIsNotPositiveCountsAsOne(asked: PixelSize) {
    let output = DecodeTarget.fit(asked).outputSize(for: PixelSize(width: 300, height: 200))
    #expect(output == PixelSize(width: 1, height: 1))
  }

  @Test func B100_theLargestNumbersDoNotTrap() throws {
    let huge = PixelSize(width: .max, height: .max)
    let source = PixelSize(width: 3, height: 2)
    #expect(DecodeTarget.fit(huge).outputSize(for: source) == source)
    #expect(DecodeTarget.fill(huge).outputSize(for: huge) == DecodeTarget.fit(huge).outputSize(for: huge))
    let options = DecodeOptions(target: .fill(huge).upscaled)
    #expect { try DecodePlan(stored: source, options: options) } throws: { error in
      (error as? ImageCodecError)?.code == .limit
    }
  }

  @Test(arguments: [DecodeTarget.fit(PixelSize(width: 64, height: 64)), .fill(PixelSize(width: 64, height: 64))])
  func B101_onlyUpscaledTargetsMakeAPictureLarger(target: DecodeTarget) {
    let small = PixelSize(width: 16, height: 8)
    #expect(target.outputSize(for: small) == small)
    let scaled = target.mode == .fit ? PixelSize(width: 64, height: 32) : PixelSize(width: 128, height: 64)
    #expect(target.upscaled.outputSize(for: small) == scaled)
  }

  @Test func B98_sizesAreThoseOfTheUprightPicture() throws {
    let turned = try #require(Orientation(rawValue: 6))
    let options = DecodeOptions(target: .fit(PixelSize(width: 100, height: 1000)))
    let plan = try DecodePlan(stored: PixelSize(width: 4000, height: 3000), orientation: turned, options: options)
    #expect(plan.uprightOutput == PixelSize(width: 100, height: 133))
    #expect(plan.output == PixelSize(width: 133, height: 100))
    let original = try DecodePlan(stored: PixelSize(width: 40, height: 30), orientation: turned, options: options)
    #expect(original.uprightOutput == PixelSize(width: 30, height: 40))
  }

  @Test func B104_eachLimitRefusesAndSaysWhichItIs() throws {
    let limits = ImageLimits(maxSourcePixels: 1000, maxSide: 500, maxOutputPixels: 100)
    func message(_ size: PixelSize, _ target: DecodeTarget = .original) -> String? {
      do {
        _ = try DecodePlan(stored: size, options: DecodeOptions(target: target, limits: limits))
        return nil
      } catch {
        #expect(error.code == .limit)
        return error.message
      }
    }
    #expect(message(PixelSize(width: 501, height: 1))?.contains("maxSide") == true)
    #expect(message(PixelSize(width: 40, height: 26))?.contains("maxSourcePixels") == true)
    #expect(message(PixelSize(width: 11, height: 10))?.contains("maxOutputPixels") == true)
    #expect(message(PixelSize(width: 11, height: 10), .fit(PixelSize(width: 10, height: 10))) == nil)
    #expect(message(PixelSize(width: 10, height: 10)) == nil)
  }
}
