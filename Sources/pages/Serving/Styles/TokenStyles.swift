import Foundation

/// Styles whose size and token may stand in the body of a request.
extension ServedStyle {
  static let tokens: [ServedStyle] = [
    ServedStyle(
      path: "/aws", words: "As AWS has it: NextToken, MaxResults; in the query, or in the JSON of a POST.",
      example: "/aws", curl: "--data '{\"MaxResults\": 20}' ", methods: ["GET", "HEAD", "POST"]
    ) { service, request, _ throws(Refusal) in
      let members = try body(of: request)
      func text(_ name: String) -> String? { members?.member(name)?.scalarText ?? request.query[name] }
      let cut = service.cut(
        try service.cursor(text("NextToken")), size: try service.size(text("MaxResults")), sort: service.sort(request))
      return service.reply(
        .object([
          "Items": try service.rows(cut.rows, request), "Count": JSONText(cut.rows.count),
          "NextToken": JSONText(cut.next?.text),
        ]))
    },
    ServedStyle(
      path: "/graphql",
      words:
        "A Relay connection \"items\": first and after, last and before, in the variables or the query of a\nGET or a "
        + "POST. Every edge has its cursor and its whole row as the node, whatever was selected.",
      example: "/graphql?first=20", methods: ["GET", "HEAD", "POST"]
    ) { service, request, _ throws(Refusal) in
      // A refusal is a reply with errors, as servers of GraphQL give them.
      do throws(Refusal) {
        return try connection(&service, request)
      } catch {
        guard case .bytes(let bytes) = error.reply.body, let words = try? JSONSlice(checking: bytes) else {
          throw error
        }
        let code = words.member("code")?.string ?? "refused"
        return service.reply(
          .object([
            "errors": .array([
              .object([
                "message": JSONText(words.member("error")?.string ?? "refused"),
                "extensions": .object(["code": JSONText(code)]),
              ])
            ]), "data": JSONText(nil as String?),
          ]))
      }
    },
  ]

  private static func connection(_ service: inout ListService, _ request: ServedRequest) throws(Refusal) -> ServedReply
  {
    let arguments = GraphQLArguments(request, try body(of: request))
    let isBack = arguments["last"] != nil
    if isBack, arguments["first"] != nil {
      throw Refusal(400, "first and last can't both be asked for", code: "invalid_size")
    }
    let size = try service.size(arguments[isBack ? "last" : "first"])
    let side: ServedCursor.Side = isBack ? .before : .after
    let row = try service.cursor(arguments[isBack ? "before" : "after"])?.row
    let cut = service.cut(ServedCursor(side, row), size: size, sort: service.sort(request))
    func cursor(_ number: Int) -> JSONText { JSONText(ServedCursor(.after, number).text) }
    let edges = try service.rows(cut.rows, request) { number, row in .object(["cursor": cursor(number), "node": row]) }
    return service.reply(
      .object([
        "data": .object([
          "items": .object([
            "edges": edges,
            "pageInfo": .object([
              "hasNextPage": JSONText(cut.hasNext), "hasPreviousPage": JSONText(cut.hasPrevious),
              "startCursor": cut.rows.first.map(cursor) ?? JSONText(nil as String?),
              "endCursor": cut.rows.last.map(cursor) ?? JSONText(nil as String?),
            ]), "totalCount": JSONText(cut.count),
          ])
        ])
      ]))
  }

  /// The JSON object in a request's body; nil where it has none.
  fileprivate static func body(of request: ServedRequest) throws(Refusal) -> JSONSlice? {
    guard !request.body.isEmpty else { return nil }
    guard let body = try? JSONSlice(checking: request.body), body.kind == .object else {
      throw Refusal(400, "the body is not a JSON object", code: "invalid_body")
    }
    return body
  }
}

/// What a connection is asked for: by variables, by parameters of the URL, or in the text of the query itself.
private struct GraphQLArguments {
  private let request: ServedRequest
  private let variables: JSONSlice?
  private let query: String

  init(_ request: ServedRequest, _ body: JSONSlice?) {
    self.request = request
    let inURL = request.query["variables"].flatMap { try? JSONSlice(checking: Array($0.utf8)) }
    variables = body?.member("variables") ?? inURL
    query = body?.member("query")?.string ?? request.query["query"] ?? ""
  }

  /// The argument of that name; nil where there is none, or it is null.
  subscript(name: String) -> String? {
    if let value = variables?.member(name) { return value.scalarText }
    return request.query[name] ?? literal(name)
  }

  /// A number or text that follows the name and a colon in the query.
  private func literal(_ name: String) -> String? {
    var rest = query[...]
    while let found = rest.range(of: name) {
      let before = rest[..<found.lowerBound].last
      let after = rest[found.upperBound...].drop { $0.isWhitespace }
      rest = rest[found.upperBound...]
      guard before.map({ !$0.isLetter && $0 != "$" && $0 != "_" }) ?? true, after.first == ":" else { continue }
      let value = after.dropFirst().drop { $0.isWhitespace }
      if value.first == "\"" { return String(value.dropFirst().prefix { $0 != "\"" }) }
      let digits = value.prefix { $0.isNumber || $0 == "-" }
      if !digits.isEmpty { return String(digits) }
    }
    return nil
  }
}
