import Foundation

/// The bytes in a `data:` URL (RFC 2397): `data:[<type>][;base64],<data>`.
enum DataURL {
  /// What is wrong with one, in words that don't repeat it.
  enum Problem: Error, Hashable {
    case noComma
    case badPercent
    case badBase64
    case tooLong
  }

  /// The bytes; the type is not looked at, since pictures tell theirs.
  ///
  /// Linear in the URL's length. Base64 may be percent-encoded, hold white space and lack its padding, as others take
  /// it too.
  ///
  /// - Parameters:
  ///   - text: The URL, its scheme in any case.
  ///   - limit: The most bytes that may come of it.
  static func bytes(_ text: String, limit: Int) throws(Problem) -> [UInt8] {
    let bytes = text.utf8
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { throw .noComma }
    let head = String(decoding: bytes[..<comma], as: UTF8.self).lowercased().filter { $0 != " " }
    // What stands behind a number sign is a fragment, and none of the data.
    let data = bytes[bytes.index(after: comma)...].prefix { $0 != UInt8(ascii: "#") }
    let decoded = try percentDecoded(data)
    guard head.hasSuffix(";base64") else {
      if decoded.count > limit { throw .tooLong }
      return decoded
    }
    return try base64(decoded, limit: limit)
  }

  private static func percentDecoded(_ data: some Sequence<UInt8>) throws(Problem) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(data.underestimatedCount)
    var rest = data.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else { throw .badPercent }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func base64(_ text: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
    var digits = text.filter { ![0x20, 0x09, 0x0a, 0x0c, 0x0d].contains($0) }
    if digits.count / 4 > limit / 3 + 1 { throw .tooLong }
    // Decoders differ in what they make of padding elsewhere than at the end of a group of four.
    let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
    guard padding == 0 || digits.count % 4 == 0, !digits.dropLast(padding).contains(UInt8(ascii: "=")) else {
      throw .badBase64
    }
    if padding == 0 { digits += Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4) }
    guard let data = Data(base64Encoded: Data(digits)) else { throw .badBase64 }
    if data.count > limit { throw .tooLong }
    return [UInt8](data)
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
