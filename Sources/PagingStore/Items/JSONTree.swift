/// A JSON value that loses nothing: numbers keep their digits, strings their scalars, members have no order.
///
/// Edits are differences of encoded items, and an item must come out of a fold as it went in. Text is kept as bytes of
/// UTF-8, since `String` holds two spellings of one accented letter to be equal, and the difference between them would
/// be lost.
enum JSONTree: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it was written.
  case number([UInt8])
  /// A string without quotes and escapes.
  case string([UInt8])
  /// A list.
  case array([JSONTree])
  /// Members by name; of two with one name the last counts.
  case object([[UInt8]: JSONTree])

  /// A string's value.
  static func text(_ string: String) -> JSONTree { .string(Array(string.utf8)) }

  /// The members, where it is an object.
  var members: [[UInt8]: JSONTree]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value as JSON; members by the order of their names, so that equal values give equal bytes.
  var encoded: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += Array("null".utf8)
    case .bool(let value): out += Array((value ? "true" : "false").utf8)
    case .number(let digits): out += digits
    case .string(let text): Self.quote(text, to: &out)
    case .array(let items):
      out.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        item.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }).enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        Self.quote(member.key, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(_ text: [UInt8], to out: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    out.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}
