import Testing

@testable import ImageCodecs

/// Each file of the corpus gives what its manifest says.
@Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct CorpusTests {
  private let decoders = ImageDecoderList()

  @Test(arguments: Corpus.files)
  func I11_eachFileGivesWhatTheManifestSays(file: CorpusFile) throws {
    let bytes = try file.bytes()
    let outcome = outcome(of: bytes, DecodeOptions())
    let verdict = CorpusVerdict(
      file, hasDecoder: decoders.canDecode(header: Array(bytes.prefix(ImageFormat.headerLength))))
    switch outcome {
    case .success(let image):
      #expect(verdict.mayDecode, "a picture of \(image.size) came out")
      if let upright = file.upright { #expect(image.size == upright) }
      #expect(try decoders.size(of: bytes) == image.size)
    case .failure(let error):
      #expect(verdict.codes.contains(error.code), "\(error)")
      #expect(!error.message.isEmpty)
    }
  }

  @Test(arguments: Corpus.files)
  func I9_eachPictureFitsIntoTheSizeAsked(file: CorpusFile) throws {
    let bytes = try file.bytes()
    // Means are of colours as they are stored: those of a profile may be anything.
    guard case .success(let whole) = outcome(of: bytes, DecodeOptions(colors: .asStored)) else { return }
    for side in [33, 100] {
      let target = DecodeTarget.fit(PixelSize(width: side, height: side))
      let image = try decoders.decode(bytes, DecodeOptions(target: target, colors: .asStored))
      #expect(image.size == target.outputSize(for: whole.size))
      // The same picture: the means of all channels are as good as equal. (Slow where tests aren't optimised.)
      guard whole.size.area < 500_000 else { continue }
      for (small, large) in zip(CorpusMean.of(image), CorpusMean.of(whole)) { #expect(abs(small - large) < 2.5) }
    }
  }

  @Test(arguments: Corpus.files)
  func B107_whatIsCutGivesAPartWhereThatIsAllowed(file: CorpusFile) throws {
    guard file.expected.hasPrefix("partial-or-fail") else { return }
    let image = try decoders.decode(try file.bytes(), DecodeOptions(allowsPartial: true))
    if let upright = file.upright { #expect(image.size == upright) }
  }

  @Test(arguments: Corpus.files(in: "exif").filter { $0.name.contains("made_quad") })
  func B97_BUG18_eachOrientationOfEachFormatIsTurnedUpright(file: CorpusFile) throws {
    let bytes = try file.bytes()
    for target in [DecodeTarget.original, .fit(PixelSize(width: 16, height: 16))] {
      let image = try decoders.decode(bytes, DecodeOptions(target: target))
      #expect(image.size == target.outputSize(for: PixelSize(width: 64, height: 48)))
      let expected: [[Int]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]
      for (index, color) in expected.enumerated() {
        // The middle of each quarter.
        let column = image.size.width * (index % 2 == 0 ? 1 : 3) / 4
        let row = image.size.height * (index < 2 ? 1 : 3) / 4
        let pixel = image.withPixels { pixels in
          (0..<3).map { Int(pixels[4 * (row * image.size.width + column) + $0]) }
        }
        #expect(zip(pixel, color).allSatisfy { abs($0 - $1) < 60 }, "quarter \(index): \(pixel)")
      }
    }
  }

  @Test(arguments: ["Landscape", "Portrait"])
  func B97_photographsOfAllOrientationsLookTheSame(family: String) throws {
    let files = Corpus.files(in: "exif").filter { $0.name.contains("/\(family)_") }
    let target = DecodeTarget.fit(PixelSize(width: 60, height: 60))
    let images = try files.map { try decoders.decode(try $0.bytes(), DecodeOptions(target: target)) }
    let first = try #require(images.first)
    for (file, image) in zip(files, images) {
      #expect(image.size == first.size)
      #expect(CorpusMean.difference(image, first) < 4, "\(file.name)")
    }
  }

  private func outcome(of bytes: [UInt8], _ options: DecodeOptions) -> Result<DecodedImage, ImageCodecError> {
    Result { () throws(ImageCodecError) in try decoders.decode(bytes, options) }
  }
}

/// What a word of the manifest allows.
private struct CorpusVerdict {
  var mayDecode = false
  var codes: Set<ImageCodecError.Code> = []

  init(_ file: CorpusFile, hasDecoder: Bool) {
    let words = file.expected.split(separator: ":").map(String.init)
    let reason: [String: ImageCodecError.Code] = [
      "corrupt": .corrupt, "zero-dimension": .corrupt, "apng-syntax": .corrupt, "truncated": .truncated,
      "too-large": .limit,
      "too-many-scans": .limit, "chunk-limit": .limit, "unknown-format": .unsupported,
    ]
    let code = words.count > 1 ? reason[words[1]] : nil
    switch words[0] {
    case "decode", "decode-or-partial", "decode-ignoring-chunk":
      mayDecode = true
    case "fail", "partial-or-fail":
      // A part comes out only where it is asked for. All rows of the one are there, only its end is missing; libwebp finds
      // nothing wrong with the other, as other decoders don't.
      mayDecode = ["corrupt/truncated_jpeg.jpg", "corrupt/irs_panic.webp"].contains(file.name)
      codes = [code ?? .corrupt]
    case "decode-if-codec-else-unsupported":
      mayDecode = hasDecoder
      codes = hasDecoder ? [] : [.unsupported]
    default:
      mayDecode = true
      codes = [code ?? .corrupt, .truncated, .corrupt]
    }
  }
}

/// Means over pixels.
enum CorpusMean {
  static func of(_ image: DecodedImage) -> [Double] {
    image.withPixels { pixels in
      var sums = [Int](repeating: 0, count: 4)
      for index in 0..<(pixels.count / 4) {
        for channel in 0..<4 { sums[channel] += Int(pixels[4 * index + channel]) }
      }
      return sums.map { Double($0) / Double(max(1, pixels.count / 4)) }
    }
  }

  static func difference(_ one: DecodedImage, _ other: DecodedImage) -> Double {
    one.withPixels { one in
      other.withPixels { other in
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, one.count))
      }
    }
  }
}
