import Foundation
import LoadingHTTP
import PagingHTTP

/// What `walk` and `browse` have in common: which list, and how its server pages.
struct ListOptions: Sendable {
  /// The options, for a command's table.
  static let table: [CommandTable.Option] = [
    .init("convention", "NAME", "auto, link, next-url, cursor, last-id, page or offset"),
    .init("items", "PATH", "where the rows are, as data.posts or /data/posts"),
    .init("id", "PATH", "what tells a row from others"),
    .init("next", "PATH", "where the next cursor or URL is; implies that convention"),
    .init("param", "NAME", "parameter of a cursor (implied), ID, page or offset"),
    .init("query", "TEXT", "GraphQL: POST this query, which takes $after"),
    .init("first", "N", "number of the first page (1)"),
    .init("page-size", "N", "rows to ask for in a page"),
    .init("size-param", "NAME", "query parameter of the page size"),
    .init("header", "'N: V'", "send a header; is never printed", repeats: true),
    .init("allow-origin", "URL", "follow links there too, with the headers", repeats: true),
  ]

  /// How a server pages.
  enum Convention: String, CaseIterable, Sendable {
    case auto, link, nextURL = "next-url", cursor, lastID = "last-id", page, offset
  }

  let url: URL
  let convention: Convention
  let items: JSONPath?
  let id: JSONPath?
  let pageSize: Int
  let config: HTTPPageSourceConfig
  /// The query of GraphQL that is posted; nil: the URL is asked by GET.
  var query: String?
  /// Where what leads on is; nil: that is found.
  let next: JSONPath?
  /// What it goes back under; nil: that is found.
  let parameter: String?
  private let sizeParameter: String?
  private let first: Int

  /// Reads the options of a command whose operand is the list's URL.
  init(_ arguments: Arguments) throws(UsageError) {
    let table = arguments.table
    var url = try ListURL(arguments.operand ?? "", for: table).url
    let name = try arguments.choice("convention", of: Convention.allCases.map(\.rawValue)) ?? "auto"
    let convention = Convention(rawValue: name) ?? .auto
    try Self.checkWay(arguments, convention)
    let size = try arguments.number("page-size", in: 1...1_000_000)
    let takesSize = convention == .page || convention == .offset
    let sizeParameter = arguments.text("size-param")
    if let size, let sizeParameter, !takesSize { url = url.settingQuery(sizeParameter, to: String(size)) }
    let query = arguments.text("query")
    if let query {
      if name != "auto" {
        throw UsageError(
          "--query and --convention don't go together: a query of GraphQL has its own.",
          line: "\(arguments.call) --query \(shellQuoted(query))")
      }
      guard query.contains("$after") else {
        throw UsageError(
          "--query must take the cursor in a variable $after.",
          line: "\(arguments.call) --query '\(Self.exampleQuery)'")
      }
    }
    if size != nil, sizeParameter == nil, !takesSize, query == nil, !Self.isGraphQL(url) {
      throw UsageError(
        "--page-size needs --size-param, the query parameter that this server takes it in.",
        line: "\(arguments.call) --page-size 100 --size-param per_page")
    }
    if let size, takesSize, let parameter = sizeParameter ?? Self.sizeParameter(of: convention) {
      url = url.settingQuery(parameter, to: String(size))
    }
    self.url = url
    self.convention = convention
    self.sizeParameter = sizeParameter
    items = arguments.text("items").map { JSONPath($0) }
    id = arguments.text("id").map { JSONPath($0) }
    next = arguments.text("next").map { JSONPath($0) }
    parameter = arguments.text("param")
    first = try arguments.number("first", in: 0...Int.max) ?? 1
    pageSize = size ?? 100
    config = try Self.config(arguments)
    self.query = query
  }

  private static func config(_ arguments: Arguments) throws(UsageError) -> HTTPPageSourceConfig {
    var headers: HTTPHeaders = [:]
    for text in arguments.texts("header") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = parts.first, !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
        !parts[1].unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F })
      else {
        // The value may be a secret and is not repeated.
        throw UsageError(
          "--header is a name, a colon and a value.", line: "\(arguments.call) --header 'Name: value'")
      }
      headers.append(parts[1].trimmingCharacters(in: .whitespaces), for: String(name))
    }
    // What some servers give instead is JSON too, under a name of its own.
    if headers["Accept"] == nil { headers.append("application/json, application/*;q=0.9, */*;q=0.1", for: "Accept") }
    var config = HTTPPageSourceConfig(headers: headers)
    for text in arguments.texts("allow-origin") {
      config.allowedOrigins.append(try ListURL(text, for: arguments.table).url)
    }
    return config
  }

  /// Refuses what says a way on that the way to page doesn't take.
  private static func checkWay(_ arguments: Arguments, _ convention: Convention) throws(UsageError) {
    let asksByQuery = arguments.has("query")
    let way = asksByQuery ? "--query" : "--convention \(convention.rawValue)"
    if let next = arguments.text("next"), asksByQuery || [.link, .lastID, .page, .offset].contains(convention) {
      throw UsageError(
        "--next says where a cursor or URL is, and \(way) takes neither.",
        line: "\(arguments.call) --next \(shellQuoted(printable(next)))")
    }
    if let parameter = arguments.text("param"), asksByQuery || [.link, .nextURL].contains(convention) {
      throw UsageError(
        "--param names the parameter of a key, and \(way) has none.",
        line: "\(arguments.call) --param \(shellQuoted(printable(parameter)))")
    }
  }

  private static func sizeParameter(of convention: Convention) -> String? {
    switch convention {
    case .page: "per_page"
    case .offset: "limit"
    default: nil
    }
  }

  private static let exampleQuery =
    "query($first: Int, $after: String) { items(first: $first, after: $after) "
    + "{ edges { node { id } } pageInfo { hasNextPage endCursor } } }"

  /// Whether the server is to be asked for its lists first: its URL is named as those of GraphQL are, and holds no
  /// query.
  var needsSchema: Bool {
    convention == .auto && query == nil && url.queryValue("query") == nil && Self.isGraphQL(url)
  }

  private static func isGraphQL(_ url: URL) -> Bool { url.lastPathComponent.lowercased() == "graphql" }

  /// The convention, over replies whose rows are cut out.
  ///
  /// - Parameters:
  ///   - member: What finds the way on in a body.
  ///   - settled: The parameter that proved to be taken, where none is named.
  func pageConvention(
    _ member: NextMemberFinder, settled: @escaping @Sendable () -> String?
  ) -> PageConvention<RowDocument> {
    switch convention {
    case .auto where query != nil:
      .graphQL(query ?? "", names: GraphQLVariables(last: nil, before: nil), pageInfo: Self.pageInfo)
    case .auto: .found(Self.look, parameter: parameter ?? settled(), next: next?.names) { $0.body.abridged() }
    case .link: .linkHeader
    case .nextURL: .nextLink { document in member.text(in: document.body) }
    case .cursor:
      .cursor({ document in member.text(in: document.body) }, parameter: parameter ?? "cursor", size: nil)
    case .lastID:
      .keyset(
        { $0.rows }, key: { [id] in Self.text(of: $0, at: id ?? JSONPath("id")) },
        after: parameter ?? "starting_after", size: nil, hasMore: Self.hasMore)
    case .page: .pageNumber(parameter ?? "page", size: sizeParameter ?? "per_page", first: first)
    case .offset: .offset(parameter ?? "offset", limit: sizeParameter ?? "limit")
    }
  }

  /// What names a row for the server; an empty text where nothing does.
  private static func text(of row: RawRow, at path: JSONPath) -> String {
    (try? JSONSlice(checking: row.line)).flatMap { path.value(in: $0)?.scalarText } ?? ""
  }

  /// Whether a page says that there is more; nil where it says nothing of it.
  private static func hasMore(_ document: RowDocument) -> Bool? {
    for name in ["has_more", "hasMore"] {
      if let flag = document.body.member(name), flag.kind == .bool { return flag.isTrue }
    }
    return nil
  }

  private static let look = PageLook<RowDocument> { document, path in
    JSONPath(names: path).value(in: document.body)?.scalarText
  } json: { document, path in
    JSONPath(names: path).value(in: document.body).map { String(decoding: $0.compact, as: UTF8.self) }
  }

  /// What a page of a connection says of its place; that it is the last, where it says nothing.
  private static func pageInfo(of document: RowDocument) -> GraphQLPageInfo {
    let body = document.body.abridged()
    let info = DetectedConvention.pageInfo(in: body).flatMap { body.value(at: $0) }
    return GraphQLPageInfo(
      hasNextPage: info?["hasNextPage"] == .bool(true), endCursor: info?["endCursor"]?.text)
  }

  /// What finds the way on in a body; nil for conventions that don't look there.
  var nextMember: NextMemberFinder {
    NextMemberFinder(
      named: next,
      usual: convention == .cursor || convention == .auto && parameter != nil
        ? NextMemberFinder.cursors : NextMemberFinder.urls)
  }
}

/// Whether `byte` may stand in a header's name (RFC 9110, section 5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
