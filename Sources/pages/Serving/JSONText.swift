/// A JSON text that is put together from others.
struct JSONText: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Its bytes.
  let bytes: [UInt8]

  /// A text that is JSON already.
  init(json bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A string.
  init(stringLiteral text: String) {
    self.init(text)
  }

  /// True or false.
  init(booleanLiteral value: Bool) {
    self.init(value)
  }

  /// A string; nil: null.
  init(_ text: String?) {
    bytes = Array((text.map(jsonString) ?? "null").utf8)
  }

  /// A whole number; nil: null.
  init(_ number: Int?) {
    bytes = Array((number.map { String($0) } ?? "null").utf8)
  }

  /// True or false.
  init(_ value: Bool) {
    bytes = Array((value ? "true" : "false").utf8)
  }

  /// An array.
  static func array(_ elements: some Sequence<JSONText>) -> JSONText {
    var bytes = Array("[".utf8)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += ", ".utf8 }
      bytes += element.bytes
    }
    return JSONText(json: bytes + "]".utf8)
  }

  /// An object.
  static func object(_ members: KeyValuePairs<String, JSONText>) -> JSONText {
    object(members.map { ($0.key, $0.value) })
  }

  /// An object.
  static func object(_ members: [(name: String, value: JSONText)]) -> JSONText {
    var bytes = Array("{".utf8)
    for (index, (name, value)) in members.enumerated() {
      if index > 0 { bytes += ", ".utf8 }
      bytes += jsonString(name).utf8
      bytes += ": ".utf8
      bytes += value.bytes
    }
    return JSONText(json: bytes + "}".utf8)
  }
}

extension JSONSlice {
  /// The value with another in the place of the one at `path`; as it is where there is none.
  func replacing(_ path: ArraySlice<String>, with value: JSONText) -> JSONText {
    guard let name = path.first else { return value }
    guard kind == .object else { return JSONText(json: compact) }
    return .object(
      members.map { member in
        let text =
          member.name == name
          ? member.value.replacing(path.dropFirst(), with: value) : JSONText(json: member.value.compact)
        return (member.name, text)
      })
  }
}
