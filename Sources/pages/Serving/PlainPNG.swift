/// Pictures of few colours as PNG files that aren't compressed: enough for pictures that are made up.
enum PlainPNG {
  /// A colour.
  struct Color: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
  }

  /// The file of a picture (Portable Network Graphics, second edition).
  ///
  /// - Parameters:
  ///   - width: Columns of pixels, 1 to 65,000.
  ///   - height: Lines of pixels, at least 1.
  ///   - palette: 1 to 256 colours.
  ///   - color: The number of a pixel's colour in the palette.
  static func file(width: Int, height: Int, palette: [Color], color: (_ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Eight bits a pixel, by a palette, nothing interlaced.
    add("IHDR", bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height)) + [8, 3, 0, 0, 0], to: &file)
    add("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    // Zlib (RFC 1950) around stored blocks (RFC 1951, section 3.2.4), one a line.
    var data: [UInt8] = [0x78, 0x01]
    var sums: (a: UInt32, b: UInt32) = (1, 0)
    for y in 0..<height {
      let line = [0] + (0..<width).map { color($0, y) }
      let length = UInt16(clamping: line.count)
      data.append(y == height - 1 ? 1 : 0)
      data += [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
      data += [UInt8(truncatingIfNeeded: ~length), UInt8(truncatingIfNeeded: ~length >> 8)]
      data += line
      for byte in line {
        sums.a = (sums.a + UInt32(byte)) % 65521
        sums.b = (sums.b + sums.a) % 65521
      }
    }
    add("IDAT", data + bytes(sums.b << 16 | sums.a), to: &file)
    add("IEND", [], to: &file)
    return file
  }

  private static func add(_ kind: String, _ data: [UInt8], to file: inout [UInt8]) {
    let body = Array(kind.utf8) + data
    file += bytes(UInt32(clamping: data.count)) + body + bytes(checksum(body))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 as the format has it (annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
    }
  }
}
