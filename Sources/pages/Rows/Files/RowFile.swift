import Foundation

/// The rows of a file: NDJSON, a JSON array or an object with a list, CSV, or a table of an SQLite file.
struct RowFile: Sendable {
  /// What a file holds.
  enum Format: String, CaseIterable, Sendable {
    case ndjson, json, csv, tsv, sqlite
  }

  /// What is known of a file before it is read.
  struct Hints: Sendable {
    /// What it holds; nil: that is told by its first bytes, and by its name where they don't tell.
    var format: Format?
    /// Where in an object its rows are; nil: they are found.
    var items: JSONPath?
    /// What tells a row from others; nil: that is found.
    var id: JSONPath?
    /// The table of an SQLite file; nil: its only one.
    var table: String?
    var limits = RowFileLimits()
  }

  /// The rows, in order.
  let rows: [JSONSlice]
  /// What it held.
  let format: Format
  /// Where in a row its ID is.
  let identity: JSONPath
  /// By its ID, which row it is.
  let numbers: [String: Int]
  /// Whether rows had nothing that tells them apart, so that each was given its number.
  let isNumbered: Bool

  /// Reads the file at `path`.
  ///
  /// - Throws: A ``RowFileFault`` that says what is wrong with it, and where.
  init(_ path: String, _ hints: Hints = Hints()) throws(RowFileFault) {
    let text = try Self.contents(of: path, hints.limits, isDatabase: hints.format == .sqlite)
    if hints.format == .sqlite || (hints.format == nil && SQLiteRows.begins(text)) {
      try self.init(SQLiteRows(path, hints.limits).rows(of: hints.table), .sqlite, hints)
      return
    }
    try self.init(text, hints, name: path)
  }

  /// Reads a text.
  ///
  /// - Parameter name: The name of its file, which tells the format where the text doesn't.
  init(_ text: [UInt8], _ hints: Hints = Hints(), name: String = "") throws(RowFileFault) {
    if hints.table != nil { throw RowFileFault("it is no SQLite file, so --table says nothing.") }
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let format = hints.format ?? Self.format(ending: ending, text)
    let limits = hints.limits
    switch format {
    case .ndjson?: try self.init(JSONRows.lines(of: text, limits), .ndjson, hints)
    case .json?:
      guard let value = try JSONRows.value(in: text) else {
        if hints.format == .json {
          throw RowFileFault("several JSON values follow each other; that is --format ndjson.")
        }
        try self.init(JSONRows.lines(of: text, limits), .ndjson, hints)
        return
      }
      // One object with no list in it is one row.
      if hints.format == nil, hints.items == nil, value.kind == .object, RowPlace.find(in: value) == .none {
        try self.init(JSONRows.lines(of: value.compact, limits), .ndjson, hints)
        return
      }
      try self.init(JSONRows.list(in: value, text, at: hints.items, limits), .json, hints)
    case .csv?: try self.init(CSVRows.rows(of: text, limits), .csv, hints)
    case .tsv?: try self.init(CSVRows.rows(of: text, separator: UInt8(ascii: "\t"), limits), .tsv, hints)
    case .sqlite?: throw RowFileFault("it is no SQLite file.")
    case nil:
      throw RowFileFault(
        text.allSatisfy(isJSONWhitespace)
          ? "there is nothing in it." : "it looks like neither JSON, CSV nor SQLite; --format says what it is.")
    }
  }

  private init(_ rows: [JSONSlice], _ format: Format, _ hints: Hints) throws(RowFileFault) {
    self.format = format
    if let id = hints.id {
      identity = id
      self.rows = rows
      numbers = try Self.numbers(of: rows, id)
      isNumbered = false
      return
    }
    switch RowIdentity(of: rows) {
    case .path(let path), .likely(let path):
      identity = path
      self.rows = rows
      isNumbered = false
    case .none:
      let numbered = try Self.numbered(rows, hints.limits)
      identity = JSONPath(names: [numbered.name])
      self.rows = numbered.rows
      isNumbered = !rows.isEmpty
    }
    numbers = try Self.numbers(of: self.rows, identity)
  }

  /// What a text is by its first bytes, and by the ending of its file's name.
  private static func format(ending: String, _ text: [UInt8]) -> Format? {
    switch ending {
    case "ndjson", "jsonl": return .ndjson
    case "csv": return .csv
    case "tsv": return .tsv
    default: break
    }
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
    guard let first = start.first(where: { !isJSONWhitespace($0) }) else { return nil }
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") || ending == "json" { return .json }
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    if line.contains(UInt8(ascii: ",")) { return .csv }
    return line.contains(UInt8(ascii: "\t")) ? .tsv : nil
  }

  private static func numbers(of rows: [JSONSlice], _ path: JSONPath) throws(RowFileFault) -> [String: Int] {
    var numbers: [String: Int] = [:]
    numbers.reserveCapacity(rows.count)
    let name = printable(path.description, limit: 60)
    for (index, row) in rows.enumerated() {
      guard let id = path.value(in: row)?.scalarText, !id.isEmpty else {
        throw RowFileFault("row \(grouped(index + 1)) has no text and no number at \(name), where its ID is.")
      }
      if let other = numbers.updateValue(index, forKey: id) {
        throw RowFileFault(
          "rows \(grouped(other + 1)) and \(grouped(index + 1)) have the same ID, \(printable(id, limit: 60)), "
            + "at \(name)."
        )
      }
    }
    return numbers
  }

  /// The rows with a number in front, under a name that none of them has.
  private static func numbered(
    _ rows: [JSONSlice], _ limits: RowFileLimits
  ) throws(RowFileFault) -> (name: String, rows: [JSONSlice]) {
    let name = ["id", "_id", "rowid", "uuid"].first { name in rows.allSatisfy { $0.member(name) == nil } }
    guard let name else {
      throw RowFileFault("nothing in its rows tells them all apart; --id says what does.")
    }
    var buffer = RowBuffer(limits)
    for row in rows {
      let number = [(name: name, json: Array("\(buffer.count + 1)".utf8))]
      try buffer.append(
        number + row.members.map { ($0.name, $0.value.compact) }, origin: "row \(grouped(buffer.count + 1))")
    }
    return (name, try buffer.rows())
  }

  /// All bytes of a file, or its first ones where it is a database.
  private static func contents(
    of path: String, _ limits: RowFileLimits, isDatabase: Bool
  ) throws(RowFileFault) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw RowFileFault("it can't be opened: \(String(cString: strerror(errno))).") }
    defer { close(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw RowFileFault("it can't be read: \(String(cString: strerror(errno))).")
      }
      if count == 0 { return text }
      text += chunk[..<count]
      if isDatabase || SQLiteRows.begins(text) { return text }
      if text.count > limits.bytes { throw RowFileFault("it is larger than \(limits.bytes >> 20) MB.") }
    }
  }
}
