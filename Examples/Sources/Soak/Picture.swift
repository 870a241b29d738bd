import Foundation

/// Pictures of one colour each, as PNG files that are written by hand.
enum Picture {
  static let side = 32

  static func color(_ number: Int) -> [UInt8] {
    [UInt8(number * 4 % 256), UInt8(number * 37 % 256), UInt8(255 - number * 3 % 256)]
  }

  /// A PNG whose rows are stored without compression (RFC 1951, section 3.2.4).
  static func file(_ number: Int) -> Data {
    let row: [UInt8] = [0] + Array(repeatElement(color(number), count: side).joined())
    let rows: [UInt8] = Array(repeatElement(row, count: side).joined())
    let length = UInt16(rows.count)
    var zlib: [UInt8] = [0x78, 0x01, 0x01]
    zlib += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
    zlib += rows + bytes(adler(rows))
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 2, 0, 0, 0])
    file += chunk("IDAT", zlib) + chunk("IEND", [])
    return Data(file)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bytes(UInt32(content.count)) + body + bytes(crc(body))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
