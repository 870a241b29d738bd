#if !canImport(ImageIO)
  import Testing

  @testable import ImageCodecs

  @Suite struct FrameCanvasTests {
    private let red: [UInt8] = [255, 0, 0, 255]
    private let half: [UInt8] = [0, 0, 255, 128]
    private let clear: [UInt8] = [0, 0, 0, 0]

    @Test func B112_sourceTakesThePlaceOfWhatWasThereTransparentPixelsToo() throws {
      var canvas = try canvasOf(2, 1)
      canvas.draw(patch(0, 0, 2, 1), [red, red])
      canvas.draw(patch(0, 0, 2, 1), [half, clear])
      #expect(canvas.rows == [[[0, 0, 128, 128], clear]])
    }

    @Test func B112_overMixesWithWhatWasThere() throws {
      var canvas = try canvasOf(3, 1)
      canvas.draw(patch(0, 0, 3, 1), [red, red, red])
      canvas.draw(patch(0, 0, 3, 1, blend: .over), [half, clear, [9, 9, 9, 255]])
      // 255 of red keep 127 of 255 parts.
      #expect(canvas.rows == [[[127, 0, 128, 255], red, [9, 9, 9, 255]]])
    }

    @Test func B112_disposedFramesLeaveTheCanvasWhenTheNextBegins() throws {
      var canvas = try canvasOf(2, 1, [patch(0, 0, 1, 1, .previous)])
      canvas.draw(patch(0, 0, 2, 1), [red, red])
      canvas.draw(patch(0, 0, 1, 1, .previous), [[1, 2, 3, 255]])
      #expect(canvas.rows == [[[1, 2, 3, 255], red]], "shown until its time is over")
      canvas.draw(patch(1, 0, 1, 1, .background), [[4, 5, 6, 255]])
      #expect(canvas.rows == [[red, [4, 5, 6, 255]]])
      canvas.begin(patch(0, 0, 1, 1))
      #expect(canvas.rows == [[red, clear]])
    }

    @Test func B112_aFirstFrameDisposedToPreviousLeavesTransparency() throws {
      var canvas = try canvasOf(1, 1, [patch(0, 0, 1, 1, .previous)])
      canvas.draw(patch(0, 0, 1, 1, .previous), [red])
      canvas.begin(patch(0, 0, 0, 0))
      #expect(canvas.rows == [[clear]])
    }

    @Test func B112_whatLiesOutsideTheCanvasIsCutOff() throws {
      var canvas = try canvasOf(2, 2)
      for (x, y) in [(-1, -1), (1, 1), (-9, 0), (0, 9), (Int.max, Int.min), (Int.min, Int.max)] {
        canvas.draw(patch(x, y, 2, 2, .background), [red, [2, 2, 2, 255], [3, 3, 3, 255], [4, 4, 4, 255]])
        if x == -1 { #expect(canvas.rows == [[[4, 4, 4, 255], clear], [clear, clear]]) }
        if x == 1 { #expect(canvas.rows == [[clear, clear], [clear, red]]) }
      }
      #expect(canvas.rows == [[clear, clear], [clear, clear]])
    }

    @Test func B115_aCanvasAboveTheBudgetIsRefusedByName() throws {
      let limits = ImageLimits(maxFrameBytes: 4 * 100 + 4 * 50)
      _ = try FrameCanvas(
        size: PixelSize(width: 10, height: 10), patches: [patch(0, 0, 10, 5, .previous)], limits: limits)
      let failure = #expect(throws: ImageCodecError.self) {
        _ = try FrameCanvas(
          size: PixelSize(width: 10, height: 10), patches: [patch(0, 0, 10, 6, .previous)], limits: limits)
      }
      #expect(failure?.code == .limit)
      #expect(failure?.message.contains("maxFrameBytes") == true)
    }

    @Test func B115_aFrameThatIsTakenBackOrLetsShineThroughReplacesNothing() {
      let size = PixelSize(width: 3, height: 2)
      #expect(patch(0, 0, 3, 2).replaces(size))
      #expect(patch(-1, -1, 9, 9, .background).replaces(size))
      #expect(!patch(0, 0, 3, 2, .previous).replaces(size))
      #expect(!patch(0, 0, 3, 2, blend: .over).replaces(size))
      #expect(!patch(0, 0, 3, 1).replaces(size))
      #expect(!patch(1, 0, 3, 2).replaces(size))
    }

    @Test func B115_theCanvasIsScaledToThePlan() throws {
      var canvas = try canvasOf(4, 2)
      canvas.draw(patch(0, 0, 4, 2), Array(repeating: red, count: 4) + Array(repeating: [0, 0, 255, 255], count: 4))
      let plan = try DecodePlan(
        stored: canvas.size, options: DecodeOptions(target: .fit(PixelSize(width: 2, height: 1))))
      let image = try canvas.image(plan, DecodeWatch(ImageLimits()))
      #expect(image.size == PixelSize(width: 2, height: 1))
      #expect(image.withPixels { Array($0) } == [128, 0, 128, 255, 128, 0, 128, 255])
    }

    @Test(arguments: 1...40) func B112_anySequenceIsWhatPlainArithmeticMakesOfIt(seed: UInt64) throws {
      var random = CanvasRandom(state: seed)
      let size = PixelSize(width: Int.random(in: 1...9, using: &random), height: Int.random(in: 1...9, using: &random))
      let patches = (0..<12).map { _ in
        patch(
          .random(in: -3...9, using: &random), .random(in: -3...9, using: &random), .random(in: 0...10, using: &random),
          .random(in: 0...10, using: &random), [.keep, .background, .previous].randomElement(using: &random) ?? .keep,
          blend: Bool.random(using: &random) ? .over : .source)
      }
      var canvas = try FrameCanvas(size: size, patches: patches, limits: ImageLimits())
      var reference = PlainCanvas(size: size)
      for patch in patches {
        let alphas: [UInt8] = [0, 255, .random(in: 0...255, using: &random)]
        let pixels = (0..<patch.size.area).map { _ in
          (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            + [alphas.randomElement(using: &random) ?? 0]
        }
        canvas.draw(patch, pixels)
        reference.draw(patch, Array(pixels.joined()))
        #expect(Array(canvas.rows.joined().joined()) == reference.shown)
      }
      canvas.clear()
      #expect(canvas.rows.joined().allSatisfy { $0 == clear })
    }

    private func canvasOf(_ width: Int, _ height: Int, _ patches: [FramePatch] = []) throws -> FrameCanvas {
      try FrameCanvas(size: PixelSize(width: width, height: height), patches: patches, limits: ImageLimits())
    }

    private func patch(
      _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ disposal: FramePatch.Disposal = .keep,
      blend: FramePatch.Blend = .source
    ) -> FramePatch {
      FramePatch(x: x, y: y, size: PixelSize(width: width, height: height), disposal: disposal, blend: blend)
    }
  }

  extension FrameCanvas {
    /// Draws a whole frame of straight pixels.
    mutating func draw(_ patch: FramePatch, _ pixels: [[UInt8]]) {
      begin(patch)
      for row in 0..<patch.size.height {
        let bytes = Array(pixels[(row * patch.size.width)..<((row + 1) * patch.size.width)].joined())
        bytes.withUnsafeBufferPointer { bytes in
          if let start = bytes.baseAddress {
            draw(unmultiplied: start, at: row, first: 0, step: 1, count: patch.size.width)
          }
        }
      }
    }

    /// The pixels, row by row.
    var rows: [[[UInt8]]] {
      withPixels { pixels in
        (0..<size.height).map { row in
          (0..<size.width).map { column in (0..<4).map { pixels[4 * (row * size.width + column) + $0] } }
        }
      }
    }
  }

  /// Composes frames in the plainest way: a picture before and one after each frame, colours as fractions.
  struct PlainCanvas {
    let size: PixelSize
    private var before: [UInt8]
    /// Colours multiplied by alpha.
    private(set) var shown: [UInt8]
    private var last: FramePatch?

    init(size: PixelSize) {
      self.size = size
      shown = Array(repeating: 0, count: 4 * size.area)
      before = shown
    }

    /// - Parameter pixels: The frame's pixels, row by row, alpha not multiplied in.
    mutating func draw(_ patch: FramePatch, _ pixels: [UInt8]) {
      if let last {
        if last.disposal == .previous { shown = before }
        if last.disposal == .background {
          forEachPixel(of: last) { place, _ in
            for channel in 0..<4 { shown[place + channel] = 0 }
          }
        }
      }
      before = shown
      last = patch
      forEachPixel(of: patch) { place, start in
        let alpha = Double(pixels[start + 3]) / 255
        for channel in 0..<4 {
          let own = channel == 3 ? Double(pixels[start + 3]) : (Double(pixels[start + channel]) * alpha).rounded()
          let kept = patch.blend == .over ? (Double(shown[place + channel]) * (1 - alpha)).rounded() : 0
          shown[place + channel] = UInt8(min(255, own + kept))
        }
      }
    }

    private func forEachPixel(of patch: FramePatch, _ body: (Int, Int) -> Void) {
      for row in 0..<patch.size.height where (0..<size.height).contains(patch.y + row) {
        for column in 0..<patch.size.width where (0..<size.width).contains(patch.x + column) {
          body(4 * ((patch.y + row) * size.width + patch.x + column), 4 * (row * patch.size.width + column))
        }
      }
    }
  }

  /// Numbers that are the same in each run.
  struct CanvasRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
    }
  }
#endif
