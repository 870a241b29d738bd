import Foundation

/// The picture of a post: one colour that no other post has, so that whoever looks can tell whose it is.
enum PostPicture {
  static let side = 40

  /// Red, green and blue. The factor is odd, so two numbers below 2^24 never have the same colour.
  static func color(of id: Int) -> [UInt8] {
    let mixed = (id &* 0x9E_37_79) & 0xFF_FF_FF
    return [UInt8(mixed >> 16), UInt8(mixed >> 8 & 0xFF), UInt8(mixed & 0xFF)]
  }

  /// A PNG file without compression: a filter byte before each row, in one stored block.
  static func png(of id: Int) -> Data {
    let row = [0] + Array(repeating: color(of: id), count: side).joined()
    let pixels = Array(repeating: row, count: side).flatMap { $0 }
    let length = UInt16(pixels.count)
    let block: [UInt8] = [0x78, 0x01, 1] + bytes(length).reversed() + bytes(~length).reversed() + pixels
    let header = bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 2, 0, 0, 0]
    return Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + chunk("IDAT", block + bytes(adler(pixels))) + chunk("IEND", []))
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return bytes(UInt32(content.count)) + named + bytes(crc(named))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    let sums = bytes.reduce((a: UInt32(1), b: UInt32(0))) { sums, byte in
      let a = (sums.a + UInt32(byte)) % 65_521
      return (a, (sums.b + a) % 65_521)
    }
    return sums.b << 16 | sums.a
  }
}
