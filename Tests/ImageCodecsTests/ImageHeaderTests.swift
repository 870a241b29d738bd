import Testing

@testable import ImageCodecs

@Suite struct ImageHeaderTests {
  @Test(.enabled(if: Corpus.folder != nil, Corpus.absence), arguments: Corpus.files)
  func B97_sizeAndOrientationAreInTheHead(file: CorpusFile) throws {
    guard ["jpg", "jpeg", "png", "apng", "webp"].contains(where: { file.name.hasSuffix("." + $0) }),
      let stored = file.stored
    else {
      return
    }
    let header = try ImageHeader(try file.bytes())
    #expect(header.stored == stored)
    #expect(header.orientation == file.orientation)
  }

  @Test(arguments: 0...9) func B97_eachOrientationIsReadInBothByteOrders(value: Int) throws {
    for isBig in [true, false] {
      for file in HeaderBytes.files(exif: HeaderBytes.tiff(orientation: value, isBig: isBig)) {
        let header = try ImageHeader(file)
        #expect(header.stored == PixelSize(width: 300, height: 200))
        // What is none of the eight is as it lies in the file.
        #expect(header.orientation.rawValue == ((1...8).contains(value) ? UInt8(value) : 1))
        #expect(header.upright.width == ((5...8).contains(value) ? 200 : 300))
      }
    }
  }

  @Test func BUG19_theDirectoryOfTheSmallPictureIsNotRead() throws {
    let tiff = HeaderBytes.tiff(orientation: nil, second: 6, isBig: true)
    for file in HeaderBytes.files(exif: tiff) { #expect(try ImageHeader(file).orientation == .upright) }
  }

  @Test func B99_damagedAndDoubledEXIFLeavesThePictureAlone() throws {
    let good = HeaderBytes.tiff(orientation: 6, isBig: false)
    for length in 0..<good.count {
      for file in HeaderBytes.files(exif: Array(good.prefix(length))) {
        let header = try ImageHeader(file)
        #expect(header.stored == PixelSize(width: 300, height: 200))
        // The value is the last thing that is read.
        #expect(header.orientation.rawValue == (length >= 20 ? 6 : 1), "\(length) bytes")
      }
    }
    let damaged = HeaderBytes.segment(0xE1, Array("Exif\0\0MM".utf8))
    let first = HeaderBytes.segment(0xE1, Array("Exif\0\0".utf8) + good)
    let second = HeaderBytes.segment(0xE1, Array("Exif\0\0".utf8) + HeaderBytes.tiff(orientation: 3, isBig: true))
    #expect(try ImageHeader(HeaderBytes.jpeg([damaged, first, second])).orientation.rawValue == 6)
  }

  @Test func B97_xmpCountsWhereThereIsNoEXIF() throws {
    let attribute = Array("<rdf:Description tiff:Orientation=\"8\"/>".utf8)
    let element = Array("<tiff:Orientation>8</tiff:Orientation>".utf8)
    let name = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let exif = HeaderBytes.segment(0xE1, Array("Exif\0\0".utf8) + HeaderBytes.tiff(orientation: 3, isBig: true))
    for packet in [attribute, element] {
      let xmp = HeaderBytes.segment(0xE1, name + packet)
      #expect(try ImageHeader(HeaderBytes.jpeg([xmp])).orientation.rawValue == 8)
      #expect(try ImageHeader(HeaderBytes.jpeg([xmp, exif])).orientation.rawValue == 3)
      let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
      #expect(try ImageHeader(HeaderBytes.png([("iTXt", text)])).orientation.rawValue == 8)
      #expect(try ImageHeader(HeaderBytes.webp([("XMP ", packet)])).orientation.rawValue == 8)
    }
    let wrong = Array("tiff:Orientation tiff:Orientation=\"9\"".utf8)
    #expect(try ImageHeader(HeaderBytes.webp([("XMP ", wrong)])).orientation == .upright)
  }

  @Test func B97_hexadecimalTextOfImageMagickIsRead() throws {
    let digits = Array("Exif\0\0".utf8) + HeaderBytes.tiff(orientation: 5, isBig: true)
    let hex = digits.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    let lines = hex.prefix(72) + "\n" + hex.dropFirst(72)
    let text = Array("Raw profile type exif\0\nexif\n      \(digits.count)\n\(lines)\n".utf8)
    #expect(try ImageHeader(HeaderBytes.png([("tEXt", text)])).orientation.rawValue == 5)
  }

  @Test func B107_aFileThatEndsBeforeItsSizeIsTruncated() throws {
    for file in HeaderBytes.files(exif: []) {
      let format = try ImageHeader(file).format
      for length in 0..<file.count {
        let part = Array(file.prefix(length))
        guard ImageFormat(sniffing: part) == format else { continue }
        do {
          #expect(try ImageHeader(part).stored.area > 0)
        } catch {
          #expect(error.code == .truncated, "\(format), \(length) bytes: \(error)")
        }
      }
    }
  }

  @Test func B104_aPictureWithoutPixelsIsRefused() {
    for file in [HeaderBytes.png([], width: 0), HeaderBytes.jpeg([], height: 0)] {
      #expect { try ImageHeader(file) } throws: { ($0 as? ImageCodecError)?.code == .corrupt }
    }
  }

  @Test func I14_changedHeadsNeverTrap() {
    var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
    let exif = HeaderBytes.tiff(orientation: 6, isBig: true)
    for file in HeaderBytes.files(exif: exif) {
      for _ in 0..<2000 {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          changed[Int.random(in: 0..<file.count, using: &random)] =
            [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
        changed.removeLast(Int.random(in: 0...4, using: &random))
        // Either a size or an error of this module.
        #expect(throws: Never.self) {
          do { _ = try ImageHeader(changed) } catch is ImageCodecError {}
        }
      }
    }
  }
}

/// Heads of files of 300 by 200 pixels, put together byte by byte, without pixels.
enum HeaderBytes {
  static func big(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }

  /// A directory with one entry, and one more after it.
  static func tiff(orientation: Int?, second: Int? = nil, isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] { isBig ? big(value, length) : little(value, length) }
    func directory(_ orientation: Int?, next: Int) -> [UInt8] {
      let entry = orientation.map { number(0x0112, 2) + number(3, 2) + number(1, 4) + number($0, 2) + number(0, 2) }
      return number(entry == nil ? 0 : 1, 2) + (entry ?? []) + number(next, 4)
    }
    let first = directory(orientation, next: 0)
    let head = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    guard let second else { return head + first }
    return head + directory(orientation, next: 8 + first.count) + directory(second, next: 0)
  }

  /// A JPEG, PNG and WebP with that EXIF.
  static func files(exif: [UInt8]) -> [[UInt8]] {
    [
      jpeg([segment(0xE1, Array("Exif\0\0".utf8) + exif)]), png([("eXIf", exif)]), webp([("EXIF", exif)]),
      webp([("EXIF", Array("Exif\0\0".utf8) + exif)]),
    ]
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2, 2) + content
  }

  static func jpeg(_ segments: [[UInt8]], height: Int = 200) -> [UInt8] {
    let frame = segment(0xC0, [8] + big(height, 2) + big(300, 2) + [1, 1, 0x11, 0])
    return [0xFF, 0xD8] + segments.flatMap { $0 } + frame + segment(0xDA, [1, 1, 0, 0, 63, 0])
  }

  /// Checksums are zeros: the head is read without them.
  static func png(_ chunks: [(String, [UInt8])], width: Int = 300) -> [UInt8] {
    let head = ("IHDR", big(width, 4) + big(200, 4) + [8, 2, 0, 0, 0])
    let all = [head] + chunks + [("IDAT", []), ("IEND", [])]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for (name, content) in all {
      bytes += big(content.count, 4)
      bytes += Array(name.utf8) + content
      bytes += [0, 0, 0, 0] as [UInt8]
    }
    return bytes
  }

  static func webp(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let all = [("VP8X", [8, 0, 0, 0] + little(299, 3) + little(199, 3))] + chunks
    let content = all.flatMap { name, bytes in
      Array(name.utf8) + little(bytes.count, 4) + bytes + [UInt8](repeating: 0, count: bytes.count % 2)
    }
    return Array("RIFF".utf8) + little(content.count + 4, 4) + Array("WEBP".utf8) + content
  }
}
