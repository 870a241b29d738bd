import Foundation

/// Tells JSON that breaks off from JSON that is wrong, and both from other things.
enum JSONShape {
  /// Whether a JSON text may begin with `byte` (RFC 8259, section 3).
  static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      true
    default: false
    }
  }

  /// Whether the text ends inside a string, an array or an object, by counting brackets outside strings. Linear.
  static func breaksOff(_ body: Data) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in body {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return isInString || depth > 0
  }

  /// Whether the whole body is one JSON value, whatever it says.
  static func isJSON(_ body: Data) -> Bool {
    (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
  }

  /// White space between JSON's tokens (RFC 8259, section 2).
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}
