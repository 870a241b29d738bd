import Testing

@testable import ImageCodecs

@Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct JPEGCorpusTests {
  private static let files = Corpus.files(endings: ["jpg", "jpeg"]).filter {
    $0.mode.hasPrefix("JPEG") || $0.stored == nil
  }
  private let decoder = JPEGDecoder()

  @Test(arguments: files) func B102_eachFileGivesWhatItsManifestSays(file: CorpusFile) throws {
    let bytes = try file.bytes()
    do {
      let image = try decoder.decode(bytes, DecodeOptions())
      // A file that is cut may have all of its picture.
      #expect(file.mustDecode || file.expected.hasPrefix("partial"))
      #expect(image.size == file.upright)
      #expect(try decoder.size(of: bytes) == file.upright)
    } catch {
      let codes: [String: ImageCodecError.Code] = [
        "fail:too-large": .limit, "fail:too-many-scans": .limit, "fail:zero-dimension": .corrupt,
        "partial-or-fail:truncated": .truncated, "fail:truncated": .truncated, "fail:corrupt": .corrupt,
      ]
      #expect(error.code == codes[file.expected], "\(error)")
    }
    if file.expected.hasPrefix("partial") {
      #expect(try decoder.decode(bytes, DecodeOptions(allowsPartial: true)).size == file.upright)
    }
  }

  @Test(arguments: files.filter(\.mustDecode))
  func I9_eachFileIsWhatAPlainDecodeScaledIs(file: CorpusFile) throws {
    let bytes = try file.bytes()
    let plain = try #require(JPEGPicture(plainly: bytes))
    for divisor in [1.0, 1.7, 5, 11] {
      let target = DecodeTarget.fit(
        PixelSize(width: Int(Double(plain.size.width) / divisor), height: Int(Double(plain.size.height) / divisor)))
      let stored = target.outputSize(for: plain.size)
      let image = try decoder.decode(bytes, DecodeOptions(target: Self.upright(target, file), colors: .asStored))
      let expected = plain.scaled(to: stored).upright(Int(file.orientation.rawValue))
      #expect(JPEGPicture(image).difference(from: expected) <= 2, "1/\(divisor): \(image.size)")
    }
  }

  @Test(arguments: files.filter(\.mustDecode)) func I9_whatIsLeftOutAtAnEighthChangesNothing(file: CorpusFile) throws {
    try JPEGScansTests.expectSame(try file.bytes())
  }

  private static func upright(_ target: DecodeTarget, _ file: CorpusFile) -> DecodeTarget {
    guard let size = target.size, file.orientation.isTransposed else { return target }
    return .fit(size.transposed)
  }
}
