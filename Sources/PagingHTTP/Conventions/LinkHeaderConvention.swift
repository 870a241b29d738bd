import Paging

extension PageConvention {
  /// The neighbours' URLs are in the reply's `Link` header, as GitHub, GitLab, Mastodon, Shopify and Datasette give
  /// them.
  ///
  /// ```
  /// GET /items HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  /// Link: </items?page=2>; rel="next", </items?page=9>; rel="last"
  ///
  /// [ … rows … ]
  /// ```
  ///
  /// `next` and, for the way back, `prev` or `previous` are followed as they stand; the list ends where there is none.
  /// The load size is not sent: how many rows a page has is the server's choice, or in the URL.
  /// Source: RFC 8288.
  public static var linkHeader: PageConvention { linkHeader(sizeParameter: nil) }

  /// As ``linkHeader``, and the first request has the load size as the query parameter `size`, as `per_page`.
  ///
  /// A URL that has this parameter already keeps its own. Links are followed as they stand: servers put the size into
  /// them.
  public static func linkHeader(size: String) -> PageConvention { linkHeader(sizeParameter: size) }

  private static func linkHeader(sizeParameter: String?) -> PageConvention {
    followingURLs(size: sizeParameter) { reply in
      PageKeys(
        previous: (reply.http.link("prev") ?? reply.http.link("previous")).map { HTTPPageKey($0) },
        next: reply.http.link("next").map { HTTPPageKey($0) })
    }
  }
}
