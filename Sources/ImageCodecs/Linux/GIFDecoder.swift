#if !canImport(ImageIO) && GIF
  /// Decodes GIF by giflib: one picture or an animation, interlaced or not. There where the trait `GIF` is on.
  ///
  /// The canvas is the file's screen, made larger where the first picture exceeds it; later pictures are clipped to it.
  /// What no picture covers is transparent, whatever the file calls its background, as in browsers. Pixels whose index
  /// lies outside the palette are transparent; a picture without any palette is gray. A picture whose data end early is
  /// ``ImageCodecError/Code/truncated`` where the file does too, otherwise ``ImageCodecError/Code/corrupt``; the
  /// missing trailer of a file is no error.
  public struct GIFDecoder: ImageDecoder {
    /// A decoder; it keeps nothing.
    public init() {}

    /// Whether a file begins with `GIF87a` or `GIF89a`.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .gif }

    /// The size of the canvas. Linear in the number of blocks before the first picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
      let size = try GIFFile(data, onlyFirst: true).size
      guard size.area > 0 else { throw Self.isEmpty(size) }
      return size
    }

    /// The first picture. Holds a row of it, or an interlaced one at four bytes a pixel; the rest of the file isn't
    /// looked at.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      let file = try GIFFile(data, onlyFirst: true)
      let plan = try DecodePlan(stored: file.size, options: options)
      guard let frame = file.frames.first, let patch = file.patch(of: frame) else { throw file.endsInside(0) }
      let watch = DecodeWatch(options.limits)
      var rows = try PatchRows(plan, patch, inOrder: !file.isInterlaced(frame))
      let end = try GIFReader(file: file).read(frame, patch, rows: patch.size.height, watch) {
        (index, row) throws(ImageCodecError) in
        rows.add(row, at: index)
      }
      if end == .early, !options.allowsPartial || !rows.hasAny { throw file.endsInside(0) }
      return try rows.finish()
    }

    /// The frames of a file with more than one, composed.
    ///
    /// Holds the canvas, and what lay under a frame that is taken away again. Any frame can be had after a
    /// seek; it takes decoding the frames since the last one that covers all. Where the file is cut, the frame that
    /// isn't whole is an error of ``ImageFrames/next()``, or with ``DecodeOptions/allowsPartial`` what there is of it.
    ///
    /// - Throws: ``ImageCodecError``.
    public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
      let file = try GIFFile(data)
      guard file.frames.count > 1 else { return nil }
      let plan = try DecodePlan(stored: file.size, options: options)
      return try ComposedFrames(GIFFrames(file: file, options: options), plan)
    }

    private static func isEmpty(_ size: PixelSize) -> ImageCodecError {
      ImageCodecError(.corrupt, message: "the GIF says that its canvas is \(size) pixels; it has none to show")
    }
  }

  extension GIFFile {
    /// The error of a picture that is not whole.
    func endsInside(_ index: Int) -> ImageCodecError {
      end == .cut && index == frames.count - 1
        ? ImageCodecError(.truncated, message: "the GIF ends inside a picture; fetch all of it, or allow partial ones")
        : ImageCodecError(.corrupt, message: "the data of a picture of the GIF end before its last row, or are damaged")
    }
  }

  /// The pictures of a GIF as frames on a canvas.
  struct GIFFrames: FrameSource {
    let file: GIFFile
    let options: DecodeOptions

    var count: Int { file.frames.count }
    var loopCount: Int { file.loopCount }

    func patch(_ index: Int) -> FramePatch {
      file.patch(of: file.frames[index])
        ?? FramePatch(x: 0, y: 0, size: PixelSize(width: 0, height: 0), disposal: .keep, blend: .over)
    }

    func duration(_ index: Int) -> Duration { .milliseconds(10 * Int(file.frames[index].control.delay)) }

    func colors() -> ColorConversion? { nil }

    func draw(_ index: Int, on canvas: inout FrameCanvas, _ watch: DecodeWatch) throws(ImageCodecError) {
      let patch = patch(index)
      try options.limits.admit(frame: patch.size)
      do throws(ImageCodecError) {
        let visible = max(0, min(patch.size.height, canvas.size.height - patch.y))
        let end = try GIFReader(file: file).read(file.frames[index], patch, rows: visible, watch) {
          (row, pixels) throws(ImageCodecError) in
          canvas.draw(pixels, at: row)
        }
        if end == .early { throw file.endsInside(index) }
      } catch {
        // What came of it is drawn.
        guard options.allowsPartial, error.code == .truncated || error.code == .corrupt else { throw error }
      }
    }
  }
#endif
