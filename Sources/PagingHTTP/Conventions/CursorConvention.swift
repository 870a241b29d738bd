import Paging

extension PageConvention {
  /// The body holds an opaque cursor, which goes back to the server as a query parameter, as with Slack, Notion and X.
  ///
  /// ```
  /// GET /items?cursor=b3Jk%2FZXI%2B HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "items": [ … rows … ], "next": "b3Jk/ZXI+Mg==" }
  /// ```
  ///
  /// The cursor arrives as the server gave it, whatever characters it has: it is percent-encoded here, once. The list
  /// ends where `next` gives nil or an empty text. The load size is sent only where `size` names a query parameter for
  /// it, and then with every request; a list URL that has this parameter already keeps its own.
  ///
  /// - Parameters:
  ///   - next: The next page's cursor, as `\.next`.
  ///   - previous: The previous page's cursor, for the same parameter; nil: this server gives none.
  ///   - parameter: The query parameter for a cursor.
  ///   - size: The query parameter for the load size, as `limit`; nil, the default: not sent.
  ///   - total: How many rows the whole list has; nil: the body does not say.
  public static func cursor(
    _ next: @escaping @Sendable (Response) -> String?, previous: (@Sendable (Response) -> String?)? = nil,
    parameter: String = "cursor", size: String? = nil, total: (@Sendable (Response) -> Int?)? = nil
  ) -> PageConvention {
    PageConvention(keyKind: .cursor) { page, request in
      if let key = page.key { request.setQuery(parameter, to: key.text) }
      if let size { request.setQueryIfAbsent(size, to: String(page.loadSize)) }
    } keys: { reply in
      PageKeys(
        previous: HTTPPageKey(cursor: previous?(reply.response)), next: HTTPPageKey(cursor: next(reply.response)),
        total: total?(reply.response).flatMap(Total.init(counted:)))
    }
  }
}
