/// Reads rows out of JSON: a value a line, an array, or an object with a list in it.
enum JSONRows {
  /// The rows of a text with a JSON value a line (NDJSON); lines with nothing in them are passed over.
  static func lines(of text: [UInt8], _ limits: RowFileLimits) throws(RowFileFault) -> [JSONSlice] {
    var rows: [JSONSlice] = []
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let line = start..<end
      start = end + 1
      if text[line].allSatisfy(isJSONWhitespace) { continue }
      try limits.check(rows: rows.count + 1, bytes: line.count, at: line.lowerBound, in: text)
      let row: JSONSlice
      do throws(JSONFault) {
        row = try JSONSlice(checking: text, in: line)
      } catch {
        throw RowFileFault(error, in: text)
      }
      rows.append(try object(row, text))
    }
    return rows
  }

  /// The rows of a JSON value: the elements of an array, or those of the list in an object.
  ///
  /// - Parameter place: Where in the value the list is; nil: it is found.
  static func list(
    in value: JSONSlice, _ text: [UInt8], at place: JSONPath?, _ limits: RowFileLimits
  ) throws(RowFileFault) -> [JSONSlice] {
    let list: JSONSlice?
    if let place {
      list = place.value(in: value)
      guard list?.kind == .array else {
        throw RowFileFault("it has no list at \(printable(place.description)) (--items).")
      }
    } else {
      switch RowPlace.find(in: value) {
      case .found(let place, _): list = place.value(in: value)
      case .ambiguous(let places):
        let names = places.prefix(6).map { printable($0.description, limit: 60) }.joined(separator: ", ")
        throw RowFileFault("it has several lists: \(names). --items says which.")
      case .none:
        throw RowFileFault("it is a JSON value without a list of rows; --items says where one is.")
      }
    }
    var rows: [JSONSlice] = []
    guard let list else { return rows }
    for row in list.elements {
      try limits.check(rows: rows.count + 1, bytes: row.byteCount, at: row.offset, in: text)
      rows.append(try object(row, text))
    }
    return rows
  }

  /// The whole value in `text`; nil where more values follow, as in NDJSON.
  static func value(in text: [UInt8]) throws(RowFileFault) -> JSONSlice? {
    do throws(JSONFault) {
      return try JSONSlice(checking: text)
    } catch {
      if error.kind == .trailing { return nil }
      throw RowFileFault(error, in: text)
    }
  }

  private static func object(_ row: JSONSlice, _ text: [UInt8]) throws(RowFileFault) -> JSONSlice {
    guard row.kind == .object else {
      throw RowFileFault("a row must be an object and is \(words(row.kind))", at: row.offset, in: text)
    }
    return row
  }

  private static func words(_ kind: JSONSlice.Kind) -> String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}
