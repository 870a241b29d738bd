#if !canImport(ImageIO) && GIF && WebP
  import Testing

  @testable import ImageCodecs

  @Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct GIFWebPCorpusTests {
    static let files = Corpus.files(endings: ["gif", "webp"])
    static let whole = files.filter(\.mustDecode)

    private func decoder(_ file: CorpusFile) -> any ImageDecoder {
      file.name.hasSuffix("gif") ? GIFDecoder() : WebPDecoder()
    }

    @Test(arguments: whole)
    func I11_fileGivesWhatTheListSays(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let decoder = decoder(file)
      #expect(try decoder.size(of: bytes) == file.upright)
      #expect(try decoder.decode(bytes, DecodeOptions()).size == file.upright)
      let target = DecodeTarget.fit(PixelSize(width: 64, height: 64))
      let small = try decoder.decode(bytes, DecodeOptions(target: target))
      #expect(small.size == file.upright.map(target.outputSize))
      let frames = try decoder.frames(of: bytes, DecodeOptions())
      #expect((frames?.count ?? 1) == file.frames)
      if let frames { #expect(try remainingFrames(frames).count == file.frames) }
    }

    @Test(arguments: files.filter { !$0.mustDecode })
    func I14_damagedFileIsRefusedOrGivesAPart(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let codes: [ImageCodecError.Code] =
        switch file.expected {
        case "fail:corrupt", "fail:zero-dimension": [.corrupt]
        case "fail:truncated": [.truncated]
        case "fail:too-large", "clip-or-fail:too-large": [.limit]
        default: []
        }
      do {
        _ = try decoder(file).decode(bytes, DecodeOptions())
        // libwebp, and so every program that uses it, decodes the fuzzed one to its last row.
        #expect(file.expected.contains("or-fail") || file.name == "corrupt/irs_panic.webp")
      } catch {
        #expect(codes.contains(error.code), "\(error)")
      }
      if let frames = try? decoder(file).frames(of: bytes, DecodeOptions()) { _ = try? remainingFrames(frames) }
    }

    @Test(arguments: whole.filter { $0.name.hasSuffix("gif") })
    func B112_framesAreWhatAPlainReaderComposes(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let expected = GIFPlainReader(bytes).fixture.composed
      if let frames = try GIFDecoder().frames(of: bytes, DecodeOptions()) {
        #expect(try remainingFrames(frames).map(\.image.numbers) == expected)
      }
      #expect(try GIFDecoder().decode(bytes, DecodeOptions()).numbers == expected[0])
    }

    @Test(arguments: whole.filter { $0.name.hasSuffix("webp") && $0.frames > 1 })
    func B112_framesAreWhatLibwebpComposes(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let expected = try WebPFixture.frames(bytes)
      let frames = try #require(try WebPDecoder().frames(of: bytes, DecodeOptions()))
      for (index, frame) in try remainingFrames(frames).enumerated() {
        let worst = zip(frame.image.rgba, expected[index]).map { abs(Int($0) - Int($1)) }.max()
        #expect(worst ?? 255 <= 4, "frame \(index)")
      }
    }

    @Test(arguments: whole.filter { $0.name.hasPrefix("webp/") && $0.frames == 1 })
    func I9_scaledIsTheMean(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let full = try WebPFixture.decoded(bytes)
      for divisor in [2, 3, 8] {
        let side = max(1, max(full.size.width, full.size.height) / divisor)
        let image = try WebPDecoder().decode(bytes, DecodeOptions(target: .fit(PixelSize(width: side, height: side))))
        let difference = image.difference(fromMeanOf: full)
        #expect(difference.allSatisfy { $0 <= 1 }, "1/\(divisor): \(difference)")
      }
    }

    @Test(arguments: [1, 3, 4, 5, 6, 7, 8])
    func B97_markedQuartersAreUpright(value: Int) throws {
      let bytes = try Corpus.file("exif/made_quad_\(value).webp").bytes()
      for options in [DecodeOptions(), DecodeOptions(target: .fit(PixelSize(width: 32, height: 32)))] {
        let image = try WebPDecoder().decode(bytes, options)
        let (width, height) = (image.size.width, image.size.height)
        let found = [(1, 1), (3, 1), (1, 3), (3, 3)].map { place in
          let offset = 4 * ((height * place.1 / 4) * width + width * place.0 / 4)
          return image.rgba[offset..<(offset + 3)].map { $0 > 127 }
        }
        #expect(found == [[true, false, false], [false, true, false], [false, false, true], [true, true, false]])
      }
    }
  }
#endif
