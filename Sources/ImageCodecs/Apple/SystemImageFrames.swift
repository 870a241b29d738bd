#if canImport(ImageIO)
  import Synchronization

  /// A cursor over the frames of an animation, each of which ImageIO composes when it is asked for.
  final class SystemImageFrames: ImageFrames {
    private struct State {
      let file: SystemImageFile
      var index = 0
    }

    let count: Int
    let loopCount: Int
    let size: PixelSize
    private let plan: DecodePlan
    private let state: Mutex<State>

    /// A cursor that stands before the first frame.
    init(_ file: sending SystemImageFile, _ plan: DecodePlan) {
      count = file.frameCount
      loopCount = file.loopCount
      size = plan.uprightOutput
      self.plan = plan
      state = Mutex(State(file: file))
    }

    func next() throws(ImageCodecError) -> ImageFrame? {
      try state.withLock { (state) throws(ImageCodecError) -> ImageFrame? in
        guard state.index < count else { return nil }
        let watch = DecodeWatch(plan.options.limits)
        try watch.check()
        if !plan.options.allowsPartial { try state.file.requireWhole(state.index) }
        let image = try state.file.picture(state.index, plan)
        let duration = state.file.duration(state.index)
        state.index += 1
        return ImageFrame(image: image, duration: duration)
      }
    }

    func seek(to index: Int) throws(ImageCodecError) {
      state.withLock { $0.index = min(max(0, index), count) }
    }
  }
#endif
