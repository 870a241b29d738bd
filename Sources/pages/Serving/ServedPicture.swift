/// A small picture that is the same for a row each time: two colours that its ID picks, and the shape of a mountain.
struct ServedPicture {
  /// Its size in pixels.
  static let width = 96
  static let height = 64
  /// How many colours it has: each pixel takes four bits.
  private static let colours = 16

  /// It as a file of PNG.
  let png: [UInt8]

  /// The picture for a row's ID.
  init(of id: String) {
    let hash = stableHash(id.utf8)
    let hue = Double(hash % 360)
    let sky = (0..<12).map { Self.colour(hue: hue, lightness: 0.35 + 0.045 * Double($0)) }
    let ground = (0..<4).map { Self.colour(hue: hue + 140, lightness: 0.18 + 0.06 * Double($0)) }
    let peak = 20 + Int(hash >> 16 & 55)
    let top = 14 + Int(hash >> 32 & 15)
    let sun = (x: 12 + Int(hash >> 40 & 63), y: 8 + Int(hash >> 48 & 15))
    func pixel(_ x: Int, _ y: Int) -> Int {
      let slope = top + abs(x - peak) * 3 / 4
      if y > slope { return 12 + min(3, (y - slope) / 12) }
      let (dx, dy) = (x - sun.x, y - sun.y)
      return dx * dx + dy * dy < 36 ? 11 : min(10, y * 11 / Self.height)
    }
    var rows: [UInt8] = []
    for y in 0..<Self.height {
      rows.append(0)
      for x in stride(from: 0, to: Self.width, by: 2) {
        rows.append(UInt8(pixel(x, y) << 4 | pixel(x + 1, y)))
      }
    }
    png = PNGFile.indexed(
      width: Self.width, height: Self.height, bits: 4, palette: (sky + ground).flatMap { $0 }, rows: rows)
  }

  /// A row with the URL of its picture in front of its end; as it is where it has an `image_url`, or no ID.
  ///
  /// - Parameter base: The server's address, without a slash at the end.
  static func added(to row: [UInt8], _ identity: JSONPath, _ base: String) -> [UInt8] {
    guard row.last == UInt8(ascii: "}"), let slice = try? JSONSlice(checking: row), slice.member("image_url") == nil,
      let id = identity.value(in: slice)?.scalarText
    else { return row }
    return row.dropLast() + ", \"image_url\": \(jsonString("\(base)/images/\(ServedTarget.escaped(id)).png"))}".utf8
  }

  /// Red, green and blue of a hue in degrees at half saturation.
  private static func colour(hue: Double, lightness: Double) -> [UInt8] {
    [0.0, 8, 4].map { shift in
      let place = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
      let swing = 0.5 * min(lightness, 1 - lightness)
      let value = lightness - swing * max(-1, min(place - 3, 9 - place, 1))
      return UInt8(max(0, min(255, value * 255)))
    }
  }
}

/// Writes files of PNG (ISO/IEC 15948) whose pixels are stored, not compressed, so that it takes no library.
enum PNGFile {
  /// A picture with a palette.
  ///
  /// - Parameters:
  ///   - bits: How many bits a pixel takes.
  ///   - palette: Three bytes a colour.
  ///   - rows: Its rows, each with a byte of filter, 0, in front.
  static func indexed(width: Int, height: Int, bits: UInt8, palette: [UInt8], rows: [UInt8]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height)) + [bits, 3, 0, 0, 0])
      + chunk("PLTE", palette) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bytes(UInt32(clamping: data.count)) + body + bytes(checkSum(body))
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951, section 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var at = 0
    repeat {
      let count = min(0xFFFF, data.count - at)
      let isLast: UInt8 = at + count == data.count ? 1 : 0
      result += [isLast, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
      result += data[at..<(at + count)]
      at += count
    } while at < data.count
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return result + bytes(b << 16 | a)
  }

  /// The CRC-32 of the chunk (ISO/IEC 15948, annex D).
  private static func checkSum(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
