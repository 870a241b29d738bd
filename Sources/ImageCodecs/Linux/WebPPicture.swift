#if !canImport(ImageIO) && WebP
  /// Decodes one picture of a WebP to the size of a plan.
  struct WebPPicture {
    let file: WebPFile
    let plan: DecodePlan

    /// Lossy pictures of up to that many pixels are decoded whole and scaled then, in 8 MiB.
    ///
    /// libwebp scales chroma before it is brought to the size of luma. What comes of that is up to 4.6 of 255 away from
    /// the scaled picture in the mean of a channel where strong colours change from pixel to pixel and the picture
    /// comes out half as wide; less than 2 at 4/9 and below.
    static let wholePixels = 2 << 20

    /// - Parameters:
    ///   - range: The file, or the chunks of a frame.
    ///   - patch: Where on the canvas the picture goes.
    /// - Throws: ``ImageCodecError``.
    func decode(_ range: Range<Int>, _ patch: FramePatch) throws(ImageCodecError) -> DecodedImage {
      let watch = DecodeWatch(plan.options.limits)
      return try file.data.withUnsafeBufferPointer { (bytes) throws(ImageCodecError) -> DecodedImage in
        guard let reader = WebPReader.open(UnsafeBufferPointer(rebasing: bytes[range])).reader else {
          throw file.endsInside()
        }
        guard reader.size == patch.size else {
          throw ImageCodecError(
            .corrupt,
            message: "the WebP says that a picture is \(patch.size) pixels, and the picture says \(reader.size)")
        }
        try plan.options.limits.admit(frame: reader.size)
        let fillsCanvas = patch.covers(plan.stored) && patch.size == plan.stored
        let size = fillsCanvas ? decodedSize(reader) : reader.size
        if fillsCanvas, size == plan.output, plan.orientation == .upright { return try direct(reader, watch) }
        return try scaled(reader, size, patch, fillsCanvas, watch)
      }
    }

    /// The size that libwebp is asked for.
    private func decodedSize(_ reader: WebPReader) -> PixelSize {
      let (stored, output) = (plan.stored, plan.output)
      // Sides are at most 16,383 here. The smaller side may be rounded up to one pixel.
      let isSmall = 9 * max(output.width, output.height) <= 4 * max(stored.width, stored.height)
      let shrinks = output.width <= stored.width && output.height <= stored.height
      if reader.isLossless { return shrinks ? output : stored }
      return shrinks && isSmall && !reader.hasAlpha && stored.area > Self.wholePixels ? output : stored
    }

    /// Into the memory of the image that comes out.
    private func direct(_ reader: WebPReader, _ watch: DecodeWatch) throws(ImageCodecError) -> DecodedImage {
      try DecodedImage(size: plan.output) { (pixels) throws(ImageCodecError) in
        guard let memory = pixels.bindMemory(to: UInt8.self).baseAddress else { return }
        let rows = try admit(try reader.read(plan.output, into: memory, watch))
        // Rows that aren't final may have something in them.
        let final = 4 * plan.output.width * rows
        (memory + final).update(repeating: 0, count: pixels.count - final)
        file.colors(plan.options)?.convert(memory, count: plan.output.width * rows)
      }
    }

    private func scaled(
      _ reader: WebPReader, _ size: PixelSize, _ patch: FramePatch, _ fillsCanvas: Bool, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
      let memory = try PixelMemory(size)
      let rows = try admit(try reader.read(size, into: memory.start, watch))
      let colors = file.colors(plan.options)
      if fillsCanvas {
        var scaler = try RowScaler(plan, from: size)
        for row in 0..<rows {
          if row % 64 == 0 { try watch.check() }
          scaler.add(memory.start + 4 * size.width * row)
        }
        guard let colors else { return try scaler.finish() }
        return try scaler.finish { (pixels, count) throws(ImageCodecError) in colors.convert(pixels, count: count) }
      }
      var scaler = try PatchRows(plan, patch, inOrder: true)
      for row in 0..<rows {
        if row % 64 == 0 { try watch.check() }
        scaler.add(memory.start + 4 * size.width * row, at: row)
      }
      guard let colors else { return try scaler.finish() }
      return try scaler.finish { (pixels, count) throws(ImageCodecError) in colors.convert(pixels, count: count) }
    }

    /// How many rows there are, where that is enough.
    private func admit(_ result: (end: WebPReader.End, rows: Int)) throws(ImageCodecError) -> Int {
      if result.end == .whole, !file.isCut || file.canvas != nil { return result.rows }
      guard plan.options.allowsPartial, result.rows > 0 else { throw file.endsInside() }
      return result.rows
    }
  }

  /// The frames of an animated WebP on a canvas.
  struct WebPFrames: FrameSource {
    let file: WebPFile
    let options: DecodeOptions

    var count: Int { file.frames.count }
    var loopCount: Int { file.loopCount }
    func patch(_ index: Int) -> FramePatch { file.frames[index].patch }
    func duration(_ index: Int) -> Duration { .milliseconds(file.frames[index].milliseconds) }
    func colors() -> ColorConversion? { file.colors(options) }

    func draw(_ index: Int, on canvas: inout FrameCanvas, _ watch: DecodeWatch) throws(ImageCodecError) {
      let frame = file.frames[index]
      try options.limits.admit(frame: frame.patch.size)
      try file.data.withUnsafeBufferPointer { (bytes) throws(ImageCodecError) in
        let reader = WebPReader.open(UnsafeBufferPointer(rebasing: bytes[frame.picture])).reader
        guard let reader, reader.size == frame.patch.size else { return try admit(index, nil) }
        let memory = try PixelMemory(reader.size)
        let (end, rows) = try reader.read(reader.size, into: memory.start, watch)
        try admit(index, end)
        for row in 0..<rows { canvas.draw(memory.start + 4 * reader.size.width * row, at: row) }
      }
    }

    /// - Throws: Where the frame isn't whole, and has to be.
    private func admit(_ index: Int, _ end: WebPReader.End?) throws(ImageCodecError) {
      if end == .whole || options.allowsPartial { return }
      guard file.isCut, index == count - 1 else {
        throw ImageCodecError(.corrupt, message: "frame \(index) of the WebP is damaged")
      }
      throw file.endsInside()
    }
  }
#endif
