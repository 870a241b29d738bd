import Testing

@testable import ImageCodecs

@Suite struct JPEGProfileTests {
  private let file = JPEGFixture().file(width: 16, height: 16)

  private func part(_ number: UInt8, of count: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    JPEGBytes.segment(0xE2, Array("ICC_PROFILE\u{0}".utf8) + [number, count] + bytes)
  }

  private func profile(_ segments: [UInt8]...) -> [UInt8]? {
    JPEGBytes.inserting(Array(segments.joined()), into: file).withUnsafeBytes { JPEGProfile.bytes(in: $0) }
  }

  @Test func B102_partsOfAProfileAreJoinedInTheirOrder() {
    #expect(profile(part(1, of: 1, [7])) == [7])
    #expect(profile(part(2, of: 3, [3]), part(3, of: 3, [4, 5]), part(1, of: 3, [1, 2])) == [1, 2, 3, 4, 5])
    #expect(profile(JPEGBytes.segment(0xE2, Array("MPF\u{0}".utf8)), part(1, of: 1, [9])) == [9])
  }

  @Test func B102_aProfileThatIsNotWholeIsNone() {
    #expect(profile() == nil)
    #expect(profile(part(1, of: 2, [1])) == nil)
    #expect(profile(part(1, of: 2, [1]), part(1, of: 2, [1])) == nil)
    #expect(profile(part(1, of: 2, [1]), part(2, of: 3, [1])) == nil)
    #expect(profile(part(0, of: 1, [1])) == nil)
    #expect(profile(part(3, of: 2, [1])) == nil)
    #expect(profile(part(1, of: 0, [1])) == nil)
    #expect(profile(part(1, of: 1, [])) == nil)
  }

  @Test func B106_aProfileOfManyMegabytesIsNone() {
    let bytes = [UInt8](repeating: 1, count: 60_000)
    let segments = (1...80).map { part(UInt8($0), of: 80, bytes) }
    let large = JPEGBytes.inserting(Array(segments.joined()), into: file)
    #expect(large.withUnsafeBytes { JPEGProfile.bytes(in: $0) } == nil)
    #expect(throws: Never.self) { try JPEGDecoder().decode(large, DecodeOptions()) }
  }

  @Test func B102_aDamagedProfileLeavesTheNumbersOfTheFile() throws {
    let damaged = JPEGBytes.inserting(part(1, of: 1, Array(repeating: 3, count: 400)), into: file)
    let image = JPEGPicture(try JPEGDecoder().decode(damaged, DecodeOptions()))
    #expect(image.difference(from: try #require(JPEGPicture(plainly: file))) == 0)
  }
}
