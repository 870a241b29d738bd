package import Foundation

extension URL {
  /// This URL with the query parameter `name` set to `value`, in the place of all that had that name.
  ///
  /// Everything but letters, digits, `-`, `.`, `_` and `~` is percent-encoded, so the server reads exactly `value`:
  /// also where it holds `+`, `/`, `=`, `&` or `%`. (Foundation leaves a `+` as it is, which most servers take for a
  /// space.) The other parameters stay byte for byte. Source: RFC 3986, sections 2.3 and 3.4.
  package func settingQuery(_ name: String, to value: String) -> URL {
    var rest = absoluteString[...]
    var fragment = rest[rest.endIndex...]
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[hash...]
      rest = rest[..<hash]
    }
    var query = ""
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      for parameter in Self.parameters(rest[rest.utf8.index(after: mark)...])
      where !Self.isParameter(parameter, named: name) {
        query += parameter
        query += "&"
      }
      rest = rest[..<mark]
    }
    query += Self.percentEncoded(name) + "=" + Self.percentEncoded(value)
    return URL(string: rest + "?" + query + fragment) ?? self
  }

  /// The value of the first query parameter `name`, decoded, `+` as a space; nil when there is none.
  package func queryValue(_ name: String) -> String? {
    guard let query = query(percentEncoded: true) else { return nil }
    for parameter in Self.parameters(query[...]) where Self.isParameter(parameter, named: name) {
      let value = parameter.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
      let spaced = String(decoding: value.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
      return spaced.removingPercentEncoding ?? spaced
    }
    return nil
  }

  private static func parameters(_ query: Substring) -> [Substring] {
    query.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }
  }

  private static func isParameter(_ parameter: Substring, named name: String) -> Bool {
    // By bytes: to compare characters costs more than all the rest of a request.
    let written = parameter.utf8.prefix { $0 != UInt8(ascii: "=") }
    if written.elementsEqual(name.utf8) { return true }
    return written.contains(UInt8(ascii: "%")) && Substring(written).removingPercentEncoding == name
  }

  private static func percentEncoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexDigit(byte >> 4))
        encoded.append(hexDigit(byte & 0x0f))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The digit of a value below 16.
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
  }
}
