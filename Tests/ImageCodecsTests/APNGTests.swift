#if !canImport(ImageIO)
  import CImageFixtures
  import Testing

  @testable import ImageCodecs

  @Suite struct APNGTests {
    private let size = PixelSize(width: 20, height: 10)

    @Test(
      arguments: [(.rgba, 8), (.rgba, 16), (.palette, 2), (.palette, 8), (.grayAlpha, 8), (.gray, 1), (.rgb, 8)]
        as [(PNGTestPicture.Color, Int)], [false, true])
    func B112_framesAreComposedExactly(type: (PNGTestPicture.Color, Int), isInterlaced: Bool) throws {
      for seed in 1...4 {
        let file = try APNGTestFile.random(type.0, type.1, isInterlaced: isInterlaced, seed: UInt64(seed)).file()
        let expected = PlainAPNG.frames(file)
        #expect(expected.count == 12)
        #expect(try apngFrames(file).map(\.1) == expected)
      }
    }

    @Test func B112_aPictureOutsideTheAnimationIsNoFrame() throws {
      var animation = try twoFrames()
      animation.first = nil
      let file = try animation.file()
      #expect(try apngFrames(file).map { $0.1.prefix(4) } == [[0, 0, 255, 255]])
      let still = try PNGDecoder().decode(file, DecodeOptions())
      #expect(still.withPixels { Array($0.prefix(4)) } == [255, 0, 0, 255])
    }

    @Test func B113_timesAndRounds() throws {
      let delays = [(0, 0), (1, 100), (19, 1000), (2, 100), (7, 0), (1, 3), (65535, 1), (1, 65535)]
      let expected: [Duration] = [
        .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(20), .milliseconds(70),
        .seconds(1) / 3, .seconds(65535), .milliseconds(100),
      ]
      var animation = try twoFrames()
      let frame = animation.frames[0]
      animation.frames = delays.map { delay in
        var frame = frame
        frame.delay = delay
        return frame
      }
      animation.first = nil
      for plays in [0, 1, 7] {
        animation.plays = plays
        let frames = try #require(try PNGDecoder().frames(of: animation.file(), DecodeOptions()))
        #expect(frames.loopCount == plays)
        #expect(try (0..<8).map { _ in try frames.next()?.duration } == expected)
      }
    }

    @Test func B114_brokenRulesLeaveThePicture() throws {
      let good = try twoFrames().chunks()
      // IHDR, acTL, fcTL, IDAT, fcTL, fdAT, IEND.
      #expect(good.map(\.type) == ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"])
      func changed(_ index: Int, _ offset: Int, _ value: UInt8) -> [(type: String, content: [UInt8])] {
        var chunks = good
        chunks[index].content[offset] = value
        return chunks
      }
      var broken: [String: [(type: String, content: [UInt8])]] = [
        "no frames": changed(1, 3, 0), "more frames than there are": changed(1, 3, 3), "fewer": changed(1, 3, 1),
        "a number with a sign": changed(1, 0, 0x80), "a sequence that begins with 1": changed(2, 3, 1),
        "a gap": changed(4, 3, 2), "data out of order": changed(5, 3, 1), "no width": changed(4, 7, 0),
        "wider than the canvas": changed(4, 7, 21), "reaching beyond it": changed(4, 15, 1),
        "far beyond it": changed(4, 12, 0xFF), "an unknown disposal": changed(4, 24, 3),
        "an unknown blend": changed(4, 25, 2),
        "a first frame smaller than the canvas": changed(2, 7, 19),
      ]
      for (name, order) in [
        "two counts": [0, 1, 1, 2, 3, 4, 5, 6], "two controls": [0, 1, 2, 2, 3, 4, 5, 6],
        "no data": [0, 1, 2, 3, 4, 6],
        "data before the picture": [0, 1, 2, 5, 3, 4, 6], "data of no frame": [0, 1, 3, 5, 6],
        "a picture among frames": [0, 1, 2, 3, 4, 5, 3, 6],
      ] { broken[name] = order.map { good[$0] } }
      for (name, chunks) in broken {
        let file = PNGTestFile.file(chunks)
        #expect(try PNGDecoder().frames(of: file, DecodeOptions()) == nil, "\(name)")
        let still = try PNGDecoder().decode(file, DecodeOptions())
        #expect(still.withPixels { Array($0.prefix(4)) } == [255, 0, 0, 255], "\(name)")
      }
      #expect(try PNGDecoder().frames(of: PNGTestFile.file(good), DecodeOptions())?.count == 2)
    }

    @Test func B114_aWrongChecksumOfAControlLeavesThePicture() throws {
      var file = try twoFrames().file()
      // The checksum of acTL: behind signature, head, and its own head and content.
      file[8 + 25 + 16] ^= 1
      #expect(try PNGDecoder().frames(of: file, DecodeOptions()) == nil)
    }

    @Test func B114_countsAfterThePictureOrNoneAreStill() throws {
      let good = try twoFrames().chunks()
      for order in [[0, 3, 1, 6], [0, 3, 1, 2, 5, 6], [0, 2, 3, 6], [0, 3, 6], [0, 2, 3, 4, 5, 6]] {
        let file = PNGTestFile.file(order.map { good[$0] })
        #expect(try PNGDecoder().frames(of: file, DecodeOptions()) == nil)
      }
      var single = good
      single[1].content[3] = 1
      let file = PNGTestFile.file([0, 1, 2, 3, 6].map { single[$0] })
      #expect(try PNGDecoder().frames(of: file, DecodeOptions()) == nil, "one frame, the picture itself")
    }

    @Test func B115_anyOrderOfFramesIsThatOfTheFile() throws {
      for seed in 11...14 {
        let file = try APNGTestFile.random(.rgba, 8, count: 16, seed: UInt64(seed)).file()
        let expected = PlainAPNG.frames(file)
        let frames = try #require(try PNGDecoder().frames(of: file, DecodeOptions()))
        var random = CanvasRandom(state: UInt64(seed))
        for _ in 0..<60 {
          let index = Int.random(in: -1...17, using: &random)
          try frames.seek(to: index)
          for place in max(0, index)..<(max(0, index) + 2) {
            let frame = try frames.next()
            #expect(frame.map { PNGPixels($0.image).bytes } == (place < 16 ? expected[place] : nil))
          }
        }
        // Round again.
        try frames.seek(to: 0)
        #expect(try frames.next().map { PNGPixels($0.image).bytes } == expected[0])
      }
    }

    @Test func B115_composingBeginsAtAFrameThatHidesAllBefore() {
      func frame(_ size: PixelSize, _ disposal: FramePatch.Disposal, _ blend: FramePatch.Blend) -> APNG.Frame {
        APNG.Frame(
          patch: FramePatch(x: 0, y: 0, size: size, disposal: disposal, blend: blend), duration: .seconds(1),
          data: 0..<9)
      }
      let small = PixelSize(width: 1, height: 1)
      let animation = APNG(
        loopCount: 0,
        frames: [
          frame(size, .keep, .source), frame(small, .keep, .over), frame(size, .keep, .source),
          frame(size, .background, .over), frame(small, .background, .source), frame(size, .previous, .source),
          frame(small, .keep, .over),
        ], shared: [])
      let frames = APNGFrames(data: [], animation: animation, options: DecodeOptions())
      #expect((0..<7).map { frames.start(for: $0, canvas: size) } == [0, 0, 2, 2, 4, 4, 4])
    }

    @Test func B115_framesAreScaledAndUpright() throws {
      var animation = try twoFrames()
      let exif = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
      animation.before = [("eXIf", exif)]
      animation.frames[0].picture = PNGTestPicture(PixelSize(width: 10, height: 10), .rgb, 8) { _, _, channel in
        channel == 2 ? 255 : 0
      }
      let options = DecodeOptions(target: .fit(PixelSize(width: 5, height: 10)))
      let frames = try #require(try PNGDecoder().frames(of: animation.file(), options))
      #expect(frames.size == PixelSize(width: 5, height: 10))
      let first = PNGPixels(try #require(try frames.next()).image)
      #expect(first.size == frames.size)
      #expect(first.bytes == Array(repeating: [255, 0, 0, 255], count: 50).flatMap { $0 })
      // What is left in the file is at the top of the upright picture.
      let second = PNGPixels(try #require(try frames.next()).image)
      #expect(second.bytes.prefix(100).elementsEqual(Array(repeating: [0, 0, 255, 255], count: 25).flatMap { $0 }))
      #expect(second.bytes.suffix(100).elementsEqual(Array(repeating: [255, 0, 0, 255], count: 25).flatMap { $0 }))
    }

    /// In a process of its own, where no other test's memory counts.
    @Test func BUG13_framesAreNotHeldAllAtOnce() async {
      await #expect(processExitsWith: .success) {
        let large = PixelSize(width: 1000, height: 1000)
        let picture = PNGTestPicture(PixelSize(width: 8, height: 8), .rgb, 8) { x, y, _ in x * y }
        let file = try PNGTestFile.write(
          .init(width: 1000, height: 1000, color_type: 2, bit_depth: 8, is_interlaced: 0, chunk_size: 0),
          Array(repeating: 9, count: 3 * large.area))
        let chunks = PNGTestFile.chunks(file)
        let animation = APNGTestFile(
          canvas: picture, first: .init(picture: picture),
          frames: Array(repeating: .init(picture: picture), count: 60))
        var parts = try animation.chunks()
        // The small file's head, control and picture become the large one's.
        parts[0] = chunks[0]
        parts[2].content.replaceSubrange(4..<12, with: PNGTestFile.number(1000) + PNGTestFile.number(1000))
        parts.replaceSubrange(3...3, with: chunks.filter { $0.type == "IDAT" })
        let frames = try #require(try PNGDecoder().frames(of: PNGTestFile.file(parts), DecodeOptions()))
        #expect(frames.count == 61)
        var count = 0
        let growth = try ProcessMemory.growth {
          while let frame = try frames.next() {
            #expect(frame.image.size == large)
            count += 1
          }
        }
        // All of them would be 240 MB.
        #expect(count == 61)
        #expect(growth < 40 << 20)
      }
    }

    @Test func B115_aCanvasAboveTheBudgetIsRefusedAndThePictureIsNot() throws {
      let file = try twoFrames().file()
      var options = DecodeOptions(limits: ImageLimits(maxFrameBytes: 4 * size.area))
      #expect(try PNGDecoder().frames(of: file, options)?.count == 2)
      options.limits.maxFrameBytes -= 1
      let failure = #expect(throws: ImageCodecError.self) { _ = try PNGDecoder().frames(of: file, options) }
      #expect(failure?.code == .limit)
      #expect(failure?.message.contains("maxFrameBytes") == true)
      #expect(try PNGDecoder().decode(file, options).size == size)
    }

    @Test func B107_damageInOneFrameLeavesTheOthers() throws {
      var animation = try twoFrames()
      animation.frames = Array(repeating: animation.frames[0], count: 3)
      var chunks = try animation.chunks()
      #expect(chunks[7].type == "fdAT")
      chunks[7].content[8] ^= 0x40
      // The content is damaged once with and once without a checksum that fits.
      var file = try animation.file()
      let position = PNGTestFile.file(Array(chunks.prefix(7))).count + 16
      file[position] ^= 0x40
      // And once the checksum alone.
      var summed = try animation.file()
      summed[PNGTestFile.file(Array(chunks.prefix(8))).count - 1] ^= 1
      for file in [PNGTestFile.file(chunks), file, summed] {
        let frames = try #require(try PNGDecoder().frames(of: file, DecodeOptions()))
        #expect(try frames.next() != nil)
        #expect(try frames.next() != nil)
        for _ in 0..<2 { #expect(pngErrorCode { _ = try frames.next() } == .corrupt) }
        try frames.seek(to: 3)
        #expect(try frames.next().map { PNGPixels($0.image).bytes.prefix(4) } == [0, 0, 255, 255])
        #expect(try frames.next() == nil)
        try frames.seek(to: 1)
        #expect(try frames.next() != nil)
      }
    }

    @Test func B107_aCutAnimationIsTruncatedUnlessAPartIsAllowed() throws {
      var animation = try twoFrames()
      animation.frames = Array(repeating: animation.frames[0], count: 3)
      let chunks = try animation.chunks()
      let cut = Array(PNGTestFile.file(Array(chunks.prefix(7))).dropLast(3))
      #expect(chunks[6].type == "fcTL")
      #expect(pngErrorCode { _ = try PNGDecoder().frames(of: cut, DecodeOptions()) } == .truncated)
      let frames = try PNGDecoder().frames(of: cut, DecodeOptions(allowsPartial: true))
      #expect(frames?.count == 2)
      #expect(try frames?.next() != nil)
      let noEnd = Array(try animation.file().dropLast(12))
      #expect(try PNGDecoder().frames(of: noEnd, DecodeOptions())?.count == 4)
    }

    @Test func B117_manyThreadsTakeEachFrameOnce() async throws {
      let file = try APNGTestFile.random(.rgba, 8, count: 40, seed: 5).file()
      let expected = Set(PlainAPNG.frames(file))
      let frames = try #require(try PNGDecoder().frames(of: file, DecodeOptions()))
      let found = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
        for _ in 0..<4 {
          group.addTask {
            var taken: [[UInt8]] = []
            while let frame = try frames.next() { taken.append(PNGPixels(frame.image).bytes) }
            return taken
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(found.count == 40)
      #expect(Set(found) == expected)
    }

    /// A red picture, and a blue frame of the same size over it.
    private func twoFrames() throws -> APNGTestFile {
      let red = PNGTestPicture(size, .rgb, 8) { _, _, channel in channel == 0 ? 255 : 0 }
      let blue = PNGTestPicture(size, .rgb, 8) { _, _, channel in channel == 2 ? 255 : 0 }
      return APNGTestFile(canvas: red, first: .init(picture: red), frames: [.init(picture: blue)])
    }
  }

  /// All frames: their times and pixels; none for a still picture.
  func apngFrames(_ file: [UInt8], _ options: DecodeOptions = DecodeOptions()) throws -> [(Duration, [UInt8])] {
    guard let frames = try PNGDecoder().frames(of: file, options) else { return [] }
    var all: [(Duration, [UInt8])] = []
    while let frame = try frames.next() { all.append((frame.duration, PNGPixels(frame.image).bytes)) }
    return all
  }
#endif
