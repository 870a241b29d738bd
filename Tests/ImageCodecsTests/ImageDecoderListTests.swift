import Testing

@testable import ImageCodecs

@Suite struct ImageDecoderListTests {
  @Test(arguments: [
    "GIF89a", "RIFF\u{4}\u{0}\u{0}\u{0}WEBP", "\u{0}\u{0}\u{0}\u{10}ftypheic", "\u{0}\u{0}\u{0}\u{10}ftypavif",
  ])
  func B108_aTypeWithoutADecoderNamesTheTraitToTurnOn(head: String) throws {
    let data = Array(head.utf8) + [UInt8](repeating: 0, count: 8)
    let format = try #require(ImageFormat(sniffing: data))
    let list = ImageDecoderList([])
    #expect(!list.canDecode(header: data))
    #expect { try list.decode(data, DecodeOptions()) } throws: { error in
      guard let error = error as? ImageCodecError else { return false }
      return error.code == .unsupported && error.message.contains("trait \"\(format)\"")
    }
  }

  @Test(arguments: ["", "GIF", "<html>"])
  func B108_whatIsNoPictureIsUnsupported(text: String) {
    let list = ImageDecoderList()
    #expect { try list.size(of: Array(text.utf8)) } throws: { error in
      (error as? ImageCodecError)?.code == .unsupported
    }
    #expect(throws: ImageCodecError.self) { try list.frames(of: Array(text.utf8), DecodeOptions()) }
    #expect(list.previewLength(of: Array(text.utf8), after: 0) == nil)
  }

  @Test func B108_theFirstDecoderThatTakesAFileDecodesIt() throws {
    let list = ImageDecoderList([
      ListedDecoder(first: 1, side: 1), ListedDecoder(first: 2, side: 2), ListedDecoder(first: 2, side: 3),
    ])
    #expect(try list.size(of: [2, 0]) == PixelSize(width: 2, height: 2))
    #expect(try list.decode([2, 0], DecodeOptions()).size == PixelSize(width: 2, height: 2))
    #expect(try list.frames(of: [1], DecodeOptions()) == nil)
    #expect(list.previewLength(of: [2], after: 0) == 2)
    #expect(!list.canDecode(header: [3]))
  }
}

/// Takes whatever begins with a byte, and gives a transparent square.
private struct ListedDecoder: ImageDecoder {
  let first: UInt8
  let side: Int

  func canDecode(header: [UInt8]) -> Bool { header.first == first }
  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { PixelSize(width: side, height: side) }
  func previewLength(of data: [UInt8], after shown: Int) -> Int? { side }

  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    try DecodedImage(size: PixelSize(width: side, height: side), rgba: [UInt8](repeating: 0, count: 4 * side * side))
  }
}
