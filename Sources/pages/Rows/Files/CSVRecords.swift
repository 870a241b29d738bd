/// Reads a text of comma-separated values record by record, as RFC 4180 has them; lines may end in LF alone, too.
struct CSVRecords {
  /// One field.
  struct Field {
    /// Its text, without quotes.
    var bytes: [UInt8]
    /// Whether it stood in quotes, so that an empty one is a text and not nothing.
    var isQuoted: Bool
  }

  private let text: [UInt8]
  private let separator: UInt8
  private var at = 0
  /// Where the record began that was read last.
  private(set) var start = 0

  /// The records of `text`, whose fields `separator` parts.
  init(_ text: [UInt8], separator: UInt8) {
    self.text = text
    self.separator = separator
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// The next record; nil at the end. Lines with nothing in them are passed over.
  mutating func next() throws(RowFileFault) -> [Field]? {
    while at < text.count {
      start = at
      var fields = [try field()]
      while at < text.count, text[at] == separator {
        at += 1
        fields.append(try field())
      }
      try endLine()
      if fields.count == 1, let only = fields.first, only.bytes.isEmpty, !only.isQuoted { continue }
      return fields
    }
    return nil
  }

  private mutating func endLine() throws(RowFileFault) {
    guard at < text.count else { return }
    if text[at] == UInt8(ascii: "\r"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "\n") { at += 1 }
    guard text[at] == UInt8(ascii: "\n") else {
      throw RowFileFault("something follows the closing quote of a field", at: at, in: text)
    }
    at += 1
  }

  private mutating func field() throws(RowFileFault) -> Field {
    let first = at
    guard at < text.count, text[at] == UInt8(ascii: "\"") else {
      while at < text.count, !endsField { at += 1 }
      let bytes = text[first..<at]
      if let quote = bytes.firstIndex(of: UInt8(ascii: "\"")) {
        throw RowFileFault("a quote stands inside a field that doesn't begin with one", at: quote, in: text)
      }
      return Field(bytes: try checked(bytes), isQuoted: false)
    }
    var bytes: [UInt8] = []
    at += 1
    while true {
      guard let end = text[at...].firstIndex(of: UInt8(ascii: "\"")) else {
        throw RowFileFault("the quote that opens here is never closed", at: first, in: text)
      }
      bytes += try checked(text[at..<end])
      at = end + 1
      // Two quotes in a row are one of the text.
      guard at < text.count, text[at] == UInt8(ascii: "\"") else { return Field(bytes: bytes, isQuoted: true) }
      bytes.append(UInt8(ascii: "\""))
      at += 1
    }
  }

  private var endsField: Bool {
    let byte = text[at]
    return byte == separator || byte == UInt8(ascii: "\n")
      || (byte == UInt8(ascii: "\r") && at + 1 < text.count && text[at + 1] == UInt8(ascii: "\n"))
  }

  private func checked(_ bytes: ArraySlice<UInt8>) throws(RowFileFault) -> [UInt8] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RowFileFault("a field is not UTF-8", at: bytes.startIndex, in: text)
    }
    return Array(bytes)
  }
}
