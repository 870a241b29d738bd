#if !canImport(ImageIO) && GIF
  import CGIF

  /// The rows of one picture of a GIF, decompressed by giflib.
  ///
  /// The file is opened anew for each picture: giflib reads the head and the palette, then what it reads next is at the
  /// picture. So nothing of the library's is kept between pictures, any of them can be had at once, and it holds about
  /// 25 KB at a time.
  struct GIFReader {
    /// How a picture ended.
    enum End { case whole, early }

    let file: GIFFile

    /// Calls `row` for the rows of a frame as they are stored, with the row's index, RGBA, and as many pixels as the
    /// frame is wide.
    ///
    /// - Parameter rows: How many rows of the frame are wanted from its top; the others aren't decompressed where that
    ///   can be.
    /// - Throws: ``ImageCodecError/Code/limit``, ``ImageCodecError/Code/cancelled``, and what `row` throws.
    func read(
      _ frame: GIFFile.Frame, _ patch: FramePatch, rows: Int, _ watch: DecodeWatch,
      _ row: (Int, UnsafePointer<UInt8>) throws(ImageCodecError) -> Void
    ) throws(ImageCodecError) -> End {
      guard patch.size.area > 0, rows > 0 else { return .whole }
      return try file.data.withUnsafeBufferPointer { (bytes) throws(ImageCodecError) -> End in
        var input = GIFInput(bytes: bytes, cutPiece: file.cutPiece)
        // What giflib keeps of it is the pointer, for as long as the closure runs.
        return try withUnsafeMutablePointer(to: &input) { (input) throws(ImageCodecError) -> End in
          var code: Int32 = 0
          guard let gif = DGifOpen(input, GIFInput.read, &code) else { return try Self.early(code) }
          defer { DGifCloseFile(gif, &code) }
          input.pointee.offset = frame.offset + 1
          guard DGifGetImageHeader(gif) == GIF_OK else { return try Self.early(gif.pointee.Error) }
          return try read(gif, frame, patch, rows: rows, watch, row)
        }
      }
    }

    private func read(
      _ gif: UnsafeMutablePointer<GifFileType>, _ frame: GIFFile.Frame, _ patch: FramePatch, rows: Int,
      _ watch: DecodeWatch, _ row: (Int, UnsafePointer<UInt8>) throws(ImageCodecError) -> Void
    ) throws(ImageCodecError) -> End {
      let colors = Self.colors(gif.pointee, transparent: Int(frame.control.transparent))
      let size = patch.size
      var indices = [UInt8](repeating: 0, count: size.width)
      let pixels = UnsafeRow(count: 4 * size.width)
      defer { withExtendedLifetime(pixels) {} }
      let passes = gif.pointee.Image.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
      var done = 0
      for (first, step) in passes {
        let end = gif.pointee.Image.Interlace ? size.height : min(size.height, rows)
        for index in stride(from: first, to: end, by: step) {
          if done % 64 == 0 { try watch.check() }
          done += 1
          guard DGifGetLine(gif, &indices, Int32(size.width)) == GIF_OK else { return .early }
          guard index < rows else { continue }
          Self.paint(indices, with: colors, into: pixels.start)
          try row(index, pixels.start)
        }
      }
      return .whole
    }

    private static func paint(
      _ indices: [UInt8], with colors: [UInt32], into pixels: UnsafeMutablePointer<UInt8>
    ) {
      let pixels = UnsafeMutableRawPointer(pixels)
      colors.withUnsafeBufferPointer { colors in
        for (column, index) in indices.enumerated() {
          pixels.storeBytes(of: colors[Int(index)], toByteOffset: 4 * column, as: UInt32.self)
        }
      }
    }

    /// The pixels of all indices, in memory red, green, blue and alpha; what is outside the palette is transparent.
    private static func colors(_ gif: GifFileType, transparent: Int) -> [UInt32] {
      // A gray ramp where there is no palette at all.
      var colors = (0..<256).map { UInt32(littleEndian: 0xFF00_0000 | UInt32($0) * 0x01_0101) }
      if let map = (gif.Image.ColorMap ?? gif.SColorMap)?.pointee, let entries = map.Colors {
        for index in 0..<256 {
          guard index < Int(map.ColorCount) else {
            colors[index] = 0
            continue
          }
          let color = entries[index]
          colors[index] = UInt32(
            littleEndian: 0xFF00_0000 | UInt32(color.Blue) << 16 | UInt32(color.Green) << 8 | UInt32(color.Red))
        }
      }
      if colors.indices.contains(transparent) { colors[transparent] = 0 }
      return colors
    }

    /// What giflib doesn't begin with has no rows, unless it is for want of memory.
    private static func early(_ code: Int32) throws(ImageCodecError) -> End {
      guard code != D_GIF_ERR_NOT_ENOUGH_MEM else {
        throw ImageCodecError(.limit, message: "there is no memory to decode a GIF")
      }
      return .early
    }
  }

  /// What giflib reads: bytes in memory, from an offset on.
  ///
  /// giflib drops a piece that isn't whole, and a row that no empty piece follows. So the piece that a file ends in is
  /// said to be as long as it is, and empty ones come after it.
  struct GIFInput {
    let bytes: UnsafeBufferPointer<UInt8>
    let cutPiece: Int?
    var offset = 0

    init(bytes: UnsafeBufferPointer<UInt8>, cutPiece: Int?) {
      self.bytes = bytes
      self.cutPiece = cutPiece
    }

    /// Gives the library up to `count` of the next bytes, and says how many.
    static let read: InputFunc = { gif, target, count in
      guard let input = gif?.pointee.UserData?.assumingMemoryBound(to: GIFInput.self), let target, count > 0 else {
        return 0
      }
      return Int32(input.pointee.read(into: target, Int(count)))
    }

    private mutating func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
      guard let start = bytes.baseAddress, offset < bytes.count else {
        target.pointee = 0
        return count == 1 ? 1 : 0
      }
      let given = min(count, bytes.count - offset)
      target.update(from: start + offset, count: given)
      if let cutPiece, count == 1, offset == cutPiece {
        target.pointee = UInt8(clamping: bytes.count - offset - 1)
      }
      offset += given
      return given
    }
  }
#endif
