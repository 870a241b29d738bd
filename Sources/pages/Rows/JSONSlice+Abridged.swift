import PagingHTTP

extension JSONSlice {
  /// The value, of each list its first and last element only, and nothing below `depth` levels: enough to tell how a
  /// server pages and where its rows are, whatever the size of the page.
  func abridged(depth: Int = 8) -> JSONValue {
    switch kind {
    case .null: .null
    case .bool: .bool(isTrue)
    case .string: .string(scalarText ?? "")
    case .number: integer.map { .integer($0) } ?? .number(scalarText.flatMap { Double($0) } ?? 0)
    case .array: .array(depth > 0 ? ends.map { $0.abridged(depth: depth - 1) } : [])
    case .object:
      .object(
        Dictionary(depth > 0 ? members.map { ($0.name, $0.value.abridged(depth: depth - 1)) } : []) { first, _ in first
        })
    }
  }

  /// The first and the last element of an array, or its only one.
  private var ends: [JSONSlice] {
    var ends: [JSONSlice] = []
    for element in elements {
      if ends.count == 2 { ends.removeLast() }
      ends.append(element)
    }
    return ends
  }
}
