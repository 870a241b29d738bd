import PagingHTTP

/// Why a server of GraphQL can't be walked by its URL alone.
enum SchemaFault: Error, Sendable, CustomStringConvertible {
  /// What it answered is no schema.
  case notGraphQL
  /// It has no list that pages.
  case noLists
  /// It has several lists, of different things.
  case severalLists([GraphQLLists.List])

  var description: String {
    switch self {
    case .notGraphQL:
      "its URL ends as one of GraphQL, and it does not tell its schema: --query says what to ask it for."
    case .noLists:
      "its schema has no list that pages (a field with edges and pageInfo, which takes an after): --query says what to "
        + "ask."
    case .severalLists(let lists):
      "it has several lists: \(lists.prefix(8).map { printable($0.name, limit: 60) }.joined(separator: ", "))."
    }
  }

  /// A query for each of the lists that could be meant.
  var queries: [String] {
    if case .severalLists(let lists) = self { lists.prefix(8).map { printable($0.query, limit: 2000) } } else { [] }
  }
}
