/// A file that can't be served as rows: what is wrong, and where.
struct RowFileFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that is safe to show, without the file's name.
  let description: String
  /// The line, from 1, where one is to blame.
  var line: Int?
  /// How many bytes of that line precede the fault, and one more.
  var column: Int?

  init(_ description: String) {
    self.description = description
  }

  /// A fault at a byte of `text`.
  init(_ what: String, at offset: Int, in text: [UInt8]) {
    let before = text[..<min(max(0, offset), text.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.line = line
    column = before.count - start + 1
    description = "line \(grouped(line)), column \(grouped(before.count - start + 1)): \(what)."
  }

  /// A text that is not JSON.
  init(_ fault: JSONFault, in text: [UInt8]) {
    let what =
      switch fault.kind {
      case .empty: "there is no value"
      case .endsEarly: "it ends in the middle of a value"
      case .unexpected(let byte) where byte >= 0x20 && byte < 0x7F:
        "'\(Character(Unicode.Scalar(byte)))' can't stand here"
      case .unexpected(let byte): "a byte \(byte) can't stand here"
      case .trailing: "something follows the value"
      case .notUTF8: "a string is not UTF-8"
      case .tooDeep: "it is nested more than \(JSONScanner.maxDepth) deep"
      }
    self.init(what, at: fault.offset, in: text)
  }
}

/// What bounds the memory that a file's rows take.
struct RowFileLimits: Hashable, Sendable {
  /// How long a file may be, and the JSON that is made of it, in bytes.
  var bytes = 256 << 20
  /// How many rows it may have.
  var rows = 1_000_000
  /// How long a row may be, in bytes.
  var rowBytes = 1 << 20

  /// Throws where a row of `bytes` bytes would be one too many, or too long.
  func check(rows count: Int, bytes: Int, at offset: Int, in text: [UInt8]) throws(RowFileFault) {
    if bytes > rowBytes {
      throw RowFileFault("the row is longer than \(grouped(rowBytes)) bytes", at: offset, in: text)
    }
    if count > rows { throw RowFileFault("there are more than \(grouped(rows)) rows", at: offset, in: text) }
  }
}
