import Foundation
import Testing

@testable import ImageCodecs

@Suite struct ImageHeaderTests {
  @Test(
    .enabled(if: Corpus.folder != nil, Corpus.absence),
    arguments: Corpus.files(endings: ["jpg", "jpeg", "png", "apng", "webp", "gif"]))
  func B97_sizeAndOrientationAreInTheHead(file: CorpusFile) throws {
    guard file.expected != "fail:unknown-format", let stored = file.stored else { return }
    let header = try ImageHeader(try file.bytes())
    #expect(header.stored == stored)
    #expect(header.orientation == file.orientation)
  }
}
