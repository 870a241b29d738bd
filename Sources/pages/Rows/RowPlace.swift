import PagingHTTP

/// Finds the rows in a reply that nobody described.
enum RowPlace {
  /// What was found.
  enum Finding: Hashable, Sendable {
    /// The rows are there; `isSure` unless the list is empty, and another may be the one.
    case found(JSONPath, isSure: Bool)
    /// Several lists could be the rows.
    case ambiguous([JSONPath])
    /// No list in it.
    case none
  }

  /// Looks for the rows: the bare array; else, level by level, a list under a known name, or the one list of objects.
  static func find(in body: JSONSlice) -> Finding {
    let value = body.abridged()
    guard let rows = RowFinder(value) else { return .none }
    // Of several that are empty, the first will do until there are rows.
    let isEmpty = value.value(at: rows.path)?.elements?.isEmpty ?? true
    if !isEmpty, !rows.others.isEmpty { return .ambiguous(([rows.path] + rows.others).map { JSONPath(names: $0) }) }
    return .found(JSONPath(names: rows.path), isSure: rows.isSure)
  }
}
