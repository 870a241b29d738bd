#if !canImport(ImageIO) && WebP
  /// The chunks of a WebP that hold pixels and colours; found without a pixel being decoded (RFC 9649).
  ///
  /// The library's own demuxer would do, but it keeps pointers into the bytes of the file for as long as an animation
  /// is shown, and it gives up a file that is cut as a whole.
  struct WebPFile: Sendable {
    /// One frame of an animation.
    struct Frame: Sendable {
      let patch: FramePatch
      let milliseconds: Int
      /// The chunks of its picture: `ALPH` and `VP8 `, or `VP8L`.
      let picture: Range<Int>
    }

    let data: [UInt8]
    /// The canvas of an animation; nil for a still picture.
    private(set) var canvas: PixelSize?
    private(set) var frames: [Frame] = []
    /// How often the animation plays; 0: for ever.
    private(set) var loopCount = 1
    private(set) var profile: Range<Int>?
    /// Where the file ends, by what it says itself, within the bytes that there are.
    let end: Int
    /// Whether there are fewer bytes than the file says.
    let isCut: Bool

    /// Finds them in a file that begins as a WebP does.
    init(_ data: [UInt8]) {
      self.data = data
      var length = 0
      data.withUnsafeBytes { length = 8 + (ByteReader($0).little(4, bytes: 4) ?? 0) }
      isCut = length > data.count
      end = min(length, data.count)
      guard data.count > 15, data[12..<16].elementsEqual("VP8X".utf8) else { return }
      data.withUnsafeBytes { readChunks(ByteReader(UnsafeRawBufferPointer(rebasing: $0[0..<end]))) }
    }

    private mutating func readChunks(_ reader: ByteReader) {
      let isAnimated = (reader.uint8(20) ?? 0) & 2 != 0
      if isAnimated, let width = reader.little(24, bytes: 3), let height = reader.little(27, bytes: 3) {
        canvas = PixelSize(width: width + 1, height: height + 1)
      }
      var offset = 12
      while let length = reader.little(offset + 4, bytes: 4) {
        let content = (offset + 8)..<min(reader.count, offset + 8 + length)
        if reader.has("ICCP", at: offset), profile == nil, offset + 8 + length <= reader.count {
          profile = content
        } else if reader.has("ANIM", at: offset), let loops = reader.little(offset + 12, bytes: 2) {
          loopCount = loops
        } else if isAnimated, reader.has("ANMF", at: offset), let frame = Self.frame(reader, content) {
          frames.append(frame)
        }
        // Chunks are padded to whole words.
        offset += 8 + length + length % 2
      }
    }

    private static func frame(_ reader: ByteReader, _ content: Range<Int>) -> Frame? {
      let start = content.lowerBound
      guard let x = reader.little(start, bytes: 3), let y = reader.little(start + 3, bytes: 3),
        let width = reader.little(start + 6, bytes: 3), let height = reader.little(start + 9, bytes: 3),
        let milliseconds = reader.little(start + 12, bytes: 3), let flags = reader.uint8(start + 15)
      else { return nil }
      let patch = FramePatch(
        x: 2 * x, y: 2 * y, size: PixelSize(width: width + 1, height: height + 1),
        disposal: flags & 1 != 0 ? .background : .keep, blend: flags & 2 != 0 ? .source : .over)
      // Chunks of other kinds may come before the picture's.
      var offset = start + 16
      while offset + 8 <= content.upperBound, let length = reader.little(offset + 4, bytes: 4) {
        if reader.has("ALPH", at: offset) || reader.has("VP8 ", at: offset) || reader.has("VP8L", at: offset) { break }
        offset += 8 + length + length % 2
      }
      return Frame(
        patch: patch, milliseconds: milliseconds, picture: min(offset, content.upperBound)..<content.upperBound)
    }
  }
#endif
