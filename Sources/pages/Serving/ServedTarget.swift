/// The target of a request (RFC 9112, section 3.2), taken apart and decoded.
struct ServedTarget {
  /// The most parameters that are read.
  static let maxParameters = 200

  /// The parts of the path between slashes.
  let segments: [String]
  /// The parameters of the query, in order; a plus is a space, as forms have it.
  let parameters: [(name: String, value: String)]

  /// Reads a path with a query, or a whole URL, as proxies are sent; nil where it can't be read.
  init?(_ text: String) {
    var rest = text[...]
    if let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" && $0 != "#" }
    }
    rest = rest.prefix { $0 != "#" }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, path.isEmpty || path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = Self.decoded(part, plusIsSpace: false) else { return nil }
      segments.append(segment)
    }
    var parameters: [(name: String, value: String)] = []
    for part in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = halves.first.flatMap({ Self.decoded($0, plusIsSpace: true) }),
        let value = Self.decoded(halves.count > 1 ? halves[1] : "", plusIsSpace: true),
        parameters.count < Self.maxParameters
      else { return nil }
      parameters.append((name, value))
    }
    self.segments = segments == [""] ? [] : segments
    self.parameters = parameters
  }

  /// `text` without its escapes; nil for an escape that is none, and for bytes that are not UTF-8.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// `text` with all but the unreserved characters (RFC 3986, section 2.3) as escapes.
  static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
