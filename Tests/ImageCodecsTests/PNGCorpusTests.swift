#if !canImport(ImageIO)
  import Testing

  @testable import ImageCodecs

  /// Real files, where the corpus is there.
  @Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct PNGCorpusTests {
    static let files = Corpus.files(endings: ["png", "apng"]).filter { !$0.name.hasPrefix("mislabelled") }

    @Test(arguments: files) func B102_eachFileGivesWhatTheManifestSays(file: CorpusFile) throws {
      let bytes = try file.bytes()
      let found = pngErrorCode {
        let image = try PNGDecoder().decode(bytes, DecodeOptions())
        #expect(try PNGDecoder().size(of: bytes) == image.size)
        if let upright = file.upright { #expect(image.size == upright) }
      }
      switch file.name {
      // No pixels at all.
      case "apng/syntax_num_frames_zero.png": #expect(found == .truncated || found == .corrupt)
      case "corrupt/broken.png": #expect(found == .corrupt)
      case "corrupt/broken_data_stream.png": #expect(found == .corrupt)
      default: #expect(found == nil)
      }
      if file.name == "corrupt/broken_data_stream.png" {
        _ = try PNGDecoder().decode(bytes, DecodeOptions(allowsPartial: true))
      }
    }

    @Test(arguments: files, [Int.max, 64]) func B102_eachFileIsNearTheMeanOfWhatLibpngGives(
      file: CorpusFile, side: Int
    ) throws {
      let bytes = try file.bytes()
      guard let whole = PNGPixels(libpng: bytes), side < .max || whole.size.area < 1 << 19 else { return }
      let target = side == .max ? DecodeTarget.original : .fit(PixelSize(width: side, height: side))
      let image = try PNGPixels(PNGDecoder().decode(bytes, DecodeOptions(target: target, colors: .asStored)))
      let orientation = try ImageHeader(bytes).orientation
      let reference = whole.upright(orientation).mean(target.outputSize(for: orientation.upright(whole.size)))
      let difference = image.difference(reference)
      #expect(difference.mean <= 0.5 && difference.largest <= 1)
    }

    @Test func B97_allQuadrantsAreUpright() throws {
      for number in [1, 2, 3, 4, 6, 7, 8] {
        let bytes = try Corpus.file("exif/made_quad_\(number).png").bytes()
        for target in [DecodeTarget.original, .fit(PixelSize(width: 16, height: 16))] {
          let image = try PNGPixels(PNGDecoder().decode(bytes, DecodeOptions(target: target)))
          #expect(image.size.width * 3 == image.size.height * 4)
          let (right, last) = (4 * (image.size.width - 1), image.bytes.count - 4)
          let corners = [0, right, last - right, last].map { Array(image.bytes[$0..<($0 + 3)].map { $0 > 127 }) }
          #expect(
            corners == [[true, false, false], [false, true, false], [false, false, true], [true, true, false]])
        }
      }
    }

    @Test func B102_aProfileIsFollowedUnlessColorsAreLeft() throws {
      let bytes = try Corpus.file("icc/paris_icc_exif_xmp_at_end.png").bytes()
      let stored = try PNGPixels(PNGDecoder().decode(bytes, DecodeOptions(colors: .asStored)))
      let converted = try PNGPixels(PNGDecoder().decode(bytes, DecodeOptions()))
      let isOtherThanSRGB = try bytes.withBytes { bytes throws(ImageCodecError) in
        try PNGReader(bytes, ImageLimits(), readsProfile: true).conversion() != nil
      }
      #expect((stored.bytes != converted.bytes) == isOtherThanSRGB)
      #expect(converted.difference(stored).mean < 30)
    }
  }
#endif
