/// Reads the links of one `Link` header value, one by one, over its bytes.
///
/// What does not follow the grammar ends the reading; the links before it stand. Every byte is looked at a bounded
/// number of times. Source: RFC 8288, appendix B.2 to B.4.
struct LinkHeader {
  /// One link: its target as written, and what its parameters say.
  struct Link {
    /// What stands between `<` and `>`.
    let target: ArraySlice<UInt8>
    /// The value of the first `rel`, without quotes and escapes; nil when there is none.
    fileprivate(set) var relations: ArraySlice<UInt8>?
    /// Whether it speaks of another resource.
    fileprivate(set) var hasAnchor = false

    fileprivate init(target: ArraySlice<UInt8>) {
      self.target = target
    }

    /// Whether `relation` is among its relations, without regard to the case of ASCII letters.
    func has(_ relation: [UInt8]) -> Bool {
      guard let relations else { return false }
      return relations.split(whereSeparator: isSpace).contains { isSame($0, relation) }
    }
  }

  private let bytes: [UInt8]
  private var position = 0

  /// A reader at the start of `value`.
  init(_ value: some Sequence<UInt8>) {
    bytes = Array(value)
  }

  /// The next link; nil at the end of what can be read.
  mutating func next() -> Link? {
    while position < bytes.count, isSpace(bytes[position]) || bytes[position] == comma { position += 1 }
    guard take(opening) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != closing { position += 1 }
    var link = Link(target: bytes[start..<position])
    guard take(closing) else { return nil }
    while takePastSpace(semicolon) {
      readParameter(into: &link)
    }
    return link
  }

  private mutating func readParameter(into link: inout Link) {
    skipSpace()
    let start = position
    while position < bytes.count, !isNameEnd(bytes[position]) { position += 1 }
    let name = bytes[start..<position]
    let isRelation = link.relations == nil && isSame(name, relName)
    if isSame(name, anchorName) { link.hasAnchor = true }
    guard takePastSpace(equals) else {
      if isRelation { link.relations = [] }
      return
    }
    skipSpace()
    let value = take(quote) ? readQuoted(unescaped: isRelation) : readToken()
    if isRelation { link.relations = value }
  }

  private mutating func readToken() -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, bytes[position] != semicolon, bytes[position] != comma { position += 1 }
    return bytes[start..<position]
  }

  /// Reads up to the closing quote, or to the end where there is none.
  private mutating func readQuoted(unescaped: Bool) -> ArraySlice<UInt8> {
    let start = position
    var hasEscapes = false
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == backslash {
        hasEscapes = true
        position += 1
      }
      position += 1
    }
    position = min(position, bytes.count)
    let raw = bytes[start..<position]
    _ = take(quote)
    guard hasEscapes, unescaped else { return raw }
    var value: [UInt8] = []
    var isEscaped = false
    for byte in raw {
      if byte == backslash, !isEscaped {
        isEscaped = true
      } else {
        value.append(byte)
        isEscaped = false
      }
    }
    return value[...]
  }

  private mutating func skipSpace() {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takePastSpace(_ byte: UInt8) -> Bool {
    skipSpace()
    return take(byte)
  }
}

private let opening = UInt8(ascii: "<")
private let closing = UInt8(ascii: ">")
private let semicolon = UInt8(ascii: ";")
private let comma = UInt8(ascii: ",")
private let equals = UInt8(ascii: "=")
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let relName = Array("rel".utf8)
private let anchorName = Array("anchor".utf8)

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

private func isNameEnd(_ byte: UInt8) -> Bool {
  isSpace(byte) || byte == equals || byte == semicolon || byte == comma
}

/// Whether two words are the same but for the case of ASCII letters.
private func isSame(_ a: ArraySlice<UInt8>, _ b: [UInt8]) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { lowered($0) == lowered($1) }
}

private func lowered(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
