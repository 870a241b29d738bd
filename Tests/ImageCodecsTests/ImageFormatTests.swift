import ImageCodecs
import Testing

@Suite struct ImageFormatTests {
  @Test func B108_theTypeComesFromTheFirstBytes() {
    #expect(ImageFormat(sniffing: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(ImageFormat(sniffing: Array("GIF89a".utf8)) == .gif)
    #expect(ImageFormat(sniffing: Array("RIFF\u{10}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)) == .webp)
    #expect(ImageFormat(sniffing: [0, 0, 0, 24] + Array("ftypmif1\u{0}\u{0}\u{0}\u{0}avifmif1".utf8)) == .avif)
    #expect(ImageFormat(sniffing: [0, 0, 0, 20] + Array("ftypheic\u{0}\u{0}\u{0}\u{0}mif1".utf8)) == .heic)
  }

  @Test(arguments: ["", "GIF", "<html>", "RIFF", "\u{0}\u{0}\u{0}\u{20}ftypisom"])
  func B108_whatIsNoPictureHasNoType(text: String) {
    #expect(ImageFormat(sniffing: Array(text.utf8)) == nil)
  }
}
