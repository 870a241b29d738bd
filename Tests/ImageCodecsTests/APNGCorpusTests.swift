#if !canImport(ImageIO)
  import Testing

  @testable import ImageCodecs

  /// The conformance set, where the corpus is there.
  @Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct APNGCorpusTests {
    static let files = Corpus.files(in: "apng")

    @Test(arguments: files) func B114_framesOrThePictureAlone(file: CorpusFile) throws {
      let bytes = try file.bytes()
      if file.expected != "decode" {
        let frames = try PNGDecoder().frames(of: bytes, DecodeOptions())
        #expect(frames == nil)
        return
      }
      // The manifest counts a picture that is no frame.
      let chunks = PNGTestFile.chunks(bytes)
      let isOutside =
        (chunks.firstIndex { $0.type == "IDAT" } ?? 0) < (chunks.firstIndex { $0.type == "fcTL" } ?? 0)
      let frames = try #require(try PNGDecoder().frames(of: bytes, DecodeOptions()))
      #expect(frames.count == file.frames - (isOutside ? 1 : 0))
      #expect(frames.size == file.upright)
      let expected = PlainAPNG.frames(bytes)
      #expect(try apngFrames(bytes).map(\.1) == expected)
      #expect(expected.count == frames.count)
    }

    /// What the last frame shows at the corner and in the middle, by the colours in the file.
    @Test(arguments: [
      ("blend_op_source_transparent", [0, 0, 0, 0]), ("blend_op_over", [0, 255, 0, 255]),
      ("blend_op_over_near_transparent", [0, 255, 0, 255]), ("dispose_op_none", [0, 255, 0, 255]),
      ("dispose_op_background", [0, 0, 0, 0]), ("dispose_op_background_final", [0, 255, 0, 255]),
      ("mode_16bit", [0, 0, 128, 255]), ("mode_palette_alpha", [0, 255, 0, 255]),
      ("mode_palette_1bit_alpha", [0, 0, 128, 255]), ("split_fdat", [0, 255, 0, 255]),
      ("split_fdat_zero_chunk", [0, 255, 0, 255]), ("single_frame_default", [0, 255, 0, 255]),
    ])
    func B112_lastFramesOfTheConformanceSet(name: String, color: [UInt8]) throws {
      let frames = try apngFrames(Corpus.file("apng/\(name).png").bytes())
      let last = try #require(frames.last).1
      let expected = PNGPixels.premultiplied(color)
      #expect(Array(last.prefix(4)) == expected)
      #expect(Array(last[(4 * (32 * 128 + 64))..<(4 * (32 * 128 + 64) + 4)]) == expected)
    }

    @Test func B113_timesAndRounds() throws {
      func times(_ name: String) throws -> [Duration] {
        try apngFrames(Corpus.file("apng/\(name).png").bytes()).map(\.0)
      }
      func plays(_ name: String) throws -> Int? {
        try PNGDecoder().frames(of: Corpus.file("apng/\(name).png").bytes(), DecodeOptions())?.loopCount
      }
      #expect(try times("delay") == [.milliseconds(500), .seconds(1), .milliseconds(500), .seconds(1)])
      #expect(try times("delay_round") == [.milliseconds(500), .seconds(1)])
      #expect(try times("delay_zero_denom") == [.milliseconds(500), .seconds(1)])
      #expect(try times("dispose_op_previous_frame").allSatisfy { $0 == .milliseconds(100) })
      #expect(try plays("num_plays") == 0)
      #expect(try plays("num_plays_1") == 1)
    }
  }
#endif
