import Foundation
import LoadingHTTP
import Paging

extension PageConvention {
  /// A connection of GraphQL, asked for by POST.
  ///
  /// ```
  /// POST /graphql HTTP/1.1
  /// Content-Type: application/json
  ///
  /// { "query": "query($first: Int, $after: String, $last: Int, $before: String) { items(first: $first, …) { … } }",
  ///   "variables": { "first": 20, "after": "b3BhcXVl" } }
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "data": { "items": {
  ///     "edges": [ { "cursor": "…", "node": { … } } ],
  ///     "pageInfo": { "hasNextPage": true, "endCursor": "…", "hasPreviousPage": true, "startCursor": "…" } } } }
  /// ```
  ///
  /// The list ends where `hasNextPage` is false. The way back is `last` and `before`, which the query has to take for
  /// it; what a reply says of the side that it was not asked for means little, so there is always a way back behind a
  /// page that was reached by a key. A reply with `errors` fails whatever else it holds: as
  /// ``HTTPPageError/Code/refused``, or, where its words are those of ``keyRefusals``, as a bad key.
  ///
  /// Some servers' cursors are offsets in disguise; ``GraphQLCursors/offsets(prefix:)`` says what that is good for.
  /// Source: Relay's "GraphQL Cursor Connections Specification".
  ///
  /// - Parameters:
  ///   - query: The query, with variables for size and cursor.
  ///   - variables: The other variables.
  ///   - names: What the query calls its variables; default `first`, `after`, `last` and `before`.
  ///   - cursors: What the server's cursors are; default opaque.
  ///   - total: How many rows the whole list has; nil: not asked for.
  ///   - pageInfo: Where in a reply the page's own information is, as `\.data.items.pageInfo`.
  public static func graphQL(
    _ query: String, variables: [String: JSONValue] = [:], names: GraphQLVariables = GraphQLVariables(),
    cursors: GraphQLCursors = .opaque, total: (@Sendable (Response) -> Int?)? = nil,
    pageInfo: @escaping @Sendable (Response) -> GraphQLPageInfo
  ) -> PageConvention {
    var convention = PageConvention(keyKind: cursors.prefix == nil ? .cursor : .offset) { page, request in
      let sided = page.key.map(SidedCursor.init)
      if let sided { try cursors.refuseForeign(sided) }
      var all = variables
      if let sided, sided.isBefore {
        guard let last = names.last, let before = names.before else {
          throw PagingError(
            .invalidKey, message: "The key is one of the way back, for which the query has no variables.")
        }
        all[last] = .integer(page.loadSize)
        all[before] = .string(sided.cursor)
      } else {
        all[names.first] = .integer(page.loadSize)
        all[names.after] = sided.map { .string($0.cursor) }
      }
      request.post(["query": .string(query), "variables": .object(all)])
    } keys: { reply in
      try keys(
        pageInfo(reply.response), of: reply, canGoBack: names.last != nil && names.before != nil, cursors,
        total: total?(reply.response).flatMap(Total.init(counted:)))
    }
    convention.check = { reply, request, refusals in
      // Bytes first: a page without errors is not read twice.
      guard reply.body.range(of: Data(#""errors""#.utf8)) != nil,
        let errors = JSONValue(json: reply.body)?["errors"]?.elements, !errors.isEmpty
      else { return }
      var told = reply
      told.body = (["errors": .array(errors)] as JSONValue).json
      throw ReplyDiagnosis.refusal(inBodyOf: told, of: request, refusals)
    }
    if cursors.prefix != nil { convention.keyForIndex = { cursors.key(forIndex: $0) } }
    return convention
  }

  private static func keys(
    _ info: GraphQLPageInfo, of reply: PageReply<Response>, canGoBack: Bool, _ cursors: GraphQLCursors, total: Total?
  ) throws -> PageKeys {
    let asked = reply.request.key.map(SidedCursor.init)
    let isBack = asked?.isBefore ?? false
    if !isBack, info.hasNextPage, info.endCursor?.isEmpty ?? true {
      throw HTTPPageError(
        .unreadableNext,
        message: "The page says that there is a next one and gives no endCursor to ask for it with. "
          + "Does the query ask for pageInfo { hasNextPage endCursor }?", status: reply.http.status)
    }
    let start = try cursors.start(of: info, asked: asked, itemCount: reply.itemCount)
    var keys = PageKeys(itemsBefore: start, total: total)
    if isBack || info.hasNextPage { keys.next = SidedCursor.key(after: info.endCursor) }
    if canGoBack, isBack || asked == nil ? info.hasPreviousPage ?? false : true {
      keys.previous = SidedCursor.key(before: info.startCursor)
    }
    return keys
  }
}
