#if !canImport(ImageIO)
  import Synchronization

  /// Where the frames of an animation come from that are composed on a canvas.
  protocol FrameSource: Sendable {
    /// At least 1.
    var count: Int { get }
    var loopCount: Int { get }
    /// Where the frame goes, and what becomes of it.
    func patch(_ index: Int) -> FramePatch
    /// How long the frame is shown, as the file says.
    func duration(_ index: Int) -> Duration
    /// Draws the rows of a frame that has begun.
    func draw(_ index: Int, on canvas: inout FrameCanvas, _ watch: DecodeWatch) throws(ImageCodecError)
    /// What converts the colours of what comes out, if they need it; made once for all frames.
    func colors() throws(ImageCodecError) -> ColorConversion?
  }

  /// A cursor over frames that are composed one after another. Holds the canvas between calls and nothing else of the
  /// size of a picture.
  final class ComposedFrames<Source: FrameSource>: ImageFrames {
    private struct State: ~Copyable {
      var canvas: FrameCanvas
      let colors: ColorConversion?
      /// The frame that comes next.
      var next = 0
      /// How many frames the canvas has had; nil where drawing one of them failed.
      var drawn: Int?

      init(_ canvas: consuming FrameCanvas, _ colors: ColorConversion?) {
        self.canvas = canvas
        self.colors = colors
        drawn = 0
      }
    }

    let size: PixelSize
    private let source: Source
    private let plan: DecodePlan
    private let state: Mutex<State>

    /// - Throws: ``ImageCodecError/Code/limit`` where the canvas takes too much; what `source` throws for its colours.
    init(_ source: Source, _ plan: DecodePlan) throws(ImageCodecError) {
      self.source = source
      self.plan = plan
      size = plan.uprightOutput
      let patches = (0..<source.count).lazy.map { source.patch($0) }
      let canvas = try FrameCanvas(size: plan.stored, patches: patches, limits: plan.options.limits)
      state = Mutex(State(canvas, try source.colors()))
    }

    var count: Int { source.count }
    var loopCount: Int { source.loopCount }

    func next() throws(ImageCodecError) -> ImageFrame? {
      try state.withLock { (state) throws(ImageCodecError) -> ImageFrame? in
        guard state.next < source.count else { return nil }
        try compose(&state)
        let image = try picture(of: state.canvas, state.colors)
        let duration = source.duration(state.next)
        state.next += 1
        // As browsers do: files that say less were made when that meant as fast as can be.
        return ImageFrame(image: image, duration: duration < .milliseconds(20) ? .milliseconds(100) : duration)
      }
    }

    func seek(to index: Int) {
      state.withLock { $0.next = min(max(0, index), source.count) }
    }

    /// Draws what is missing until the next frame is on the canvas.
    private func compose(_ state: inout State) throws(ImageCodecError) {
      var index: Int
      if let drawn = state.drawn, drawn == state.next || drawn == state.next + 1 {
        // The frame after the one that is shown, or that one again.
        index = drawn
      } else {
        index = source.start(for: state.next, canvas: plan.stored)
        if let drawn = state.drawn, drawn > index, drawn < state.next { index = drawn } else { state.canvas.clear() }
      }
      state.drawn = nil
      while index <= state.next {
        let watch = DecodeWatch(plan.options.limits)
        try watch.check()
        state.canvas.begin(source.patch(index))
        try source.draw(index, on: &state.canvas, watch)
        index += 1
      }
      state.drawn = index
    }

    private func picture(
      of canvas: borrowing FrameCanvas, _ colors: ColorConversion?
    ) throws(ImageCodecError) -> DecodedImage {
      let watch = DecodeWatch(plan.options.limits)
      guard let colors else { return try canvas.image(plan, watch) }
      return try canvas.image(plan, watch) { (pixels, count) throws(ImageCodecError) in
        colors.convert(pixels, count: count)
      }
    }
  }

  extension FrameSource {
    /// The last frame up to that one that composing may start with, on a transparent canvas of that size: it needs
    /// nothing of those before.
    func start(for index: Int, canvas: PixelSize) -> Int {
      var index = index
      while index > 0 {
        if patch(index).replaces(canvas) { return index }
        let before = patch(index - 1)
        if before.disposal == .background, before.covers(canvas) { return index }
        index -= 1
      }
      return 0
    }
  }

  extension FramePatch {
    /// Whether all of a canvas of that size is within the frame.
    func covers(_ canvas: PixelSize) -> Bool {
      area(on: canvas) == FrameArea(columns: 0..<canvas.width, rows: 0..<canvas.height)
    }
  }

  extension ImageLimits {
    /// The bytes of the canvas that an animation is composed on.
    ///
    /// - Parameter saved: What is held besides.
    /// - Throws: ``ImageCodecError/Code/limit`` where both together are above ``maxFrameBytes``.
    func frameBytes(canvas size: PixelSize, besides saved: Int = 0) throws(ImageCodecError) -> Int {
      let (byteCount, overflow) = size.area.multipliedReportingOverflow(by: 4)
      guard !overflow, byteCount <= maxFrameBytes, saved <= maxFrameBytes - byteCount else {
        throw ImageCodecError(
          .limit,
          message:
            "composing frames of \(size) pixels takes more memory than maxFrameBytes (\(maxFrameBytes)); "
            + "raise it, or show the still picture")
      }
      return byteCount
    }

    /// - Throws: ``ImageCodecError/Code/limit`` for a frame of more pixels than a picture may have, though only what
    ///   lies on the canvas is shown.
    func admit(frame: PixelSize) throws(ImageCodecError) {
      guard frame.area <= maxSourcePixels else {
        throw ImageCodecError(
          .limit,
          message:
            "a frame of \(frame) pixels is above maxSourcePixels (\(maxSourcePixels)); the file is made to take long")
      }
    }
  }
#endif
