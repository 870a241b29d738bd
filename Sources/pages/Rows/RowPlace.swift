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

  /// Names under which servers keep rows, the likelier first.
  private static let known = [
    "items", "rows", "data", "results", "records", "entries", "posts", "value", "hits", "objects", "list", "content",
    "children", "edges", "nodes",
  ]
  /// Names of lists that are about the reply and not in it.
  private static let about: Set<String> = [
    "errors", "error", "warnings", "links", "_links", "facets", "facet_results", "suggested_facets", "included",
    "columns", "expanded_columns", "expandable_columns", "primary_keys", "messages",
  ]
  /// How many levels of objects are looked into.
  private static let depth = 4
  /// How many objects are looked into on one level.
  private static let width = 100

  /// Looks for the rows: the bare array; else, level by level, a list under a known name, or the one list of objects.
  static func find(in body: JSONSlice) -> Finding {
    if body.kind == .array { return .found(JSONPath(names: []), isSure: true) }
    var level: [(path: [String], value: JSONSlice)] = [([], body)]
    var empty: [JSONPath] = []
    for _ in 0..<depth {
      var lists: [(name: String, path: JSONPath, isEmpty: Bool, holdsObjects: Bool)] = []
      var deeper: [(path: [String], value: JSONSlice)] = []
      for (path, value) in level {
        for (name, member) in value.members where !about.contains(name) {
          if member.kind == .array {
            let first = member.elements.first { _ in true }
            lists.append((name, JSONPath(names: path + [name]), first == nil, first?.kind == .object))
          } else if member.kind == .object, deeper.count < width {
            deeper.append((path + [name], member))
          }
        }
      }
      for name in known {
        let candidates = lists.filter { $0.name == name && !$0.isEmpty }
        if let one = candidates.first, candidates.count == 1 { return .found(one.path, isSure: true) }
      }
      let filled = lists.filter(\.holdsObjects)
      if let one = filled.first, filled.count == 1 { return .found(one.path, isSure: true) }
      if filled.count > 1 { return .ambiguous(filled.map(\.path)) }
      empty += lists.filter { $0.isEmpty && known.contains($0.name) }.map(\.path)
      if empty.isEmpty, lists.count == 1, let one = lists.first, one.isEmpty { empty.append(one.path) }
      level = deeper
    }
    return empty.first.map { .found($0, isSure: false) } ?? .none
  }
}
