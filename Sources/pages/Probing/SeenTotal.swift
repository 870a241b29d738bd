import PagingHTTP

/// What a reply says of the number of rows in the whole list.
struct SeenTotal: Hashable, Sendable {
  /// The number, without marks.
  let count: Int
  /// Where it stands.
  let place: String
  /// As it was written, with what marks it as no exact number; nil where nothing does.
  let mark: String?

  /// A number that is said, as it stands.
  init(_ count: Int, at place: String, mark: String? = nil) {
    self.count = count
    self.place = place
    self.mark = mark
  }

  private static let names = [
    "total", "total_count", "totalCount", "total_results", "totalResults", "total_items", "totalItems", "total_records",
    "totalRecords", "totalElements", "total_elements", "totalSize", "numFound", "filtered_table_rows_count",
    "@odata.count", "count", "estimated_total", "total_estimate", "estimated_count", "approximate_total",
  ]
  private static let containers: Set<String> = [
    "meta", "pagination", "paging", "page_info", "pageInfo", "info", "page", "response_metadata", "hits", "data",
  ]

  /// What the body of a page with `rows` rows says; nil where it says nothing.
  ///
  /// A `count` that is the number of the page's own rows is taken for that.
  init?(in body: JSONValue, rows: Int) {
    var level: [(path: [String], value: JSONValue)] = [([], body)]
    for depth in 0..<4 {
      for (path, value) in level {
        for name in Self.names {
          guard let member = value[name], let found = Self.read(member) else { continue }
          if name == "count", found.count == rows { continue }
          let isDoubtful = name.contains("estimate") || name.contains("approximate")
          let marks = found.mark ?? (isDoubtful ? "\(name)" : Self.mark(beside: name, in: value))
          self.init(found.count, at: (path + [name]).joined(separator: "."), mark: marks)
          return
        }
      }
      level = level.flatMap { path, value in
        (value.members ?? [:]).sorted { $0.key < $1.key }.filter { member in
          // Below "data" a connection of GraphQL may have any name.
          member.value.members != nil && (Self.containers.contains(member.key) || path.first == "data" && depth < 3)
        }.map { (path + [$0.key], $0.value) }
      }
    }
    return nil
  }

  /// A number, a text that begins with one, or an object that holds both, as Elasticsearch has it.
  private static func read(_ value: JSONValue) -> (count: Int, mark: String?)? {
    if let number = value.integer { return number >= 0 ? (number, nil) : nil }
    if let inner = value["value"]?.integer, inner >= 0 {
      return (inner, value["relation"]?.text == "gte" ? "\(inner), relation gte" : nil)
    }
    guard case .string(let text) = value, text.count <= 40 else { return nil }
    let digits = text.filter(\.isNumber)
    guard let number = Int(digits) else { return nil }
    let isPlain = text.allSatisfy { $0.isNumber || $0 == "," || $0 == " " }
    return (number, isPlain ? nil : text)
  }

  /// A member beside the total that says that it is none to rely on.
  private static func mark(beside name: String, in value: JSONValue) -> String? {
    for (key, flag) in (value.members ?? [:]).sorted(by: { $0.key < $1.key }) where key != name {
      let lowered = key.lowercased()
      let isDoubt = ["estimat", "approx", "capped", "lower_bound"].contains { lowered.contains($0) }
      if isDoubt, flag == .bool(true) || lowered.hasSuffix("relation") { return "\(key) beside it" }
      if lowered.contains("exact"), flag == .bool(false) { return "\(key) is false" }
    }
    return nil
  }
}
