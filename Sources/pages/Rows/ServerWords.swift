/// What a server says about its refusal, from wherever such a word usually stands.
enum ServerWords {
  private static let paths = [
    "error.message", "error.detail", "error_description", "error", "message", "detail", "title", "errors.0.message",
    "errors.0.detail", "errors.0.title", "errors.0", "reason", "description",
  ].map { JSONPath($0) }

  /// The words in a JSON reply, fit to be shown; nil where there are none.
  static func find(in body: JSONSlice) -> String? {
    for path in paths {
      if let text = path.value(in: body)?.string, !text.isEmpty { return printable(text) }
    }
    return nil
  }

  /// The words in a reply of any kind: its JSON's, or the start of its text, without tags where it is HTML.
  static func find(in bytes: [UInt8]) -> String? {
    if let body = try? JSONSlice(checking: bytes), let words = find(in: body) { return words }
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let plain = text.drop(while: \.isWhitespace).hasPrefix("<") ? withoutTags(text) : text
    let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? nil : printable(words, limit: 200)
  }

  private static func withoutTags(_ text: String) -> String {
    var result = ""
    var isInTag = false
    for character in text {
      switch character {
      case "<": isInTag = true
      case ">":
        isInTag = false
        result.append(" ")
      default: if !isInTag { result.append(character) }
      }
    }
    return result
  }
}
