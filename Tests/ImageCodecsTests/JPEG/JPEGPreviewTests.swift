import CImageFixtures
import ImageCodecs
import Testing

@Suite struct JPEGPreviewTests {
  private let decoder = JPEGDecoder()

  /// What is shown while a file comes in pieces.
  private func previews(of file: [UInt8], piece: Int) -> [Int] {
    var lengths: [Int] = []
    for end in stride(from: piece, to: file.count + piece, by: piece) {
      while let length = decoder.previewLength(of: Array(file.prefix(end)), after: lengths.last ?? 0) {
        lengths.append(length)
      }
    }
    return lengths
  }

  @Test(arguments: [1, 7, 300, 100_000])
  func B109_eachScanOfAProgressiveFileIsAPreview(piece: Int) throws {
    let file = JPEGFixture(process: .progressive).file(width: 120, height: 90)
    let scans = try JPEGBytes.scans(file)
    #expect(scans.count == 10)
    #expect(previews(of: file, piece: piece) == scans.map(\.upperBound))
  }

  @Test func B109_previewsComeCloserToThePicture() throws {
    let file = JPEGFixture(process: .progressive).file(width: 240, height: 180)
    let whole = JPEGPicture(try decoder.decode(file, DecodeOptions()))
    let differences = try previews(of: file, piece: 100).map { length in
      let image = try decoder.decode(Array(file.prefix(length)), DecodeOptions(allowsPartial: true))
      return JPEGPicture(image).difference(from: whole)
    }
    #expect(differences.count == 10)
    #expect(try #require(differences.first) < 16)
    #expect(differences.last == 0)
    // A scan of one colour alone may make a picture a little worse.
    for (before, after) in zip(differences, differences.dropFirst()) { #expect(after <= before + 0.5) }
  }

  @Test func B109_theFirstPreviewHasAllComponents() throws {
    let file = JPEGFixture(process: .spectral).file(width: 120, height: 90)
    let scans = try JPEGBytes.scans(file)
    #expect(scans.count == 6)
    #expect(previews(of: file, piece: 50) == scans.dropFirst(2).map(\.upperBound))
  }

  @Test func B110_aBaselineFileHasNoPreviews() {
    for process: jpeg_fixture_process in [.baseline, .separate] {
      let file = JPEGFixture(process: process).file(width: 120, height: 90)
      #expect(previews(of: file, piece: 100).isEmpty)
    }
  }

  @Test func B111_whatMakesNoSenseIsNoPreview() {
    let file = JPEGFixture(process: .progressive).file(width: 120, height: 90)
    #expect(decoder.previewLength(of: [], after: 0) == nil)
    #expect(decoder.previewLength(of: Array("GIF89a".utf8), after: 0) == nil)
    #expect(decoder.previewLength(of: file, after: file.count) == nil)
    #expect(decoder.previewLength(of: file, after: .max) == nil)
    #expect(decoder.previewLength(of: file, after: .min) != nil)
    #expect(decoder.previewLength(of: Array(file.dropFirst()), after: 0) == nil)
  }
}
