#if !canImport(ImageIO) && WebP
  import Testing

  @testable import ImageCodecs

  @Suite struct WebPFramesTests {
    private let decoder = WebPDecoder()

    /// Frames of any rectangle, disposal and blending, some lossy, some not.
    private func mixed(seed: UInt64, count: Int = 8) throws -> [WebPFixture.Frame] {
      var random = CodecRandom(seed: seed)
      func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
      return try (0..<count).map { _ in
        let isWhole = number(4) == 0
        let (x, y) = isWhole ? (0, 0) : (2 * number(10), 2 * number(7))
        let (width, height) = isWhole ? (24, 18) : (1 + number(24 - x), 1 + number(18 - y))
        let color = WebPFixture.photograph(width, height, alpha: number(2) == 0)
        let file = try WebPFixture.encoded(width, height, quality: number(2) == 0 ? -1 : 90, color)
        return WebPFixture.Frame(
          x: x, y: y, width: width, height: height, file: file, milliseconds: 20 + number(100),
          disposes: number(2) == 0, blends: number(2) == 0)
      }
    }

    private func cursor(_ file: [UInt8], _ options: DecodeOptions = DecodeOptions()) throws -> any ImageFrames {
      try #require(try decoder.frames(of: file, options))
    }

    /// Whether no byte differs by more than libwebp's compositor rounds away, frame after frame.
    private func isClose(_ ours: [UInt8], _ theirs: [UInt8], _ tolerance: Int) -> Bool {
      ours.count == theirs.count && zip(ours, theirs).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    @Test(arguments: 0..<20)
    func B112_framesAreWhatLibwebpComposes(seed: UInt64) throws {
      let parts = try mixed(seed: seed)
      let file = WebPFixture.animation(24, 18, parts)
      let expected = try WebPFixture.frames(file)
      let frames = try remainingFrames(try cursor(file))
      #expect(frames.count == parts.count && expected.count == parts.count)
      for (index, frame) in frames.enumerated() {
        #expect(isClose(frame.image.rgba, expected[index], 4), "frame \(index)")
        #expect(frame.duration == .milliseconds(parts[index].milliseconds))
      }
      #expect(try decoder.decode(file, DecodeOptions()).rgba == frames[0].image.rgba)
    }

    @Test(arguments: 0..<6)
    func B115_seekGivesTheSameFrames(seed: UInt64) throws {
      let file = WebPFixture.animation(24, 18, try mixed(seed: 50 + seed))
      let frames = try cursor(file)
      let all = try remainingFrames(frames).map(\.image.rgba)
      var random = CodecRandom(seed: seed)
      for _ in 0..<20 {
        let index = Int.random(in: 0..<all.count, using: &random)
        try frames.seek(to: index)
        #expect(try frames.next()?.image.rgba == all[index])
      }
      try frames.seek(to: 0)
      #expect(try remainingFrames(frames).map(\.image.rgba) == all)
    }

    @Test func B113_shortDurationsAreATenthOfASecond() throws {
      var parts = try mixed(seed: 9, count: 4)
      for (index, time) in [0, 19, 20, 1_000].enumerated() { parts[index].milliseconds = time }
      let frames = try cursor(WebPFixture.animation(24, 18, loops: 3, parts))
      #expect(frames.loopCount == 3)
      #expect(try remainingFrames(frames).map(\.duration) == [100, 100, 20, 1_000].map { .milliseconds($0) })
      #expect(try cursor(WebPFixture.animation(24, 18, loops: 0, parts)).loopCount == 0)
    }

    @Test func B115_canvasIsAllThatIsHeld() throws {
      let file = WebPFixture.animation(24, 18, try mixed(seed: 10, count: 3))
      let enough = DecodeOptions(limits: ImageLimits(maxFrameBytes: 4 * 24 * 18))
      #expect(try remainingFrames(try cursor(file, enough)).count == 3)
      let little = DecodeOptions(limits: ImageLimits(maxFrameBytes: 4 * 24 * 18 - 1))
      #expect(throws: ImageCodecError.self) { try cursor(file, little) }
      #expect(try decoder.decode(file, little).size == PixelSize(width: 24, height: 18))
    }

    @Test func B107_framesBeforeTheCutStayGood() throws {
      let whole = WebPFixture.animation(24, 18, try mixed(seed: 12, count: 3))
      let expected = try remainingFrames(try cursor(whole)).map(\.image.rgba)
      let cut = Array(whole.dropLast(6))
      let frames = try cursor(cut)
      #expect(try frames.next()?.image.rgba == expected[0])
      #expect(try frames.next()?.image.rgba == expected[1])
      #expect(errorCode { _ = try frames.next() } == .truncated)
      try frames.seek(to: 1)
      #expect(try frames.next()?.image.rgba == expected[1])
      #expect(try remainingFrames(try cursor(cut, DecodeOptions(allowsPartial: true))).count == 3)
    }

    @Test func I14_frameOfAnotherSizeIsCorrupt() throws {
      var parts = try mixed(seed: 13, count: 2)
      parts[1].width = parts[1].width == 1 ? 2 : parts[1].width - 1
      let frames = try cursor(WebPFixture.animation(24, 18, parts))
      _ = try frames.next()
      #expect(errorCode { _ = try frames.next() } == .corrupt)
    }

    @Test func B104_hugeFrameOnSmallCanvasIsRefused() throws {
      let file = try WebPFixture.encoded(40, 40, WebPFixture.photograph(40, 40))
      let frame = WebPFixture.Frame(width: 40, height: 40, file: file)
      let animation = WebPFixture.animation(8, 8, [frame, frame])
      let little = DecodeOptions(limits: ImageLimits(maxSourcePixels: 1_599))
      #expect(errorCode { _ = try decoder.decode(animation, little) } == .limit)
      let frames = try cursor(animation, little)
      #expect(errorCode { _ = try frames.next() } == .limit)
      #expect(try remainingFrames(try cursor(animation)).count == 2)
    }

    @Test func I9_framesComeScaledAndTheFirstToo() throws {
      let file = WebPFixture.animation(24, 18, try mixed(seed: 14, count: 3))
      let options = DecodeOptions(target: .fit(PixelSize(width: 8, height: 8)))
      let frames = try cursor(file, options)
      #expect(frames.size == PixelSize(width: 8, height: 6))
      let first = try #require(try frames.next()).image
      #expect(isClose(first.rgba, try decoder.decode(file, options).rgba, 1))
    }
  }
#endif
