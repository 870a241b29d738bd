import LoadingHTTP
import Paging

extension PageConvention {
  /// A page is named by the row before it: by its ID, or by what the list is ordered by.
  ///
  /// ```
  /// GET /items?limit=20&starting_after=item_180 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "data": [ … rows … ], "has_more": true }
  /// ```
  ///
  /// | server | `after` | `before` | `hasMore` |
  /// |---|---|---|---|
  /// | Stripe | `starting_after` | `ending_before` | `\.hasMore` |
  /// | Mastodon, GitLab and others with newest rows first | `max_id` | `min_id` | none |
  /// | Shopify, older lists with oldest rows first | `since_id` | none | none |
  ///
  /// (Mastodon's favourites and bookmarks are named by IDs that their rows don't have: use ``linkHeader`` there.) The
  /// list ends where `hasMore` gives false, or, where it is nil or gives nil, at a page without rows. A server whose
  /// `max_id` includes its row needs a `key` that is one less. Rows that come or go make none repeat and none be
  /// missed, as long as the order is total; a server may refuse the key of a row that was deleted, as Stripe does with
  /// status 400 and the code `resource_missing`, which is thrown as ``/Paging/PagingError/Code/invalidKey``.
  ///
  /// The key of the rows before one is `<` and that row's key.
  ///
  /// - Parameters:
  ///   - rows: Where in a page the rows are, in list order.
  ///   - key: What names a row; an empty text can't.
  ///   - after: The query parameter for the rows behind one.
  ///   - before: The query parameter for the rows right in front of one; nil: there is no way back.
  ///   - size: The query parameter for the load size; nil: not sent.
  ///   - hasMore: Whether there is more on the side that was asked for; nil: the body does not say.
  public static func keyset<Item>(
    _ rows: @escaping @Sendable (Response) -> [Item], key: @escaping @Sendable (Item) -> String,
    after: String, before: String? = nil, size: String? = "limit",
    hasMore: (@Sendable (Response) -> Bool?)? = nil
  ) -> PageConvention {
    var convention = PageConvention(keyKind: .keyset) { page, request in
      if let sided = page.key.map(SidedCursor.init) {
        guard let parameter = sided.isBefore ? before : after else {
          throw PagingError(.invalidKey, message: "The key is one of the way back, which this convention doesn't have.")
        }
        request.setQuery(parameter, to: sided.cursor)
      }
      if let size { request.setQueryIfAbsent(size, to: String(page.loadSize)) }
    } keys: { reply in
      let rows = rows(reply.response)
      let isBack = reply.request.key.map { SidedCursor($0).isBefore } ?? false
      let goesOn = hasMore?(reply.response) ?? (reply.itemCount > 0)
      if goesOn && rows.isEmpty {
        throw HTTPPageError(
          .unreadableNext,
          message: "The page has no row to go on from and says that there is more. Go on from a cursor of the server's "
            + "where it gives one.", status: reply.http.status)
      }
      var keys = PageKeys()
      if isBack || goesOn { keys.next = SidedCursor.key(after: rows.last.map(key)) }
      if before != nil, isBack ? goesOn : reply.request.key != nil {
        keys.previous = SidedCursor.key(before: rows.first.map(key))
      }
      return keys
    }
    convention.keyRefusals.invalidWords.append("resource_missing")
    return convention
  }
}
