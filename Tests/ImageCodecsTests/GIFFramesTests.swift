#if !canImport(ImageIO) && GIF
  import Testing

  @testable import ImageCodecs

  @Suite struct GIFFramesTests {
    private let decoder = GIFDecoder()

    private func cursor(_ gif: GIFFixture, _ options: DecodeOptions = DecodeOptions()) throws -> any ImageFrames {
      try #require(try decoder.frames(of: gif.bytes, options))
    }

    /// Frames of any rectangle, disposal and transparency.
    private func mixed(seed: UInt64, count: Int = 12) -> GIFFixture {
      var random = CodecRandom(seed: seed)
      func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
      var gif = GIFFixture(width: 9, height: 7, frames: [])
      for index in 0..<count {
        // The first one doesn't widen the screen; others may reach beyond it.
        let isWhole = number(4) == 0
        let (x, y) = isWhole ? (0, 0) : (number(8), number(6))
        let width = isWhole ? 9 : 1 + number(index == 0 ? 9 - x : 12)
        let height = isWhole ? 7 : 1 + number(index == 0 ? 7 - y : 12)
        gif.frames.append(
          GIFFixture.Frame(
            x: x, y: y, width: width, height: height, indices: (0..<(width * height)).map { _ in UInt8(number(9)) },
            disposal: number(4), transparent: number(3) == 0 ? nil : UInt8(number(8)), isInterlaced: number(2) == 0))
      }
      return gif
    }

    @Test(arguments: 0..<40)
    func B112_framesAreWhatAPlainCompositorMakes(seed: UInt64) throws {
      let gif = mixed(seed: seed)
      let frames = try remainingFrames(try cursor(gif))
      #expect(frames.count == gif.frames.count)
      #expect(frames.map(\.image.numbers) == gif.composed)
      // The picture that is shown still is the first one, made another way.
      #expect(try decoder.decode(gif.bytes, DecodeOptions()).numbers == gif.composed[0])
    }

    @Test(arguments: 0..<20)
    func B115_seekGivesTheSameFrames(seed: UInt64) throws {
      let gif = mixed(seed: 100 + seed)
      let frames = try cursor(gif)
      var random = CodecRandom(seed: seed)
      for _ in 0..<30 {
        let index = Int.random(in: 0..<gif.frames.count, using: &random)
        try frames.seek(to: index)
        #expect(try frames.next()?.image.numbers == gif.composed[index])
      }
      try frames.seek(to: gif.frames.count)
      #expect(try frames.next() == nil)
      try frames.seek(to: -3)
      #expect(try remainingFrames(frames).map(\.image.numbers) == gif.composed)
    }

    @Test func B113_shortDelaysAreATenthOfASecond() throws {
      var gif = mixed(seed: 1, count: 5)
      for (index, delay) in [0, 1, 2, 10, 65_535].enumerated() { gif.frames[index].delay = delay }
      #expect(
        try remainingFrames(try cursor(gif)).map(\.duration)
          == [100, 100, 20, 100, 655_350].map { .milliseconds($0) })
    }

    @Test(arguments: [(nil, 1), (0, 0), (1, 2), (7, 8), (65_535, 65_536)] as [(Int?, Int)])
    func B113_loopsAreOneMoreThanRepeats(repeats: Int?, loops: Int) throws {
      var gif = mixed(seed: 2, count: 2)
      gif.repeats = repeats
      #expect(try cursor(gif).loopCount == loops)
    }

    @Test func B115_canvasIsAllThatIsHeld() throws {
      var gif = mixed(seed: 3, count: 4)
      for index in gif.frames.indices { gif.frames[index].disposal = 1 }
      let enough = DecodeOptions(limits: ImageLimits(maxFrameBytes: 4 * 9 * 7))
      #expect(try remainingFrames(try cursor(gif, enough)).count == 4)
      let little = DecodeOptions(limits: ImageLimits(maxFrameBytes: 4 * 9 * 7 - 1))
      #expect(throws: ImageCodecError.self) { try cursor(gif, little) }
      // The still picture needs no canvas.
      #expect(try decoder.decode(gif.bytes, little).numbers == gif.composed[0])
    }

    @Test func B104_hugeFrameIsClippedOrRefused() throws {
      var gif = mixed(seed: 4, count: 2)
      gif.frames[1] = GIFFixture.Frame(
        x: 2, y: 3, width: 600, height: 10, indices: [UInt8](repeating: 2, count: 6_000))
      #expect(try remainingFrames(try cursor(gif)).map(\.image.numbers) == gif.composed)
      let frames = try cursor(gif, DecodeOptions(limits: ImageLimits(maxSourcePixels: 5_999)))
      #expect(try frames.next() != nil)
      #expect(errorCode { _ = try frames.next() } == .limit)
    }

    @Test func B107_framesBeforeTheCutStayGood() throws {
      let gif = mixed(seed: 5, count: 3)
      let bytes = Array(gif.bytes.dropLast(4))
      let frames = try #require(try decoder.frames(of: bytes, DecodeOptions()))
      #expect(try frames.next()?.image.numbers == gif.composed[0])
      #expect(try frames.next()?.image.numbers == gif.composed[1])
      for _ in 0..<2 {
        #expect(errorCode { _ = try frames.next() } == .truncated)
      }
      try frames.seek(to: 1)
      #expect(try frames.next()?.image.numbers == gif.composed[1])
      let partial = try #require(try decoder.frames(of: bytes, DecodeOptions(allowsPartial: true)))
      #expect(try remainingFrames(partial).count == 3)
    }

    @Test func I9_framesComeScaled() throws {
      let gif = mixed(seed: 6, count: 3)
      let options = DecodeOptions(target: .fit(PixelSize(width: 3, height: 3)))
      let frames = try cursor(gif, options)
      #expect(frames.size == PixelSize(width: 3, height: 2))
      let first = try #require(try frames.next()).image
      #expect(first.size == frames.size)
      #expect(first.numbers == (try decoder.decode(gif.bytes, options).numbers))
    }

    @Test func B117_oneCursorOnManyThreads() async throws {
      let gif = mixed(seed: 8, count: 24)
      let frames = try cursor(gif)
      let all = try await withThrowingTaskGroup(of: [[UInt32]].self) { group in
        for _ in 0..<4 { group.addTask { try remainingFrames(frames).map(\.image.numbers) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(all.count == 24 && Set(all) == Set(gif.composed))
    }
  }
#endif
