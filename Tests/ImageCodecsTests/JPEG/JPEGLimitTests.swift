import CImageFixtures
import Testing

@testable import ImageCodecs

/// Files that are cut, damaged, or made to use up memory and time.
@Suite struct JPEGLimitTests {
  private let decoder = JPEGDecoder()
  private let small = DecodeOptions(target: .fit(PixelSize(width: 40, height: 40)))

  private func code(_ file: [UInt8], _ options: DecodeOptions = DecodeOptions()) -> ImageCodecError.Code? {
    do {
      _ = try decoder.decode(file, options)
      return nil
    } catch { return error.code }
  }

  // These two in processes of their own, where no other test's memory counts.

  @Test func B104_aSizeThatNoFileHoldsIsRefusedInFlatMemory() async {
    await #expect(processExitsWith: .success) {
      let small = DecodeOptions(target: .fit(PixelSize(width: 40, height: 40)))
      for process: jpeg_fixture_process in [.baseline, .progressive] {
        let plain = JPEGFixture(process: process).file(width: 64, height: 64)
        let file = JPEGBytes.resized(plain, width: 65500, height: 65500)
        let growth = ProcessMemory.growth {
          for _ in 0..<100 { #expect(errorCode { _ = try JPEGDecoder().decode(file, small) } == .limit) }
        }
        // At 1/8 it would take 268 MB.
        #expect(growth < 128 << 20)
      }
    }
  }

  @Test func B104_aFileTooShortForItsPictureTakesNoMemoryForIt() async {
    await #expect(processExitsWith: .success) {
      let small = DecodeOptions(target: .fit(PixelSize(width: 40, height: 40)))
      // Within the limits by its words, and 300 MB of coefficients, from a file of a few thousand bytes.
      let plain = JPEGFixture(process: .progressive).file(width: 64, height: 64)
      let file = JPEGBytes.resized(plain, width: 10_000, height: 10_000)
      let growth = ProcessMemory.growth {
        #expect(errorCode { _ = try JPEGDecoder().decode(file, small) } == .truncated)
      }
      #expect(growth < 128 << 20)
    }
  }

  @Test func I10_eachLimitIsSaidByName() throws {
    let file = JPEGFixture().file(width: 64, height: 48)
    let limits: [(String, ImageLimits)] = [
      ("maxSourcePixels", ImageLimits(maxSourcePixels: 3071)), ("maxSide", ImageLimits(maxSide: 63)),
      ("maxOutputPixels", ImageLimits(maxOutputPixels: 3071)), ("maxScans", ImageLimits(maxScans: 0)),
      ("maxTime", ImageLimits(maxTime: .zero)),
    ]
    for (name, limits) in limits {
      let error = #expect(throws: ImageCodecError.self) { try decoder.decode(file, DecodeOptions(limits: limits)) }
      #expect(error?.code == .limit)
      #expect(error?.message.contains(name) == true)
    }
    _ = try decoder.decode(file, DecodeOptions(limits: ImageLimits(maxSourcePixels: 3072, maxSide: 64, maxScans: 1)))
  }

  @Test func B105_aThousandScansAreRefusedAtOnce() throws {
    let file = JPEGFixture(process: .spectral).file(width: 64, height: 64)
    let scan = Array(file[try #require(try JPEGBytes.scans(file).last)])
    func repeated(_ count: Int) -> [UInt8] {
      Array(file.dropLast(2)) + Array(repeating: scan, count: count).joined() + file.suffix(2)
    }
    #expect(code(repeated(1000), small) == .limit)
    // Six scans are there already.
    #expect(code(repeated(94)) == nil)
    #expect(code(repeated(95)) == .limit)
  }

  @Test func B104_noPixelsAndTooManyBitsAreRefused() throws {
    let file = JPEGFixture().file(width: 64, height: 48)
    #expect(code(JPEGBytes.resized(file, width: 64, height: 0)) == .corrupt)
    #expect(code(JPEGBytes.resized(file, width: 0, height: 48)) == .corrupt)
    var deep = file
    deep[try #require(JPEGBytes.startOfFrame(file)) + 4] = 12
    #expect(code(deep) == .unsupported)
    var lossless = file
    lossless[try #require(JPEGBytes.startOfFrame(file)) + 1] = 0xC3
    #expect(code(lossless) == .unsupported)
  }

  @Test(arguments: [jpeg_fixture_process.baseline, .separate, .progressive, .spectral], [false, true])
  func B107_aFileThatIsCutGivesAnErrorOrWhatThereIs(process: jpeg_fixture_process, isArithmetic: Bool) throws {
    let file = JPEGFixture(process: process, isArithmetic: isArithmetic).file(width: 320, height: 240)
    let whole = JPEGPicture(try decoder.decode(file, DecodeOptions()))
    var partial = DecodeOptions(allowsPartial: true)
    var last = 256.0
    // Arithmetic coding can't tell a little that is missing from zeros that were left out.
    for percent in isArithmetic ? [25, 50, 90] : [25, 50, 90, 99] {
      let cut = Array(file.prefix(file.count * percent / 100))
      #expect(code(cut) == .truncated, "\(percent) %")
      #expect(code(cut, small) == .truncated, "\(percent) % small")
      let image = JPEGPicture(try decoder.decode(cut, partial))
      let difference = image.difference(from: whole)
      #expect(difference > 0 || percent == 99, "\(percent) %")
      #expect(difference <= last, "\(percent) %")
      last = difference
      partial.target = small.target
      #expect(try decoder.decode(cut, partial).size == PixelSize(width: 40, height: 30))
      partial.target = .original
    }
    // The last scan may be all that there is of a colour.
    if process != .separate { #expect(last < 10) }
  }

  @Test func B107_theRowsBeforeACutAreTheFilesOwn() throws {
    let file = JPEGFixture(sampling: (1, 1)).file(width: 160, height: 160)
    let whole = JPEGPicture(try decoder.decode(file, DecodeOptions()))
    let half = JPEGPicture(try decoder.decode(Array(file.prefix(file.count / 2)), DecodeOptions(allowsPartial: true)))
    let quarter = 4 * 160 * 40
    #expect(half.rgba[..<quarter] == whole.rgba[..<quarter])
    #expect(half[80, 155] == [128, 128, 128])
  }

  @Test func B107_aMissingEndAloneIsNoLoss() throws {
    for kind in JPEGFixture.kinds {
      let file = kind.file(width: 90, height: 70)
      let cut = JPEGPicture(try decoder.decode(file.dropLast(2), DecodeOptions()))
      #expect(cut.difference(from: JPEGPicture(try decoder.decode(file, DecodeOptions()))) == 0)
    }
  }

  @Test func I14_aFileFullOfMistakesIsDamaged() throws {
    // Ones only, with which no code begins, in place of the first scan's data: a mistake for each of its 400 blocks.
    let file = JPEGFixture(process: .progressive, colors: .gray).file(width: 160, height: 160)
    let scan = try #require(JPEGBytes.scans(file).first)
    let ones = Array(Array(repeating: [0xFF, 0] as [UInt8], count: 2000).joined())
    let damaged = Array(file.prefix(scan.lowerBound + 10)) + ones + file[scan.upperBound...]
    #expect(code(damaged) == .corrupt)
    #expect(code(damaged, DecodeOptions(allowsPartial: true)) == nil)
  }

  @Test func BUG16_theLimitHoldsForTheOriginalSizeToo() throws {
    let file = JPEGFixture().file(width: 64, height: 48)
    #expect(code(file, DecodeOptions(limits: ImageLimits(maxOutputPixels: 3000))) == .limit)
    let fit = DecodeTarget.fit(PixelSize(width: 32, height: 32))
    #expect(code(file, DecodeOptions(target: fit, limits: ImageLimits(maxOutputPixels: 3000))) == nil)
  }

  @Test func B107_anEndBeforeThePicturesIsDamage() throws {
    // The second half of the compressed data is gone, and the end of the image follows all the same.
    let file = JPEGFixture().file(width: 160, height: 160)
    let damaged = Array(file.prefix(file.count * 6 / 10)) + [0xFF, 0xD9]
    #expect(code(damaged) == .corrupt)
    #expect(code(damaged, DecodeOptions(allowsPartial: true)) == nil)
  }

  @Test func B107_aDamagedLaterScanLeavesTheOnesBefore() throws {
    var file = JPEGFixture(process: .progressive).file(width: 160, height: 120)
    let scans = try JPEGBytes.scans(file)
    let before = JPEGPicture(
      try decoder.decode(Array(file.prefix(scans[5].lowerBound)), DecodeOptions(allowsPartial: true)))
    // Coefficients from 70 to 63 are none.
    file[scans[5].lowerBound + 7] = 70
    #expect(code(file) == .corrupt)
    let image = JPEGPicture(try decoder.decode(file, DecodeOptions(allowsPartial: true)))
    #expect(image.difference(from: before) < 3)
  }

  @Test func B107_aFileThatIsCutAnywhereNeverTraps() throws {
    for kind in [JPEGFixture(), JPEGFixture(process: .progressive), JPEGFixture(isArithmetic: true)] {
      let file = JPEGBytes.inserting(JPEGBytes.exif(6), into: kind.file(width: 24, height: 24))
      let partial = DecodeOptions(target: small.target, allowsPartial: true)
      let start = try #require(JPEGBytes.scans(file).first).lowerBound
      for length in 0..<(file.count - 2) {
        let cut = Array(file.prefix(length))
        let isTyped = [.truncated, .unsupported, .corrupt, nil].contains(code(cut))
        #expect(isTyped, "\(length)")
        if length < start { #expect(code(cut, partial) != nil, "\(length)") }
        if length > start + 20 { #expect(code(cut, partial) == nil, "\(length)") }
      }
    }
  }

  @Test func I14_damagedBytesNeverTrap() throws {
    var seed: UInt64 = 42
    func random(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let limits = ImageLimits(maxSourcePixels: 1 << 20, maxTime: .seconds(2))
    let kinds = JPEGFixture.kinds.map { $0.file(width: 40, height: 30) }
    var codes: Set<ImageCodecError.Code?> = []
    for _ in 0..<1500 {
      var file = kinds[random(kinds.count)]
      for _ in 0...random(6) { file[2 + random(min(file.count - 2, 800))] = UInt8(random(256)) }
      for allowsPartial in [false, true] {
        let target: DecodeTarget = random(2) == 0 ? .original : .fit(PixelSize(width: 5, height: 5))
        codes.insert(code(file, DecodeOptions(target: target, limits: limits, allowsPartial: allowsPartial)))
      }
      _ = decoder.previewLength(of: file, after: random(file.count))
    }
    #expect(codes.isSuperset(of: [nil, .corrupt, .unsupported, .limit]))
  }

  @Test func B108_otherBytesAreNoJPEG() {
    for text in ["", "\u{0}", "GIF89a", "<html></html>"] { #expect(code(Array(text.utf8)) != nil) }
    #expect(code(Array("<html></html>".utf8)) == .unsupported)
    #expect(code([0xFF, 0xD8, 0xFF]) != nil)
    #expect(!decoder.canDecode(header: Array("GIF89a".utf8)))
    #expect(decoder.canDecode(header: [0xFF, 0xD8, 0xFF, 0xE0]))
  }

  @Test func I2_aCancelledTaskEndsTheDecode() async {
    let file = JPEGFixture().file(width: 64, height: 48)
    let code = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return self.code(file)
    }.value
    #expect(code == .cancelled)
  }
}
