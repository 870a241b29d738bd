#if !canImport(ImageIO) && GIF
  /// Where the pictures of a GIF are, and how they are shown; found by going from block to block without a pixel being
  /// decoded.
  ///
  /// Takes 16 bytes a frame, which is not much more than a frame takes in the file at least.
  struct GIFFile: Sendable {
    /// One picture of the file.
    struct Frame: Sendable {
      /// Of its image separator.
      let offset: Int
      let control: Control
    }

    /// What a graphics control extension says about the picture after it.
    struct Control: Sendable {
      /// In hundredths of a second.
      var delay: UInt16 = 0
      /// The index of the palette that is seen through, or -1.
      var transparent: Int16 = -1
      var disposal: UInt8 = 0
    }

    /// How the file ends.
    enum End: Sendable { case whole, cut, damaged }

    let data: [UInt8]
    /// The screen, made larger where the first picture exceeds it, as browsers do; later pictures are clipped to it.
    private(set) var size: PixelSize
    private(set) var frames: [Frame] = []
    /// How often the animation plays; 0: for ever. The file says how often it repeats, which is one less.
    private(set) var loopCount = 1
    /// Whether the blocks end as they should. Where they don't, the last frame is the one that isn't whole, if any of
    /// it is there.
    private(set) var end = End.whole
    /// Where the length of the piece stands that the file ends in.
    private(set) var cutPiece: Int?
    private var control = Control()

    /// - Parameter onlyFirst: Ends the search at the first picture.
    /// - Throws: ``ImageCodecError/Code/unsupported`` for another type of file, ``ImageCodecError/Code/truncated`` or
    ///   ``ImageCodecError/Code/corrupt`` where there is no picture in it.
    init(_ data: [UInt8], onlyFirst: Bool = false) throws(ImageCodecError) {
      guard ImageFormat(sniffing: Array(data.prefix(ImageFormat.headerLength))) == .gif else {
        throw ImageCodecError(.unsupported, message: "the file doesn't begin as a GIF does; let another decoder try it")
      }
      self.data = data
      size = PixelSize(width: Self.word(data, 6) ?? 0, height: Self.word(data, 8) ?? 0)
      if var offset = Self.skipPalette(data, after: 13, flags: 10) {
        while let next = block(at: offset) {
          offset = next
          if onlyFirst, !frames.isEmpty { break }
        }
      } else {
        end = .cut
      }
      guard let first = frames.first, let patch = patch(of: first) else {
        throw end == .cut
          ? ImageCodecError(.truncated, message: "the GIF ends before its first picture; fetch all of it")
          : ImageCodecError(.corrupt, message: "there is no picture where the GIF should have one")
      }
      size = PixelSize(
        width: max(size.width, patch.x + patch.size.width), height: max(size.height, patch.y + patch.size.height))
    }

    /// Where a frame goes; nil where its description isn't in the file.
    func patch(of frame: Frame) -> FramePatch? {
      guard let x = Self.word(data, frame.offset + 1), let y = Self.word(data, frame.offset + 3),
        let width = Self.word(data, frame.offset + 5), let height = Self.word(data, frame.offset + 7)
      else { return nil }
      let disposal: FramePatch.Disposal =
        switch frame.control.disposal {
        case 2: .background
        // Some writers took the third bit for the third value.
        case 3, 4: .previous
        default: .keep
        }
      return FramePatch(
        x: x, y: y, size: PixelSize(width: width, height: height), disposal: disposal,
        blend: frame.control.transparent < 0 && coversItsPalette(frame) ? .source : .over)
    }

    /// Whether the frame's rows come in four passes.
    func isInterlaced(_ frame: Frame) -> Bool { (Self.byte(data, frame.offset + 9) ?? 0) & 0x40 != 0 }

    /// Whether no index that a pixel can have lies outside the palette; such pixels are seen through.
    private func coversItsPalette(_ frame: Frame) -> Bool {
      guard let own = Self.byte(data, frame.offset + 9), let global = Self.byte(data, 10),
        let palette = Self.skipPalette(data, after: frame.offset + 10, flags: frame.offset + 9),
        let codeSize = Self.byte(data, palette)
      else { return false }
      let flags = own & 0x80 != 0 ? own : global
      return flags & 0x80 == 0 || codeSize <= flags & 7 + 1
    }

    /// Reads the block at that offset.
    ///
    /// - Returns: The offset of the next one, or nil after the last.
    private mutating func block(at offset: Int) -> Int? {
      switch Self.byte(data, offset) {
      case 0x2C: return image(at: offset)
      case 0x21: return extensionBlock(at: offset)
      case 0x3B: return nil
      case nil:
        // Without a trailer, but with all its pictures.
        if frames.isEmpty { end = .cut }
        return nil
      default:
        // What comes after the pictures is nothing to anyone, as browsers have it.
        if frames.isEmpty { end = .damaged }
        return nil
      }
    }

    private mutating func image(at offset: Int) -> Int? {
      guard let palette = Self.skipPalette(data, after: offset + 10, flags: offset + 9) else {
        end = .cut
        // The picture counts where its size is known.
        if Self.byte(data, offset + 9) != nil { frames.append(Frame(offset: offset, control: control)) }
        return nil
      }
      frames.append(Frame(offset: offset, control: control))
      control = Control()
      return skipPieces(at: palette + 1)
    }

    private mutating func extensionBlock(at offset: Int) -> Int? {
      guard let label = Self.byte(data, offset + 1), let length = Self.byte(data, offset + 2) else {
        end = .cut
        return nil
      }
      switch label {
      case 0xF9 where length >= 4: readControl(at: offset + 3)
      case 0xFF where length == 11: readLoopCount(at: offset + 3)
      default: break
      }
      return skipPieces(at: offset + 2)
    }

    private mutating func readControl(at offset: Int) {
      guard let flags = Self.byte(data, offset), let delay = Self.word(data, offset + 1),
        let transparent = Self.byte(data, offset + 3)
      else { return }
      control = Control(
        delay: UInt16(delay), transparent: flags & 1 != 0 ? Int16(transparent) : -1, disposal: (flags >> 2) & 7)
    }

    private mutating func readLoopCount(at offset: Int) {
      guard offset + 11 <= data.count, Self.byte(data, offset + 11) ?? 0 >= 3, Self.byte(data, offset + 12) == 1,
        let repeats = Self.word(data, offset + 13)
      else { return }
      let name = data[offset..<(offset + 11)]
      guard name.elementsEqual("NETSCAPE2.0".utf8) || name.elementsEqual("ANIMEXTS1.0".utf8) else { return }
      loopCount = repeats == 0 ? 0 : repeats + 1
    }

    /// The offset after pieces that each begin with their length, the last of which is empty; nil where the file ends
    /// before.
    private mutating func skipPieces(at start: Int) -> Int? {
      var offset = start
      while let length = Self.byte(data, offset) {
        cutPiece = offset + Int(length) < data.count ? nil : offset
        offset += 1 + Int(length)
        if length == 0 { return offset }
      }
      end = .cut
      return nil
    }

    /// The offset after the palette that follows, if the flags say that there is one; nil where the file ends before.
    private static func skipPalette(_ data: [UInt8], after offset: Int, flags: Int) -> Int? {
      guard let flags = byte(data, flags) else { return nil }
      let next = offset + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
      return next <= data.count ? next : nil
    }

    // Offsets grow by what was read from one byte, and are within the file before; they can't overflow.
    private static func byte(_ data: [UInt8], _ offset: Int) -> UInt8? {
      offset < data.count ? data[offset] : nil
    }

    private static func word(_ data: [UInt8], _ offset: Int) -> Int? {
      offset + 1 < data.count ? Int(data[offset]) | Int(data[offset + 1]) << 8 : nil
    }
  }
#endif
