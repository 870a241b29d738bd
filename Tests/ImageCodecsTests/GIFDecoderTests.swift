#if !canImport(ImageIO) && GIF
  import Testing

  @testable import ImageCodecs

  @Suite struct GIFDecoderTests {
    private let decoder = GIFDecoder()

    @Test func I9_pictureComesOutAsWritten() throws {
      let gif = GIFFixture.still(7, 5) { UInt8(($0 + $1) % 8) }
      let image = try decoder.decode(gif.bytes, DecodeOptions())
      #expect(image.size == PixelSize(width: 7, height: 5))
      #expect(image.numbers == gif.composed[0])
      #expect(try decoder.frames(of: gif.bytes, DecodeOptions()) == nil)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8, 9, 17])
    func I9_interlacedPictureIsTheSame(height: Int) throws {
      var gif = GIFFixture.still(3, height) { UInt8(($0 + $1) % 8) }
      gif.frames[0].isInterlaced = true
      #expect(try decoder.decode(gif.bytes, DecodeOptions()).numbers == gif.composed[0])
    }

    @Test func I9_scaledPictureIsTheMean() throws {
      let gif = GIFFixture.still(40, 20) { x, _ in UInt8(x % 2 == 0 ? 0 : 2) }
      let image = try decoder.decode(gif.bytes, DecodeOptions(target: .fit(PixelSize(width: 20, height: 20))))
      #expect(image.size == PixelSize(width: 20, height: 10))
      #expect(
        image.numbers.allSatisfy { $0 == 0x8000_80FF || $0 == 0x7F00_7FFF || $0 == 0x8000_7FFF || $0 == 0x7F00_80FF })
    }

    @Test func B102_pixelsWithoutColourAreTransparent() throws {
      var gif = GIFFixture.still(4, 1) { x, _ in [0, 1, 100, 2][x] }
      gif.frames[0].transparent = 1
      let image = try decoder.decode(gif.bytes, DecodeOptions())
      #expect(image.numbers == [0xFF00_00FF, 0, 0, 0x0000_FFFF])
    }

    @Test func B102_noPaletteIsGray() throws {
      var gif = GIFFixture.still(2, 1) { x, _ in UInt8(x * 100) }
      gif.palette = []
      #expect(try decoder.decode(gif.bytes, DecodeOptions()).numbers == [0x0000_00FF, 0x6464_64FF])
    }

    @Test func B102_ownPaletteComesFirst() throws {
      var gif = GIFFixture.still(1, 1) { _, _ in 1 }
      gif.frames[0].palette = [0, 0x123456]
      #expect(try decoder.decode(gif.bytes, DecodeOptions()).numbers == [0x1234_56FF])
    }

    @Test func B112_backgroundIsTransparent() throws {
      var gif = GIFFixture.still(1, 1) { _, _ in 0 }
      (gif.width, gif.height, gif.background) = (3, 3, 1)
      (gif.frames[0].x, gif.frames[0].y) = (1, 1)
      let image = try decoder.decode(gif.bytes, DecodeOptions())
      #expect(image.numbers == [0, 0, 0, 0, 0xFF00_00FF, 0, 0, 0, 0])
    }

    @Test func B112_firstPictureWidensTheScreen() throws {
      var gif = GIFFixture.still(4, 4) { _, _ in 1 }
      (gif.width, gif.height) = (2, 3)
      gif.frames[0].x = 1
      #expect(try decoder.size(of: gif.bytes) == PixelSize(width: 5, height: 4))
      #expect(try decoder.decode(gif.bytes, DecodeOptions()).size == PixelSize(width: 5, height: 4))
    }

    @Test func B108_otherBytesAreUnsupported() {
      for bytes: [UInt8] in [[], Array("GIF".utf8), Array("GIF88a".utf8), Array("<html>".utf8), [0xFF, 0xD8, 0xFF]] {
        #expect(!decoder.canDecode(header: bytes))
        #expect(errorCode { _ = try decoder.size(of: bytes) } == .unsupported)
        #expect(errorCode { _ = try decoder.decode(bytes, DecodeOptions()) } == .unsupported)
        #expect(errorCode { _ = try decoder.frames(of: bytes, DecodeOptions()) } == .unsupported)
      }
    }

    @Test func B104_hugeCanvasIsRefused() {
      var gif = GIFFixture.still(1, 1) { _, _ in 0 }
      (gif.width, gif.height) = (65_535, 65_535)
      #expect(errorCode { _ = try decoder.decode(gif.bytes, DecodeOptions()) } == .limit)
      #expect(errorCode { _ = try decoder.frames(of: gif.bytes, DecodeOptions()) } == nil)
      (gif.width, gif.height) = (0, 5)
      gif.frames[0].width = 0
      gif.frames[0].indices = []
      #expect(errorCode { _ = try decoder.size(of: gif.bytes) } == .corrupt)
      #expect(errorCode { _ = try decoder.decode(gif.bytes, DecodeOptions()) } == .corrupt)
    }

    @Test func BUG16_originalIsBoundedToo() throws {
      let gif = GIFFixture.still(20, 20) { _, _ in 0 }
      let limits = ImageLimits(maxOutputPixels: 399)
      #expect(errorCode { _ = try decoder.decode(gif.bytes, DecodeOptions(limits: limits)) } == .limit)
      let target = DecodeTarget.fit(PixelSize(width: 19, height: 19))
      #expect(try decoder.decode(gif.bytes, DecodeOptions(target: target, limits: limits)).size.area == 361)
    }

    @Test func B107_cutFileSaysSoOrGivesItsRows() throws {
      for isInterlaced in [false, true] {
        var gif = GIFFixture.still(16, 16) { UInt8(($0 * $1) % 8) }
        gif.frames[0].isInterlaced = isInterlaced
        let bytes = gif.bytes
        // All rows are there without the last code and what follows.
        let end = bytes.count - 3
        var best = 0
        for length in 13..<end {
          let cut = Array(bytes[..<length])
          #expect(errorCode { _ = try decoder.decode(cut, DecodeOptions()) } == .truncated, "\(length)")
          do {
            let image = try decoder.decode(cut, DecodeOptions(allowsPartial: true)).numbers
            #expect(zip(image, gif.composed[0]).allSatisfy { $0 == $1 || $0 == 0 }, "\(length)")
            let pixels = image.count { $0 != 0 }
            #expect(pixels >= max(best, 16))
            best = pixels
          } catch {
            #expect(error.code == .truncated && best == 0)
          }
        }
        #expect(best == 16 * 15)
        for length in end...bytes.count {
          #expect(try decoder.decode(Array(bytes[..<length]), DecodeOptions()).numbers == gif.composed[0])
        }
      }
    }

    @Test func I14_dataThatEndEarlyAreCorrupt() throws {
      var bytes = GIFFixture.still(16, 8) { UInt8($1 % 8) }.bytes
      #expect(errorCode { _ = try decoder.decode(bytes, DecodeOptions()) } == nil)
      // Half of the rows that it says.
      let place = 13 + 24 + 8 + 7
      bytes[place] = 16
      #expect(errorCode { _ = try decoder.decode(bytes, DecodeOptions()) } == .corrupt)
      let partial = try decoder.decode(bytes, DecodeOptions(allowsPartial: true))
      #expect(partial.size.height == 16)
      #expect(partial.numbers[..<128].allSatisfy { $0 != 0 })
      #expect(partial.numbers[128...].allSatisfy { $0 == 0 })
    }

    @Test func I10_timeAndCancellationEndIt() async throws {
      let bytes = GIFFixture.still(64, 64) { _, _ in 0 }.bytes
      let decoder = GIFDecoder()
      #expect(errorCode { _ = try decoder.decode(bytes, DecodeOptions(limits: ImageLimits(maxTime: .zero))) } == .limit)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try decoder.decode(bytes, DecodeOptions())
      }
      let result = await task.result
      #expect(throws: ImageCodecError.self) { try result.get() }
      #expect(errorCode { try result.get() } == .cancelled)
    }

    @Test func B117_manyThreadsGetTheSame() async throws {
      let gif = GIFFixture.still(31, 17) { UInt8(($0 ^ $1) % 8) }
      let (bytes, decoder) = (gif.bytes, decoder)
      let results = try await withThrowingTaskGroup(of: [UInt32].self) { group in
        for _ in 0..<16 { group.addTask { try decoder.decode(bytes, DecodeOptions()).numbers } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count == 16 && results.allSatisfy { $0 == gif.composed[0] })
    }

    @Test func I14_noChangedByteTraps() throws {
      var gif = GIFFixture.still(12, 9) { UInt8(($0 + $1) % 8) }
      gif.repeats = 2
      gif.frames.append(
        GIFFixture.Frame(x: 3, y: 2, width: 4, height: 4, indices: [UInt8](repeating: 3, count: 16), disposal: 3))
      gif.frames.append(gif.frames[0])
      let bytes = gif.bytes
      let limits = ImageLimits(maxSourcePixels: 1 << 20, maxFrameBytes: 4 << 20)
      var random = CodecRandom(seed: 7)
      for round in 0..<3_000 {
        var changed = bytes
        for _ in 0...(round % 4) {
          changed[Int(random.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        if round % 5 == 0 { changed = Array(changed.prefix(Int(random.next() % UInt64(changed.count)))) }
        let options = DecodeOptions(limits: limits, allowsPartial: round % 2 == 0)
        let codes: [ImageCodecError.Code?] = [
          errorCode { _ = try decoder.size(of: changed) }, errorCode { _ = try decoder.decode(changed, options) },
          errorCode { if let frames = try decoder.frames(of: changed, options) { _ = try remainingFrames(frames) } },
        ]
        #expect(codes.allSatisfy { $0 != .cancelled }, "\(codes)")
      }
    }
  }
#endif
