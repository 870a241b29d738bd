#if !canImport(ImageIO)
  import Synchronization

  /// The frames of an APNG, composed one after another on a canvas of the size in the file, and scaled as they come out.
  ///
  /// Holds the file's bytes, the canvas and, while it works, a copy of one frame's bytes.
  final class APNGFrames: ImageFrames {
    let count: Int
    let loopCount: Int
    let size: PixelSize
    private let data: [UInt8]
    private let animation: APNG
    private let plan: DecodePlan
    private let state: Mutex<State>

    private struct State: ~Copyable {
      var canvas: FrameCanvas
      /// What turns colours into sRGB; all frames share the file's profile.
      var conversion: ColorConversion?
      /// The frame that the canvas shows; nil: none, and it is transparent.
      var shown: Int?
      /// The frame that comes next.
      var next = 0
    }

    /// - Throws: ``ImageCodecError/Code/limit`` where composing takes more than ``ImageLimits/maxFrameBytes``; what is wrong with
    ///   the file's head.
    init(_ data: [UInt8], _ animation: APNG, _ plan: DecodePlan) throws(ImageCodecError) {
      let limits = plan.options.limits
      let canvas = try FrameCanvas(
        size: plan.stored, patches: animation.frames.lazy.map(\.patch), limits: limits)
      let conversion = try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        try PNGReader(bytes, limits, readsProfile: plan.options.colors == .sRGB).conversion()
      }
      state = Mutex(State(canvas: canvas, conversion: conversion))
      self.data = data
      self.animation = animation
      self.plan = plan
      count = animation.frames.count
      loopCount = animation.loopCount
      size = plan.uprightOutput
    }

    func next() throws(ImageCodecError) -> ImageFrame? {
      try state.withLock { (state: inout State) throws(ImageCodecError) -> ImageFrame? in
        guard state.next < count else { return nil }
        let watch = DecodeWatch(plan.options.limits)
        do throws(ImageCodecError) {
          try compose(state.next, &state, watch)
        } catch {
          // Half a frame is nothing to go on from.
          state.canvas.clear()
          state.shown = nil
          throw error
        }
        let image: DecodedImage
        if let conversion = state.conversion {
          image = try state.canvas.image(plan, watch) {
            (pixels: UnsafeMutablePointer<UInt8>, count: Int) throws(ImageCodecError) in
            conversion.convert(pixels, count: count)
          }
        } else {
          image = try state.canvas.image(plan, watch)
        }
        let frame = ImageFrame(image: image, duration: animation.frames[state.next].duration)
        state.next += 1
        return frame
      }
    }

    func seek(to index: Int) throws(ImageCodecError) {
      state.withLock { $0.next = max(0, index) }
    }

    /// Brings the canvas to show a frame, from where it is or from a frame that nothing before shines through.
    private func compose(_ index: Int, _ state: inout State, _ watch: DecodeWatch) throws(ImageCodecError) {
      let start = animation.start(for: index, canvas: plan.stored)
      var current = start
      if let shown = state.shown, shown >= start, shown <= index {
        current = shown + 1
      } else {
        state.canvas.clear()
        state.shown = nil
      }
      while current <= index {
        try draw(animation.frames[current], on: &state.canvas, watch)
        state.shown = current
        current += 1
      }
    }

    private func draw(
      _ frame: APNG.Frame, on canvas: inout FrameCanvas, _ watch: DecodeWatch
    ) throws(ImageCodecError) {
      let ownFile = try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        try animation.file(of: frame, in: bytes)
      }
      let options = plan.options
      try (ownFile ?? data).withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        var reader = try PNGReader(bytes, options.limits, readsProfile: false, ignoresChecksums: ownFile != nil)
        guard reader.size == frame.patch.size else {
          throw ImageCodecError(
            .corrupt, message: "the APNG file tells two sizes, \(frame.patch.size) and \(reader.size)")
        }
        canvas.begin(frame.patch)
        try reader.forEachRow(watch, partial: options.allowsPartial) { pixels, row in
          canvas.draw(unmultiplied: pixels, at: row.index, first: row.first, step: row.step, count: row.count)
        }
      }
    }
  }
#endif
