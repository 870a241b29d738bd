#if !canImport(ImageIO)
  import CImageFixtures
  import Testing

  @testable import ImageCodecs

  /// Files that are cut, damaged or made to cost much; memory is measured in processes of its own.
  @Suite struct PNGDamageTests {
    private let size = PixelSize(width: 120, height: 90)

    // MARK: Cut files

    @Test(arguments: [25, 50, 90]) func B107_aCutFileIsTruncatedUnlessAPartIsAllowed(percent: Int) throws {
      let picture = PNGTestPicture.random(size, .rgb, 8)
      let file = try picture.file()
      let cut = Array(file.prefix(file.count * percent / 100))
      #expect(pngErrorCode { _ = try PNGDecoder().decode(cut, DecodeOptions()) } == .truncated)

      let part = try PNGPixels(PNGDecoder().decode(cut, DecodeOptions(allowsPartial: true)))
      #expect(part.size == size)
      let stride = 4 * size.width
      let rows = (0..<size.height).map { Array(part.bytes[($0 * stride)..<(($0 + 1) * stride)]) }
      let whole = picture.premultiplied
      let equal = rows.indices.prefix { rows[$0].elementsEqual(whole[($0 * stride)..<(($0 + 1) * stride)]) }.count
      #expect(abs(equal - size.height * percent / 100) <= 3)
      #expect(rows[equal...].joined().allSatisfy { $0 == 0 }, "what did not come is transparent")
    }

    @Test(arguments: [120, 60, 12]) func B107_aCutInterlacedFileShowsAllOfThePictureRoughly(width: Int) throws {
      let picture = PNGTestPicture(size, .rgb, 8) { x, y, channel in 20 + x + y + channel }.interlaced
      let file = try picture.file()
      let options = DecodeOptions(target: .fit(PixelSize(width: width, height: width)))
      let cut = Array(file.prefix(file.count / 3))
      #expect(pngErrorCode { _ = try PNGDecoder().decode(cut, options) } == .truncated)
      var partly = options
      partly.allowsPartial = true
      let part = try PNGPixels(PNGDecoder().decode(cut, partly))
      let whole = PNGPixels(size, picture.premultiplied).mean(part.size)
      #expect(!part.bytes.contains(0), "no place is transparent")
      let difference = part.difference(whole)
      #expect(difference.mean > 0 && difference.largest <= 14, "within the eight pixels that one stands for")
    }

    @Test func B107_aFileWithoutOneRowIsNoPart() throws {
      let file = try PNGTestPicture.random(size, .rgb, 8).file()
      let head = Array(file.prefix(60))
      #expect(
        pngErrorCode { _ = try PNGDecoder().decode(head, DecodeOptions(allowsPartial: true)) } == .truncated)
    }

    @Test(arguments: [false, true], [PixelSize(width: 120, height: 90), PixelSize(width: 5, height: 1)])
    func B107_aFileThatEndsAfterItsLastPixelIsWhole(isInterlaced: Bool, size: PixelSize) throws {
      for color in [PNGTestPicture.Color.rgb, .rgba] {
        var picture = PNGTestPicture.random(size, color, 8)
        picture.isInterlaced = isInterlaced
        let file = try picture.file()
        // Without IEND, and without the checksums of the data.
        for missing in [1, 12, 14, 16, 17] {
          let image = try PNGDecoder().decode(Array(file.dropLast(missing)), DecodeOptions())
          #expect(PNGPixels(image).bytes == picture.premultiplied)
        }
      }
    }

    // MARK: Damaged chunks

    @Test func B106_damageInChunksThatPixelsDoWithoutIsPassedOver() throws {
      let picture = PNGTestPicture.random(size, .rgb, 8)
      let chunks = PNGTestFile.chunks(try picture.file())
      let extra: [(String, [UInt8])] = [
        ("gAMA", [1]), ("cHRM", []), ("sRGB", [9, 9, 9]), ("zTXt", Array("k\u{0}\u{7}".utf8)), ("eXIf", [77]),
        ("iCCP", Array("p\u{0}\u{9}xx".utf8)), ("acTL", [0]), ("prVt", Array(repeating: 3, count: 999)), ("hIST", [0]),
        ("tIME", []), ("bKGD", [1]), ("sPLT", [1, 2, 3]), ("pHYs", []),
      ]
      for (type, content) in extra {
        var file = PNGTestFile.file([chunks[0], (type, content)] + chunks.dropFirst())
        #expect(try PNGPixels(PNGDecoder().decode(file, DecodeOptions())).bytes == picture.premultiplied, "\(type)")
        // A wrong checksum too.
        file[33 + 8 + content.count] ^= 1
        #expect(try PNGPixels(PNGDecoder().decode(file, DecodeOptions())).bytes == picture.premultiplied, "\(type)")
      }
    }

    @Test func B106_transparencyWithAWrongChecksumCountsAsAbsent() throws {
      let opaque = PNGTestPicture.random(size, .gray, 8)
      var file = try opaque.withTransparency.file()
      let position = try #require((33..<file.count).first { Array(file[$0..<($0 + 4)]) == Array("tRNS".utf8) })
      file[position + 6] ^= 1
      #expect(try PNGPixels(PNGDecoder().decode(file, DecodeOptions())).bytes == opaque.premultiplied)
    }

    @Test func B107_wrongPixelDataIsCorruptAndMayGiveAPart() throws {
      var picture = PNGTestPicture.random(size, .rgb, 8)
      picture.chunkSize = 2000
      let file = try picture.file()
      for position in [45, 2300, file.count / 2, file.count - 20] {
        var damaged = file
        damaged[position] ^= 0x55
        #expect(pngErrorCode { _ = try PNGDecoder().decode(damaged, DecodeOptions()) } == .corrupt, "\(position)")
      }
      var damaged = file
      damaged[file.count / 2] ^= 0x55
      let part = try PNGPixels(PNGDecoder().decode(damaged, DecodeOptions(allowsPartial: true)))
      #expect(part.bytes.prefix(4 * 120 * 30).elementsEqual(picture.premultiplied.prefix(4 * 120 * 30)))
    }

    @Test func B107_noDamageTraps() throws {
      var random = CanvasRandom(state: 3)
      let files = try [
        PNGTestPicture.random(PixelSize(width: 19, height: 11), .palette, 4).withTransparency.interlaced.file(),
        PNGTestPicture.random(PixelSize(width: 19, height: 11), .rgba, 16).file(),
        PNGTestPicture.random(PixelSize(width: 19, height: 11), .gray, 2).withTransparency.file(),
      ]
      var limits = ImageLimits()
      limits.maxSourcePixels = 1 << 20
      for round in 0..<1500 {
        var file = files[round % files.count]
        for _ in 0..<(round % 4 + 1) {
          let position = Int.random(in: 8..<file.count, using: &random)
          file[position] = .random(in: 0...255, using: &random)
        }
        if round % 5 == 0 { file = Array(file.prefix(.random(in: 0...file.count, using: &random))) }
        // Checksums that fit let damage further in.
        if round % 2 == 0 { file = PNGTestFile.file(PNGTestFile.chunks(file)) }
        let options = DecodeOptions(
          target: round % 3 == 0 ? .original : .fit(PixelSize(width: 5, height: 5)), limits: limits,
          allowsPartial: round % 7 == 0)
        let found = pngErrorCode {
          _ = try PNGDecoder().decode(file, options)
          _ = try PNGDecoder().frames(of: file, options)?.next()
        }
        #expect(found == nil || [.corrupt, .truncated, .limit, .unsupported].contains(found))
      }
    }

    // MARK: Bombs

    @Test func B104_aClaimOf900MegapixelsIsRefusedBeforeMemoryIsTaken() async {
      await #expect(processExitsWith: .success) {
        for (width, height, name) in [(30_000, 30_000, "maxSourcePixels"), (65_536, 8, "maxSide")] {
          let head = PNGTestFile.number(width) + PNGTestFile.number(height) + [1, 0, 0, 0, 0]
          let file = PNGTestFile.file([("IHDR", head), ("IDAT", [0x78, 0x9C]), ("IEND", [])])
          let growth = ProcessMemory.growth {
            let failure = #expect(throws: ImageCodecError.self) {
              _ = try PNGDecoder().decode(file, DecodeOptions(target: .fit(PixelSize(width: 9, height: 9))))
            }
            #expect(failure?.code == .limit)
            #expect(failure?.message.contains(name) == true)
          }
          // A bit for each pixel would be 113 MB; some are for code that runs for the first time.
          #expect(growth < 32 << 20, "\(name)")
        }
      }
    }

    @Test func B104_timeIsLimitedToo() throws {
      let file = try PNGTestPicture.random(PixelSize(width: 40, height: 400), .gray, 8).file()
      let options = DecodeOptions(limits: ImageLimits(maxTime: .zero))
      let failure = #expect(throws: ImageCodecError.self) { _ = try PNGDecoder().decode(file, options) }
      #expect(failure?.code == .limit)
      #expect(failure?.message.contains("maxTime") == true)
    }

    @Test func BUG16_theOriginalSizeHasACeilingToo() throws {
      let file = try PNGTestPicture.random(size, .gray, 8).file()
      let options = DecodeOptions(limits: ImageLimits(maxOutputPixels: size.area - 1))
      let failure = #expect(throws: ImageCodecError.self) { _ = try PNGDecoder().decode(file, options) }
      #expect(failure?.code == .limit)
      #expect(failure?.message.contains("maxOutputPixels") == true)
    }

    @Test func B106_compressedBombsAreNotUnpacked() async {
      await #expect(processExitsWith: .success) {
        // The pixels of a black picture are a few kilobytes that become 64 MiB.
        let black = PixelSize(width: 8192, height: 8192)
        let bomb = try PNGTestFile.write(
          .init(width: 8192, height: 8192, color_type: 0, bit_depth: 8, is_interlaced: 0, chunk_size: 1 << 20),
          Array(repeating: 0, count: black.area))
        let stream = try #require(PNGTestFile.chunks(bomb).first { $0.type == "IDAT" }).content
        let picture = PNGTestPicture.random(PixelSize(width: 120, height: 90), .rgb, 8)
        let chunks = PNGTestFile.chunks(try picture.file())
        let head: [UInt8] = [UInt8(ascii: "k"), 0, 0]
        let hugeProfile = PNGTestFile.number(60 << 20) + Array(repeating: 0, count: 9)
        for (type, content) in [
          ("zTXt", head + stream), ("iCCP", head + stream), ("iTXt", [107, 0, 1, 0, 0, 0] + stream),
          ("iCCP", head + hugeProfile),
        ] {
          let file = PNGTestFile.file([chunks[0]] + Array(repeating: (type, content), count: 20) + chunks.dropFirst())
          var image: DecodedImage?
          let growth = try ProcessMemory.growth { image = try PNGDecoder().decode(file, DecodeOptions()) }
          #expect(image.map { PNGPixels($0).bytes } == picture.premultiplied, "\(type)")
          #expect(growth < 32 << 20, "\(type)")
        }
      }
    }

    @Test func BUG15_aLargePictureShrinksInLittleMemory() async {
      await #expect(processExitsWith: .success) {
        // 12 megapixels, which as a whole are 48 MiB.
        for isInterlaced in [Int32(0), 1] {
          let file = try PNGTestFile.write(
            .init(width: 4000, height: 3000, color_type: 2, bit_depth: 8, is_interlaced: isInterlaced, chunk_size: 0),
            Array(repeating: 200, count: 4000 * 3000 * 3))
          let options = DecodeOptions(target: .fit(PixelSize(width: 400, height: 400)))
          var image: DecodedImage?
          let growth = try ProcessMemory.growth { image = try PNGDecoder().decode(file, options) }
          #expect(growth < 16 << 20)
          #expect(image.map { Array(PNGPixels($0).bytes.prefix(4)) } == [200, 200, 200, 255])
        }
      }
    }

    @Test func BUG20_BUG21_largeChunksOfNoUseAreSteppedOver() async {
      await #expect(processExitsWith: .success) {
        let picture = PNGTestPicture.random(PixelSize(width: 120, height: 90), .rgb, 8)
        let chunks = PNGTestFile.chunks(try picture.file())
        let large: (String, [UInt8]) = ("prVt", Array(repeating: 1, count: 9 << 20))
        let exif: (String, [UInt8]) = (
          "eXIf", Array("II*\u{0}".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        )
        let file = PNGTestFile.file(
          [chunks[0], large] + chunks.dropFirst().dropLast() + [large, exif] + chunks.suffix(1))
        // Code that runs for the first time takes memory too: the second time counts.
        var growth = 0
        var sizes: [PixelSize] = []
        for _ in 0..<2 {
          growth = try ProcessMemory.growth {
            sizes = [try PNGDecoder().size(of: file), try PNGDecoder().decode(file, DecodeOptions()).size]
          }
        }
        #expect(sizes == Array(repeating: picture.size.transposed, count: 2))
        #expect(growth < 8 << 20)
      }
    }
  }
#endif
