/// Rows as they are wanted, where their server wraps them in something.
enum RowShape {
  /// The rows in `list`, which stands at `path` in `body`.
  ///
  /// - The edges of a connection of GraphQL become their nodes.
  /// - Rows that are arrays, beside which their columns are named, become objects with those names, as Datasette gives
  ///   them when it is asked for nothing else.
  static func rows(in list: JSONSlice, at path: JSONPath, of body: JSONSlice) -> [JSONSlice] {
    let rows = Array(list.elements)
    if path.names.last == "edges" {
      let nodes = rows.compactMap { $0.member("node") }
      if nodes.count == rows.count { return nodes.filter { $0.kind != .null } }
    }
    guard !rows.isEmpty, rows.allSatisfy({ $0.kind == .array }), let columns = columns(beside: path, of: body) else {
      return rows
    }
    let objects = rows.compactMap { object(columns, Array($0.elements)) }
    return objects.count == rows.count ? objects : rows
  }

  /// The names of the columns, each in its quotes.
  private static func columns(beside path: JSONPath, of body: JSONSlice) -> [[UInt8]]? {
    guard !path.names.isEmpty,
      let list = JSONPath(names: path.names.dropLast() + ["columns"]).value(in: body), list.kind == .array
    else { return nil }
    let names = Array(list.elements)
    guard !names.isEmpty, names.allSatisfy({ $0.kind == .string }) else { return nil }
    return names.map(\.compact)
  }

  private static func object(_ columns: [[UInt8]], _ values: [JSONSlice]) -> JSONSlice? {
    guard columns.count == values.count else { return nil }
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (name, value) in zip(columns, values) {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += name
      text.append(UInt8(ascii: ":"))
      text += value.compact
    }
    text.append(UInt8(ascii: "}"))
    return try? JSONSlice(checking: text)
  }
}
