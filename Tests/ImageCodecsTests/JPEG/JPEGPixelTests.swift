import CImageFixtures
import Testing

@testable import ImageCodecs

@Suite struct JPEGPixelTests {
  private let decoder = JPEGDecoder()

  @Test(arguments: JPEGFixture.kinds)
  func B102_eachKindGivesWhatAPlainDecodeGives(kind: JPEGFixture) throws {
    let file = kind.file(width: 131, height: 93)
    let plain = try #require(JPEGPicture(plainly: file))
    for width in [131, 45, 17] {
      let target = DecodeTarget.fit(PixelSize(width: width, height: 1000))
      let image = JPEGPicture(try decoder.decode(file, DecodeOptions(target: target)))
      let expected = target.outputSize(for: plain.size)
      #expect(image.size == expected)
      let difference = image.difference(from: plain.scaled(to: expected))
      #expect(difference <= 2, "\(expected)")
      if width == 131 { #expect(difference == 0 || kind.colors == .cmyk || kind.colors == .ycck) }
    }
  }

  @Test(arguments: JPEGFixture.kinds.filter { $0.process == .baseline || $0.process == .progressive }, [8, 4, 2])
  func I9_aReducedDecodeIsTheMeanOfTheWholeOne(kind: JPEGFixture, denominator: Int) throws {
    // Blocks at the edges are there in part.
    let file = kind.file(width: 203, height: 150)
    let plain = try #require(JPEGPicture(plainly: file))
    // Where colours have half of the samples one way only, or a quarter, libjpeg lets them be coarser than the pixels.
    let isCoarse = kind.sampling.horizontal != kind.sampling.vertical
    for parts in [1, 2] {
      let target = PixelSize(width: 203 / denominator / parts, height: 150 / denominator / parts)
      let plan = try DecodePlan(stored: plain.size, options: DecodeOptions(target: .fit(target)))
      let image = try file.withUnsafeBytes { try JPEGDecode($0, plan, denominator: denominator).picture() }
      let difference = JPEGPicture(image).difference(from: plain.scaled(to: plan.output))
      #expect(difference <= (isCoarse ? 6 : 2), "1/\(denominator), 1/\(parts)")
    }
  }

  @Test func I9_inkIsDecodedWhole() throws {
    let file = JPEGFixture(colors: .cmyk).file(width: 1100, height: 1000)
    let plan = try DecodePlan(
      stored: PixelSize(width: 1100, height: 1000),
      options: DecodeOptions(target: .fit(PixelSize(width: 110, height: 100))))
    #expect(try file.withUnsafeBytes { try JPEGDecode($0, plan).denominator } == 1)
  }

  @Test func I9_theScaleLeavesPixelsToSpareWhereThatCostsLittle() {
    func scale(_ width: Int, _ height: Int, to output: Int) -> Int {
      let stored = PixelSize(width: width, height: height)
      let target = DecodeTarget.fit(PixelSize(width: output, height: output))
      return JPEGDecode.denominator(from: stored, to: target.outputSize(for: stored))
    }
    #expect(scale(1024, 768, to: 10) == 1)
    #expect(scale(1920, 1280, to: 400) == 2)
    #expect(scale(1920, 1280, to: 120) == 8)
    #expect(scale(6048, 4032, to: 400) == 8)
    #expect(scale(6048, 4032, to: 756) == 8)
    #expect(scale(6048, 4032, to: 757) == 4)
    #expect(scale(6048, 4032, to: 1600) == 2)
    #expect(scale(6048, 4032, to: 6048) == 1)
    #expect(scale(60_000, 1000, to: 60) == 8)
  }

  @Test func B102_inkBecomesTheColoursItWasMadeFrom() throws {
    let picture = JPEGPicture.quarters(PixelSize(width: 64, height: 48))
    for process in [JPEGFixture(colors: .cmyk, quality: 100), JPEGFixture(colors: .ycck, quality: 100)] {
      let image = JPEGPicture(try decoder.decode(process.file(picture), DecodeOptions()))
      #expect(image.difference(from: picture) < 6)
    }
  }

  @Test func B102_inkWithoutAdobesMarkerIsNotInverted() throws {
    // The marker of 16 bytes stands where the library puts it, first.
    var file = JPEGFixture(colors: .cmyk, quality: 100).file(.quarters(PixelSize(width: 64, height: 48)))
    let plain = JPEGPicture(try decoder.decode(file, DecodeOptions()))
    #expect(plain[2, 2] == [254, 0, 0] || plain[2, 2] == [255, 0, 0])
    #expect(file[3] == 0xEE)
    file.removeSubrange(2..<18)
    let inverted = JPEGPicture(try decoder.decode(file, DecodeOptions()))
    #expect(inverted[2, 2].allSatisfy { $0 <= 2 })
  }

  @Test(arguments: Array(0...8), [1, 2, 4, 8])
  func B97_eachOrientationIsTurnedUpright(orientation: Int, factor: Int) throws {
    let upright = JPEGPicture.quarters(PixelSize(width: 64, height: 48))
    // The stored picture is what the inverse makes of the upright one: 6 and 8 are each other's.
    let stored = upright.upright([6: 8, 8: 6][orientation] ?? orientation)
    let kind = JPEGFixture(quality: 100, sampling: (1, 1))
    let file = JPEGBytes.inserting(JPEGBytes.exif(UInt16(orientation)), into: kind.file(stored))
    #expect(try decoder.size(of: file) == upright.size)
    let target = DecodeTarget.fit(PixelSize(width: 64 / factor, height: 48 / factor))
    let image = JPEGPicture(try decoder.decode(file, DecodeOptions(target: target)))
    #expect(image.size == PixelSize(width: 64 / factor, height: 48 / factor))
    #expect(image.difference(from: upright.scaled(to: image.size)) < 2)
  }

  @Test func B98_aTargetLargerThanTheFileChangesNothing() throws {
    let stored = JPEGPicture.photograph(PixelSize(width: 40, height: 30))
    let file = JPEGBytes.inserting(JPEGBytes.exif(6), into: JPEGFixture().file(stored))
    let large = DecodeTarget.fit(PixelSize(width: 500, height: 500))
    let image = JPEGPicture(try decoder.decode(file, DecodeOptions(target: large)))
    let plain = try #require(JPEGPicture(plainly: file)).upright(6)
    #expect(image.size == PixelSize(width: 30, height: 40))
    #expect(image.difference(from: plain) == 0)
    let upscaled = try decoder.decode(file, DecodeOptions(target: large.upscaled))
    #expect(upscaled.size == PixelSize(width: 375, height: 500))
  }

  @Test func B99_damagedExifLeavesThePictureAsItLies() throws {
    let file = JPEGFixture().file(width: 40, height: 30)
    let plain = try #require(JPEGPicture(plainly: file))
    let exif = JPEGBytes.exif(6)
    let prefix = Array("Exif\u{0}\u{0}".utf8)
    let damages: [[UInt8]] = [
      JPEGBytes.segment(0xE1, prefix), JPEGBytes.segment(0xE1, prefix + Array("MM\u{0}*".utf8) + [255, 255, 255, 255]),
      JPEGBytes.segment(0xE1, Array(exif[4..<20])), JPEGBytes.exif(9), JPEGBytes.exif(0),
    ]
    for damage in damages {
      let image = JPEGPicture(try decoder.decode(JPEGBytes.inserting(damage, into: file), DecodeOptions()))
      #expect(image.difference(from: plain) == 0)
    }
    // Doubled: the first one counts, once.
    let doubled = JPEGBytes.inserting(exif + JPEGBytes.exif(3), into: file)
    #expect(JPEGPicture(try decoder.decode(doubled, DecodeOptions())).difference(from: plain.upright(6)) == 0)
  }

  @Test func BUG19_theOrientationOfTheSmallPictureInsideDoesNotCount() throws {
    let file = JPEGFixture().file(width: 40, height: 30)
    let tagged = JPEGBytes.inserting(JPEGBytes.exif(6, inSecondDirectory: true), into: file)
    #expect(try decoder.size(of: tagged) == PixelSize(width: 40, height: 30))
    let image = JPEGPicture(try decoder.decode(tagged, DecodeOptions()))
    #expect(image.difference(from: try #require(JPEGPicture(plainly: file))) == 0)
  }

  @Test func BUG17_theOriginalSizeIsNeverMadeSmaller() throws {
    let file = JPEGFixture().file(width: 1201, height: 901)
    #expect(try decoder.decode(file, DecodeOptions()).size == PixelSize(width: 1201, height: 901))
  }

  @Test func B102_bytesBetweenSegmentsArePassedOver() throws {
    let file = JPEGFixture(process: .progressive).file(width: 100, height: 60)
    let plain = try #require(JPEGPicture(plainly: file))
    let junk = JPEGBytes.segment(0xED, [1, 2, 3]) + [0, 17, 0xFF, 0, 42, 0xFF, 0xFF]
    let image = JPEGPicture(try decoder.decode(JPEGBytes.inserting(junk, into: file), DecodeOptions()))
    #expect(image.difference(from: plain) == 0)
  }

  @Test func B117_manyThreadsGetTheSamePixels() async throws {
    let file = JPEGFixture(process: .progressive).file(width: 200, height: 150)
    let options = DecodeOptions(target: .fit(PixelSize(width: 60, height: 60)))
    let first = JPEGPicture(try decoder.decode(file, options))
    let decoder = decoder
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask { JPEGPicture(try decoder.decode(file, options)).rgba == first.rgba }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
