/// Checks a text against the grammar of RFC 8259, strings against UTF-8 (RFC 3629) too, without building anything.
///
/// Takes time in proportion to the text and memory in proportion to its nesting, of which ``maxDepth`` is the bound.
struct JSONScanner {
  /// How deep arrays and objects may be nested.
  static let maxDepth = 512

  private let bytes: [UInt8]
  private let end: Int
  private var at: Int

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    at = range.lowerBound
    end = range.upperBound
  }

  /// Where in `bytes` the value stands, once all of them are known to be good.
  static func check(_ bytes: [UInt8]) throws(JSONFault) -> Range<Int> {
    try check(bytes, in: 0..<bytes.count)
  }

  /// Where in a part of `bytes` the value stands, once all of that part are known to be good; faults count from the
  /// start of `bytes`.
  static func check(_ bytes: [UInt8], in range: Range<Int>) throws(JSONFault) -> Range<Int> {
    let part = range.clamped(to: 0..<bytes.count)
    var scanner = JSONScanner(bytes, part)
    // A byte order mark is not JSON, but may be ignored (RFC 8259, section 8.1).
    if part.lowerBound == 0, bytes[part].starts(with: [0xEF, 0xBB, 0xBF]) { scanner.at = 3 }
    scanner.skipWhitespace()
    if scanner.at == scanner.end { throw JSONFault(kind: .empty, offset: part.lowerBound) }
    let start = scanner.at
    try scanner.scanValue()
    let end = scanner.at
    scanner.skipWhitespace()
    if scanner.at < scanner.end { throw JSONFault(kind: .trailing, offset: scanner.at) }
    return start..<end
  }

  private var byte: UInt8 {
    get throws(JSONFault) {
      guard at < end else { throw JSONFault(kind: .endsEarly, offset: at) }
      return bytes[at]
    }
  }

  private var unexpected: JSONFault {
    at < end ? JSONFault(kind: .unexpected(bytes[at]), offset: at) : JSONFault(kind: .endsEarly, offset: at)
  }

  private mutating func skipWhitespace() {
    while at < end, isJSONWhitespace(bytes[at]) { at += 1 }
  }

  private mutating func skipDigits() throws(JSONFault) {
    guard at < end, isDigit(bytes[at]) else { throw unexpected }
    while at < end, isDigit(bytes[at]) { at += 1 }
  }

  private mutating func take(_ expected: UInt8) throws(JSONFault) {
    guard try byte == expected else { throw unexpected }
    at += 1
  }

  /// One value, and those in it: `open` holds the brackets that wait for their end.
  private mutating func scanValue() throws(JSONFault) {
    var open: [UInt8] = []
    repeat {
      let first = try byte
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < Self.maxDepth else { throw JSONFault(kind: .tooDeep, offset: at) }
        at += 1
        skipWhitespace()
        if try byte == first + 2 {  // "]" and "}" follow two after what opens them
          at += 1
        } else {
          open.append(first)
          if first == UInt8(ascii: "{") { try scanKey() }
          continue
        }
      case UInt8(ascii: "\""): try scanString()
      case UInt8(ascii: "t"): for expected in "true".utf8 { try take(expected) }
      case UInt8(ascii: "f"): for expected in "false".utf8 { try take(expected) }
      case UInt8(ascii: "n"): for expected in "null".utf8 { try take(expected) }
      default: try scanNumber()
      }
      try scanAfterValue(&open)
    } while !open.isEmpty
  }

  /// What follows a value: the ends of what it stands in, up to the comma before the next one.
  private mutating func scanAfterValue(_ open: inout [UInt8]) throws(JSONFault) {
    while let bracket = open.last {
      skipWhitespace()
      if try byte == UInt8(ascii: ",") {
        at += 1
        skipWhitespace()
        if bracket == UInt8(ascii: "{") { try scanKey() }
        return
      }
      try take(bracket + 2)
      open.removeLast()
    }
  }

  private mutating func scanKey() throws(JSONFault) {
    try scanString()
    skipWhitespace()
    try take(UInt8(ascii: ":"))
    skipWhitespace()
  }

  private mutating func scanNumber() throws(JSONFault) {
    if try byte == UInt8(ascii: "-") { at += 1 }
    if try byte == UInt8(ascii: "0") { at += 1 } else { try skipDigits() }
    if at < end, bytes[at] == UInt8(ascii: ".") {
      at += 1
      try skipDigits()
    }
    if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      let sign = try byte
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { at += 1 }
      try skipDigits()
    }
  }

  private mutating func scanString() throws(JSONFault) {
    try take(UInt8(ascii: "\""))
    while true {
      switch try byte {
      case UInt8(ascii: "\""):
        at += 1
        return
      case UInt8(ascii: "\\"):
        at += 1
        try scanEscape()
      case 0..<0x20: throw unexpected
      case 0x20..<0x80: at += 1
      default: try scanMultibyte()
      }
    }
  }

  private mutating func scanEscape() throws(JSONFault) {
    switch try byte {
    case UInt8(ascii: "u"):
      at += 1
      for _ in 0..<4 {
        guard isHexDigit(try byte) else { throw unexpected }
        at += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 1
    default: throw unexpected
    }
  }

  /// A character of two to four bytes: the well-formed sequences of RFC 3629, section 4.
  private mutating func scanMultibyte() throws(JSONFault) {
    let lead = try byte
    let (tails, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (1, 0x80...0xBF)
      case 0xE0: (2, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE, 0xEF: (2, 0x80...0xBF)
      case 0xED: (2, 0x80...0x9F)
      case 0xF0: (3, 0x90...0xBF)
      case 0xF1...0xF3: (3, 0x80...0xBF)
      case 0xF4: (3, 0x80...0x8F)
      default: throw JSONFault(kind: .notUTF8, offset: at)
      }
    at += 1
    for tail in 0..<tails {
      guard (tail == 0 ? second : 0x80...0xBF).contains(try byte) else {
        throw JSONFault(kind: .notUTF8, offset: at)
      }
      at += 1
    }
  }
}

/// Space, tab, line feed, carriage return: all that JSON ignores between its tokens.
func isJSONWhitespace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
}
