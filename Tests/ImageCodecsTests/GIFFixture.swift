#if !canImport(ImageIO) && GIF
  import Testing

  @testable import ImageCodecs

  /// Writes GIFs plainly: pixels as codes of one width, so that no compressor can be at fault.
  struct GIFFixture {
    struct Frame {
      var x = 0
      var y = 0
      var width: Int
      var height: Int
      /// Row by row from the top, whatever the file's order is.
      var indices: [UInt8]
      var delay = 10
      var disposal = 0
      var transparent: UInt8?
      var isInterlaced = false
      var palette: [UInt32]?
    }

    var width: Int
    var height: Int
    /// Red, green and blue in the lower 24 bits; a power of two of them, or none.
    var palette: [UInt32] = GIFFixture.colors
    var background: UInt8 = 0
    /// As the file says; nil: no such block.
    var repeats: Int?
    var frames: [Frame]
    var hasTrailer = true

    static let colors: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF, 0xFFFFFF, 0x808080]

    /// One picture that fills the screen.
    static func still(_ width: Int, _ height: Int, _ index: (Int, Int) -> UInt8) -> GIFFixture {
      let indices = (0..<height).flatMap { y in (0..<width).map { index($0, y) } }
      return GIFFixture(width: width, height: height, frames: [Frame(width: width, height: height, indices: indices)])
    }

    var bytes: [UInt8] {
      var bytes = Array("GIF89a".utf8) + Self.word(width) + Self.word(height)
      bytes += [Self.flags(palette), background, 0] + Self.bytes(of: palette)
      if let repeats { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.word(repeats) + [0] }
      for frame in frames { bytes += Self.bytes(of: frame) }
      return hasTrailer ? bytes + [0x3B] : bytes
    }

    private static func bytes(of frame: Frame) -> [UInt8] {
      let flags = UInt8(frame.disposal << 2) | (frame.transparent == nil ? 0 : 1)
      var bytes: [UInt8] = [0x21, 0xF9, 4, flags] + word(frame.delay) + [frame.transparent ?? 0, 0, 0x2C]
      bytes += word(frame.x) + word(frame.y) + word(frame.width) + word(frame.height)
      bytes.append((frame.isInterlaced ? 0x40 : 0) | (frame.palette.map(Self.flags) ?? 0))
      bytes += Self.bytes(of: frame.palette ?? [])
      let order =
        frame.isInterlaced
        ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
        : Array(0..<frame.height)
      let indices = order.flatMap { frame.indices[($0 * frame.width)..<(($0 + 1) * frame.width)] }
      return bytes + [7] + pieces(codes(indices))
    }

    /// Indices below 128 as codes of eight bits, and so many clear codes (128) that they never get wider.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
      var codes: [UInt8] = []
      for (place, index) in indices.enumerated() {
        if place % 100 == 0 { codes.append(128) }
        codes.append(index)
      }
      return codes + [129]
    }

    private static func pieces(_ bytes: [UInt8]) -> [UInt8] {
      stride(from: 0, to: bytes.count, by: 255).flatMap { start in
        let piece = bytes[start..<min(bytes.count, start + 255)]
        return [UInt8(piece.count)] + piece
      } + [0]
    }

    private static func flags(_ palette: [UInt32]) -> UInt8 {
      palette.isEmpty ? 0 : 0x80 | UInt8(max(0, palette.count.trailingZeroBitCount - 1))
    }

    private static func bytes(of palette: [UInt32]) -> [UInt8] {
      palette.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
    }

    static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

    /// What each frame must show, composed one pixel after another from what was written.
    var composed: [[UInt32]] {
      var canvas = [UInt32](repeating: 0, count: width * height)
      return frames.map { frame in
        let before = canvas
        for (place, index) in frame.indices.enumerated() {
          let (x, y) = (frame.x + place % frame.width, frame.y + place / frame.width)
          let colors = frame.palette ?? palette
          guard x < width, y < height, index != frame.transparent, index < colors.count else { continue }
          canvas[y * width + x] = colors[Int(index)] << 8 | 255
        }
        let shown = canvas
        for y in frame.y..<(frame.y + frame.height) where y < height {
          for x in frame.x..<(frame.x + frame.width) where x < width {
            if frame.disposal == 2 { canvas[y * width + x] = 0 }
            if frame.disposal == 3 { canvas[y * width + x] = before[y * width + x] }
          }
        }
        return shown
      }
    }
  }
#endif
