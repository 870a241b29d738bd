#if !canImport(ImageIO)
  /// The frames of an APNG on a canvas of the size in the file; all share the file's profile.
  ///
  /// Holds the file's bytes and, while it draws, a copy of one frame's.
  struct APNGFrames: FrameSource {
    let data: [UInt8]
    let animation: APNG
    let options: DecodeOptions

    var count: Int { animation.frames.count }
    var loopCount: Int { animation.loopCount }
    func patch(_ index: Int) -> FramePatch { animation.frames[index].patch }
    func duration(_ index: Int) -> Duration { animation.frames[index].duration }

    func colors() throws(ImageCodecError) -> ColorConversion? {
      try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        try PNGReader(bytes, options.limits, readsProfile: options.colors == .sRGB).conversion()
      }
    }

    func draw(_ index: Int, on canvas: inout FrameCanvas, _ watch: DecodeWatch) throws(ImageCodecError) {
      let frame = animation.frames[index]
      let ownFile = try data.withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        try animation.file(of: frame, in: bytes)
      }
      try (ownFile ?? data).withBytes { (bytes: UnsafeRawBufferPointer) throws(ImageCodecError) in
        var reader = try PNGReader(bytes, options.limits, readsProfile: false, ignoresChecksums: ownFile != nil)
        guard reader.size == frame.patch.size else {
          throw ImageCodecError(
            .corrupt, message: "the APNG file tells two sizes, \(frame.patch.size) and \(reader.size)")
        }
        try reader.forEachRow(watch, partial: options.allowsPartial) { pixels, row in
          canvas.draw(unmultiplied: pixels, at: row.index, first: row.first, step: row.step, count: row.count)
        }
      }
    }
  }
#endif
