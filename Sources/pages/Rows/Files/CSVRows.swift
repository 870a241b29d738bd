/// Reads rows out of comma-separated values: the first record names the columns.
///
/// A column whose every value is a number as JSON writes it (so not 007) is one of numbers, one of nothing but true and
/// false is that, and all others are texts. A field with nothing in it, not even quotes, is null.
enum CSVRows {
  private enum Column {
    case number, bool, text
  }

  /// The rows of `text`, whose fields `separator` parts.
  static func rows(
    of text: [UInt8], separator: UInt8 = UInt8(ascii: ","), _ limits: RowFileLimits
  ) throws(RowFileFault) -> [JSONSlice] {
    var records = CSVRecords(text, separator: separator)
    guard let header = try records.next() else { throw RowFileFault("there is nothing in it.") }
    let names = try self.names(header, text, records.start)
    var columns = [Column?](repeating: nil, count: names.count)
    var count = 0
    while let record = try records.next() {
      count += 1
      try limits.check(rows: count, bytes: 0, at: records.start, in: text)
      guard record.count == names.count else {
        throw RowFileFault(
          "the record has \(record.count) fields and the header \(names.count)", at: records.start, in: text)
      }
      for (index, field) in record.enumerated() where columns[index] != .text && !isNothing(field) {
        let column = self.column(of: field)
        columns[index] = columns[index] == nil || columns[index] == column ? column : .text
      }
    }
    return try written(text, separator, names, columns, limits)
  }

  private static func written(
    _ text: [UInt8], _ separator: UInt8, _ names: [String], _ columns: [Column?], _ limits: RowFileLimits
  ) throws(RowFileFault) -> [JSONSlice] {
    var records = CSVRecords(text, separator: separator)
    var buffer = RowBuffer(limits)
    _ = try records.next()
    while let record = try records.next() {
      let members = zip(names, zip(record, columns)).map { name, cell in
        (name: name, json: json(cell.0, as: cell.1 ?? .text))
      }
      try buffer.append(members, origin: "row \(grouped(buffer.count + 1))")
    }
    return try buffer.rows()
  }

  private static func names(
    _ header: [CSVRecords.Field], _ text: [UInt8], _ start: Int
  ) throws(RowFileFault) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for (index, field) in header.enumerated() {
      let name = String(decoding: field.bytes, as: UTF8.self)
      if name.isEmpty {
        throw RowFileFault("column \(index + 1) has no name; the first line names the columns", at: start, in: text)
      }
      guard seen.insert(name).inserted else {
        throw RowFileFault("two columns are called '\(printable(name, limit: 60))'", at: start, in: text)
      }
      names.append(name)
    }
    return names
  }

  private static func isNothing(_ field: CSVRecords.Field) -> Bool { field.bytes.isEmpty && !field.isQuoted }

  private static func column(of field: CSVRecords.Field) -> Column {
    guard let first = field.bytes.first else { return .text }
    switch first {
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      return field.bytes.elementsEqual("true".utf8) || field.bytes.elementsEqual("false".utf8) ? .bool : .text
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let last = field.bytes.last, !isJSONWhitespace(last) else { return .text }
      return (try? JSONSlice(checking: field.bytes))?.kind == .number ? .number : .text
    default: return .text
    }
  }

  private static func json(_ field: CSVRecords.Field, as column: Column) -> [UInt8] {
    if isNothing(field) { return Array("null".utf8) }
    return column == .text ? Array(jsonString(String(decoding: field.bytes, as: UTF8.self)).utf8) : field.bytes
  }
}
