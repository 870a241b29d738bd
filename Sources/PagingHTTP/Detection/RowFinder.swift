/// Finds the rows in a reply that nobody described.
package struct RowFinder {
  /// Where the rows are, member by member; empty for a bare array.
  package let path: [String]
  /// Whether there are rows, so that another list can't be the one.
  package let isSure: Bool
  /// Other lists that could be the rows.
  package let others: [[String]]

  /// Names under which servers keep rows, the likelier first.
  private static let known = [
    "items", "rows", "data", "results", "records", "entries", "posts", "value", "hits", "objects", "list", "content",
    "children", "edges", "nodes", "Items", "events", "messages", "ids", "keys",
  ]
  /// Names of lists that are about the reply and not in it.
  private static let about: Set<String> = [
    "errors", "error", "warnings", "links", "_links", "facets", "facet_results", "suggested_facets", "included",
    "columns", "expanded_columns", "expandable_columns", "primary_keys", "sort",
  ]
  /// How many levels of objects are looked into, and how many objects on each.
  private static let depth = 4
  private static let width = 100

  private struct List {
    var path: [String]
    var elements: [JSONValue]
    var holdsObjects: Bool { elements.first?.members != nil }
    var isKnown: Bool { path.last.map(RowFinder.known.contains) ?? false }
  }

  /// Looks level by level for a list under a known name, or else for the one list of objects; nil where there is none.
  package init?(_ body: JSONValue) {
    if let rows = body.elements {
      self.init(path: [], isSure: !rows.isEmpty)
      return
    }
    var level: [(path: [String], value: JSONValue)] = [([], body)]
    var empty: [List] = []
    for _ in 0..<Self.depth {
      let (lists, deeper) = Self.look(into: level)
      let filled = lists.filter { !$0.elements.isEmpty }
      let byName = Self.known.lazy.compactMap { name in filled.only { $0.path.last == name } }.first
      if let one = byName ?? filled.only(where: \.holdsObjects) {
        self.init(path: one.path, isSure: true)
        return
      }
      let rivals = filled.filter(\.holdsObjects).map(\.path)
      if let first = rivals.first {
        self.init(path: first, isSure: false, others: Array(rivals.dropFirst()))
        return
      }
      empty += lists.filter { $0.elements.isEmpty && ($0.isKnown || lists.count == 1) }
      level = deeper
    }
    guard let one = empty.first else { return nil }
    self.init(path: one.path, isSure: false, others: empty.dropFirst().map(\.path))
  }

  private init(path: [String], isSure: Bool, others: [[String]] = []) {
    self.path = path
    self.isSure = isSure
    self.others = others
  }

  private static func look(
    into level: [(path: [String], value: JSONValue)]
  ) -> (lists: [List], deeper: [(path: [String], value: JSONValue)]) {
    var lists: [List] = []
    var deeper: [(path: [String], value: JSONValue)] = []
    for (path, value) in level {
      // By name, since objects keep no order and the same reply must give the same finding.
      for (name, member) in (value.members ?? [:]).sorted(by: { $0.key < $1.key }) where !about.contains(name) {
        if let elements = member.elements {
          lists.append(List(path: path + [name], elements: elements))
        } else if member.members != nil, deeper.count < width {
          deeper.append((path + [name], member))
        }
      }
    }
    return (lists, deeper)
  }
}

extension Array {
  /// The one element for which this holds; nil where there are several, or none.
  fileprivate func only(where holds: (Element) -> Bool) -> Element? {
    let found = filter(holds)
    return found.count == 1 ? found.first : nil
  }
}
