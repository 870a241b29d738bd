import Foundation

/// A place beside a row, as a text that clients can't look into: it leads on from there also when the row was deleted.
struct ServedCursor: Hashable, Sendable {
  /// On which side of the row the page lies.
  enum Side: String, Hashable, Sendable {
    case after = "a"
    case before = "b"
  }

  var side: Side
  /// The row's number; nil: the end of the list.
  var row: Int?
  /// When it is no longer good, in milliseconds since the server began; nil: it always is.
  var expiry: Int?

  init(_ side: Side, _ row: Int?, expiry: Int? = nil) {
    self.side = side
    self.row = row
    self.expiry = expiry
  }

  /// Its text: Base64 for URLs (RFC 4648, section 5), with a check sum, so that one that was cut or changed is told.
  var text: String {
    let plain = [side.rawValue, row.map(String.init) ?? "", expiry.map(String.init) ?? ""].joined(separator: ".")
    let sum = String(Self.sum(plain), radix: 36)
    return Data((plain + "." + sum).utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The cursor of that text; nil where it is none.
  init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let whole = text.replacing("-", with: "+").replacing("_", with: "/")
    let padded = whole + String(repeating: "=", count: (4 - whole.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: padded), let plain = String(data: data, encoding: .utf8) else { return nil }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let side = Side(rawValue: String(parts[0])),
      parts[3] == String(Self.sum(parts[..<3].joined(separator: ".")), radix: 36)
    else { return nil }
    if !parts[1].isEmpty {
      guard let row = Int(parts[1]), row >= 0 else { return nil }
      self.row = row
    }
    if !parts[2].isEmpty {
      guard let expiry = Int(parts[2]) else { return nil }
      self.expiry = expiry
    }
    self.side = side
    // Base64 has several texts for some bytes.
    guard self.text == text else { return nil }
  }

  private static func sum(_ text: String) -> UInt32 { UInt32(truncatingIfNeeded: stableHash(text.utf8)) }
}

/// A hash that is the same in every run (FNV-1a, 64 bits, by Fowler, Noll and Vo).
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}
