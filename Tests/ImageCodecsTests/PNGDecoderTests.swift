#if !canImport(ImageIO)
  import Testing

  @testable import ImageCodecs

  @Suite struct PNGDecoderTests {
    /// All colour types and depths of the format, with a key or alphas where it has them, interlaced and not.
    static let types: [PNGTestPicture] = {
      let depths: [(PNGTestPicture.Color, [Int])] = [
        (.gray, [1, 2, 4, 8, 16]), (.rgb, [8, 16]), (.palette, [1, 2, 4, 8]), (.grayAlpha, [8, 16]), (.rgba, [8, 16]),
      ]
      let plain = depths.flatMap { color, depths in
        depths.map { PNGTestPicture.random(PixelSize(width: 37, height: 29), color, $0) }
      }
      let all = plain + plain.filter { $0.color != .grayAlpha && $0.color != .rgba }.map(\.withTransparency)
      return all + all.map(\.interlaced)
    }()

    @Test(arguments: types) func B102_eachTypeAndDepthGivesItsPixels(picture: PNGTestPicture) throws {
      let image = try PNGDecoder().decode(picture.file(), DecodeOptions())
      #expect(image.size == picture.size)
      #expect(PNGPixels(image).bytes == picture.premultiplied)
    }

    @Test(arguments: types, [36, 20, 10, 3, 1]) func B102_eachTypeIsTheMeanWhereItShrinks(
      picture: PNGTestPicture, width: Int
    ) throws {
      let options = DecodeOptions(target: .fit(PixelSize(width: width, height: 99)))
      let image = try PNGDecoder().decode(picture.file(), options)
      let reference = PNGPixels(picture.size, picture.premultiplied).mean(image.size)
      #expect(image.size.width == width)
      #expect(PNGPixels(image).difference(reference).largest <= 1)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (4, 4), (5, 5), (8, 3), (2, 17)])
    func B102_interlacedPicturesOfFewPixelsLackPasses(width: Int, height: Int) throws {
      let picture = PNGTestPicture.random(PixelSize(width: width, height: height), .rgba, 8).interlaced
      let pixels = PNGPixels(picture.size, picture.premultiplied)
      #expect(try PNGPixels(PNGDecoder().decode(picture.file(), DecodeOptions())).bytes == pixels.bytes)
      let small = try PNGDecoder().decode(
        picture.file(), DecodeOptions(target: .fit(PixelSize(width: 1, height: 1))))
      #expect(PNGPixels(small).difference(pixels.mean(small.size)).largest <= 1)
    }

    @Test func B102_growingIsTheSameInterlacedOrNot() throws {
      let picture = PNGTestPicture.random(PixelSize(width: 9, height: 7), .rgb, 8)
      let options = DecodeOptions(target: .fit(PixelSize(width: 40, height: 40)).upscaled)
      let plain = try PNGDecoder().decode(picture.file(), options)
      #expect(plain.size == PixelSize(width: 40, height: 31))
      #expect(try PNGPixels(PNGDecoder().decode(picture.interlaced.file(), options)).bytes == PNGPixels(plain).bytes)
    }

    @Test(arguments: [false, true], [2, 5, 16]) func B103_transparentSurroundingsMakeNoDarkHalo(
      isInterlaced: Bool, width: Int
    ) throws {
      // White on black that is transparent: where the two mix, what shows is white.
      var picture = PNGTestPicture(PixelSize(width: 33, height: 33), .rgba, 8) { x, y, _ in
        (x - 16) * (x - 16) + (y - 16) * (y - 16) < 100 ? 255 : 0
      }
      picture.isInterlaced = isInterlaced
      let image = try PNGDecoder().decode(
        picture.file(), DecodeOptions(target: .fit(PixelSize(width: width, height: width))))
      let bytes = PNGPixels(image).bytes
      #expect(bytes.contains { $0 != 0 && $0 != 255 })
      for start in stride(from: 0, to: bytes.count, by: 4) {
        #expect(bytes[start..<(start + 3)].allSatisfy { $0 == bytes[start + 3] })
      }
    }

    @Test(arguments: [nil, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8?], [false, true])
    func B97_BUG18_eachOrientationIsAppliedOnce(value: UInt8?, isScaled: Bool) throws {
      let picture = PNGTestPicture.random(PixelSize(width: 24, height: 10), .rgb, 8)
      var chunks: [UInt8] = []
      if let value {
        // One directory with one entry: tag 0x0112, a short.
        chunks = PNGTestFile.chunk(
          "eXIf", Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0])
      }
      let file = try picture.file(before: chunks)
      let orientation = value.flatMap(Orientation.init(rawValue:)) ?? .upright
      let whole = PNGPixels(picture.size, picture.premultiplied).upright(orientation)
      let target = isScaled ? PixelSize(width: whole.size.width / 2, height: whole.size.height / 2) : whole.size
      let image = try PNGDecoder().decode(file, DecodeOptions(target: .fit(target)))
      #expect(try PNGDecoder().size(of: file) == whole.size)
      #expect(PNGPixels(image).difference(whole.mean(target)).largest <= 1)
    }

    @Test func B102_gammaAndPrimariesLeaveThePixelsAlone() throws {
      let picture = PNGTestPicture.random(PixelSize(width: 9, height: 5), .rgb, 8)
      let primaries = [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600].flatMap { PNGTestFile.number($0) }
      let before = PNGTestFile.chunk("gAMA", PNGTestFile.number(100_000)) + PNGTestFile.chunk("cHRM", primaries)
      let file = try picture.file(before: before)
      #expect(PNGTestFile.chunks(file).map(\.type).prefix(3) == ["IHDR", "gAMA", "cHRM"])
      #expect(try PNGPixels(PNGDecoder().decode(file, DecodeOptions())).bytes == picture.premultiplied)
    }

    @Test func B108_otherBytesAreNoPNG() throws {
      for bytes in [[], Array("<html></html>".utf8), Array("GIF".utf8), [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50]] {
        #expect(!PNGDecoder().canDecode(header: bytes))
        #expect(pngErrorCode { _ = try PNGDecoder().decode(bytes, DecodeOptions()) } == .unsupported)
        #expect(pngErrorCode { _ = try PNGDecoder().size(of: bytes) } == .unsupported)
        #expect(pngErrorCode { _ = try PNGDecoder().frames(of: bytes, DecodeOptions()) } == .unsupported)
      }
      #expect(pngErrorCode { _ = try PNGDecoder().decode(PNGTestFile.signature, DecodeOptions()) } == .truncated)
    }

    @Test func B117_manyThreadsGetTheSameOfOneFile() async throws {
      let file = try PNGTestPicture.random(PixelSize(width: 90, height: 70), .rgba, 8).interlaced.file()
      let options = DecodeOptions(target: .fit(PixelSize(width: 31, height: 31)))
      let expected = try PNGPixels(PNGDecoder().decode(file, options)).bytes
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<32 { group.addTask { try PNGPixels(PNGDecoder().decode(file, options)).bytes } }
        for try await bytes in group { #expect(bytes == expected) }
      }
    }
  }

  /// The code of the error that the body throws; nil where it throws none.
  func pngErrorCode(_ body: () throws -> Void) -> ImageCodecError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ImageCodecError)?.code
    }
  }
#endif
