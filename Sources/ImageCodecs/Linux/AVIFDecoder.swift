#if !canImport(ImageIO) && AVIF
  import Synchronization

  /// Decodes AVIF by libavif, animations too. There where the trait `AVIF` is on.
  ///
  /// A picture is decoded whole and scaled then: it takes up to eight bytes for each pixel of the file. libavif can't
  /// be stopped in the middle, so ``ImageLimits/maxTime`` and cancellation are looked at before it decodes a picture
  /// and after.
  public struct AVIFDecoder: ImageDecoder {
    /// A decoder; it keeps nothing.
    public init() {}

    /// Whether a file's brands are those of AVIF.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .avif }

    /// The size of the upright picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
      try data.withBytes { (bytes) throws(ImageCodecError) in
        let file = try AVIFFile(bytes)
        return file.orientation.upright(file.stored)
      }
    }

    /// The picture, or the first frame of an animation.
    ///
    /// A file that is cut or damaged gives an error always: the library decodes pictures whole.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      try data.withBytes { (bytes) throws(ImageCodecError) in
        let file = try AVIFFile(bytes)
        let plan = try DecodePlan(stored: file.stored, orientation: file.orientation, options: options)
        try file.limit(to: options.limits)
        return try file.decode(0, plan)
      }
    }

    /// The frames of an animation with more than one.
    ///
    /// Holds the file and what libavif needs to go on from one frame to the next. How often it plays isn't told: for
    /// ever.
    ///
    /// - Throws: ``ImageCodecError``; `limit` naming `maxFrameBytes` for a canvas that takes more than that.
    public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
      let frameCount = try data.withBytes { (bytes) throws(ImageCodecError) in try AVIFFile(bytes).frameCount }
      return frameCount > 1 ? try AVIFFrames(data, options) : nil
    }
  }

  /// A cursor over the frames of an animated AVIF.
  private final class AVIFFrames: ImageFrames {
    /// The bytes at a place of their own, since libavif keeps pointers to them, and what it knows of them.
    private struct State: ~Copyable {
      let bytes: UnsafeMutableRawBufferPointer
      let file: AVIFFile
      var index = 0

      init(_ data: [UInt8], _ limits: ImageLimits) throws(ImageCodecError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
        bytes.copyBytes(from: data)
        do throws(ImageCodecError) {
          let file = try AVIFFile(UnsafeRawBufferPointer(bytes))
          try limits.admit(source: file.stored)
          _ = try limits.frameBytes(canvas: file.stored)
          try file.limit(to: limits)
          self.file = file
          self.bytes = bytes
        } catch {
          bytes.deallocate()
          throw error
        }
      }

      deinit { bytes.deallocate() }
    }

    let count: Int
    let loopCount = 0
    let size: PixelSize
    private let plan: DecodePlan
    private let state: Mutex<State>

    init(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) {
      let state = try State(data, options.limits)
      plan = try DecodePlan(stored: state.file.stored, orientation: state.file.orientation, options: options)
      count = state.file.frameCount
      size = plan.uprightOutput
      self.state = Mutex(state)
    }

    func next() throws(ImageCodecError) -> ImageFrame? {
      try state.withLock { (state) throws(ImageCodecError) in
        guard state.index < count else { return nil }
        let image = try state.file.decode(state.index, plan)
        state.index += 1
        return ImageFrame(image: image, duration: state.file.duration)
      }
    }

    func seek(to index: Int) throws(ImageCodecError) {
      state.withLock { $0.index = min(max(0, index), count) }
    }
  }
#endif
