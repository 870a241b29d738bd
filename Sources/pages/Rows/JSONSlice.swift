import Foundation

/// One value in a JSON text that was checked: a place in its bytes, and no more.
///
/// Looking into it goes over the bytes again and builds nothing; every look takes time in proportion to the value.
struct JSONSlice: Sendable {
  private let text: [UInt8]
  private let range: Range<Int>

  /// Checks `bytes` and stands for the whole value in them.
  init(checking bytes: [UInt8]) throws(JSONFault) {
    text = bytes
    range = try JSONScanner.check(bytes)
  }

  /// Checks a part of `bytes` and stands for the whole value in it; all parts of one text share its bytes.
  init(checking bytes: [UInt8], in part: Range<Int>) throws(JSONFault) {
    text = bytes
    range = try JSONScanner.check(bytes, in: part)
  }

  private init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// What kind of value it is.
  enum Kind: Hashable, Sendable { case object, array, string, number, bool, null }

  /// What kind of value it is.
  var kind: Kind {
    switch text[range.lowerBound] {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  /// Its bytes without the white space between tokens, so in one line. Names, numbers and strings stay as they are.
  var compact: [UInt8] {
    let slice = text[range]
    guard slice.contains(where: isJSONWhitespace) else { return Array(slice) }
    var result: [UInt8] = []
    result.reserveCapacity(slice.count)
    var at = range.lowerBound
    while at < range.upperBound {
      if text[at] == UInt8(ascii: "\"") {
        let end = endOfString(at)
        result += text[at..<end]
        at = end
      } else {
        if !isJSONWhitespace(text[at]) { result.append(text[at]) }
        at += 1
      }
    }
    return result
  }

  /// How many bytes it has where it stands.
  var byteCount: Int { range.count }

  /// How many bytes precede it in its text.
  var offset: Int { range.lowerBound }

  /// A string's characters, with its escapes resolved; a number's digits as they are written; else nil.
  var scalarText: String? {
    switch kind {
    case .number: return String(decoding: text[range], as: UTF8.self)
    case .string:
      let inside = text[(range.lowerBound + 1)..<(range.upperBound - 1)]
      guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
      // Foundation knows what becomes of lone surrogates; where it refuses them, the escapes stay.
      let quoted = Data(text[range])
      let decoded = try? JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed) as? String
      return decoded ?? String(decoding: inside, as: UTF8.self)
    default: return nil
    }
  }

  /// A string's characters; else nil.
  var string: String? { kind == .string ? scalarText : nil }

  /// Whether it is the value `true`.
  var isTrue: Bool { text[range.lowerBound] == UInt8(ascii: "t") }

  /// A whole number; nil for anything else, or one that is too large.
  var integer: Int? { kind == .number ? scalarText.flatMap { Int($0) } : nil }

  /// The members of an object, in the order of the text; nothing for other values.
  var members: some Sequence<(name: String, value: JSONSlice)> {
    let first = kind == .object ? range.lowerBound + 1 : range.upperBound
    return sequence(state: first) { at -> (name: String, value: JSONSlice)? in
      guard let nameStart = nextToken(from: at, in: range.upperBound) else { return nil }
      let nameEnd = endOfString(nameStart)
      guard let valueStart = nextToken(from: nameEnd, in: range.upperBound) else { return nil }
      let end = endOfValue(valueStart)
      at = end
      let name = JSONSlice(text, nameStart..<nameEnd).scalarText ?? ""
      return (name, JSONSlice(text, valueStart..<end))
    }
  }

  /// The elements of an array, in order; nothing for other values.
  var elements: some Sequence<JSONSlice> {
    let first = kind == .array ? range.lowerBound + 1 : range.upperBound
    return sequence(state: first) { at -> JSONSlice? in
      guard let start = nextToken(from: at, in: range.upperBound) else { return nil }
      at = endOfValue(start)
      return JSONSlice(text, start..<at)
    }
  }

  /// The first member of that name; nil where there is none.
  func member(_ name: String) -> JSONSlice? {
    members.first { $0.name == name }?.value
  }

  /// The first byte at or after `at` that begins a name or a value, or nil at the end of what holds them.
  private func nextToken(from at: Int, in end: Int) -> Int? {
    var at = at
    while at < end {
      switch text[at] {
      case UInt8(ascii: ","), UInt8(ascii: ":"): at += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): return nil
      case let byte where isJSONWhitespace(byte): at += 1
      default: return at
      }
    }
    return nil
  }

  private func endOfString(_ start: Int) -> Int {
    var at = start + 1
    while at < range.upperBound, text[at] != UInt8(ascii: "\"") {
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(at + 1, range.upperBound)
  }

  private func endOfValue(_ start: Int) -> Int {
    switch text[start] {
    case UInt8(ascii: "\""): return endOfString(start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var depth = 0
      var at = start
      while at < range.upperBound {
        switch text[at] {
        case UInt8(ascii: "\""):
          at = endOfString(at)
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        at += 1
        if depth == 0 { return at }
      }
      return range.upperBound
    default:
      return text[start..<range.upperBound].firstIndex { byte in
        isJSONWhitespace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
      } ?? range.upperBound
    }
  }
}
