import LoadingHTTP
import Paging

extension PageConvention {
  /// The next page's URL is a header's whole value.
  ///
  /// ```
  /// GET /items HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  /// Next-Page: https://example.com/items?_token=eyJsYXN0
  ///
  /// { "data": [ … rows … ] }
  /// ```
  ///
  /// The list ends where the header is missing or empty. There is no way back.
  ///
  /// - Parameters:
  ///   - name: The header; case doesn't matter.
  ///   - size: The query parameter for the load size, sent with the first request unless the URL has it; nil: not sent.
  public static func nextPageHeader(_ name: String = "Next-Page", size: String? = nil) -> PageConvention {
    followingURLs(size: size) { reply in
      PageKeys(next: try reply.http.key(following: reply.http.headers[name]))
    }
  }

  /// Records of Kinto.
  ///
  /// ```
  /// GET /v1/buckets/b/collections/c/records?_limit=20 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  /// ETag: "1735689610000"
  /// Next-Page: https://example.com/v1/buckets/b/collections/c/records?_limit=20&_token=eyJsYXN0
  ///
  /// { "data": [ … records … ] }
  /// ```
  ///
  /// The total is asked for by a HEAD, since Kinto gives it nowhere else. The order is the URL's (`_sort`); Kinto makes
  /// it total, so records that come or go make none repeat and none be missed. With ``detectingChanges()`` a walk that
  /// must see one state of the list ends when it changes. The server's cap on the load size is silent.
  ///
  /// - Parameter size: The query parameter for the load size; nil: not sent.
  public static func kinto(size: String? = "_limit") -> PageConvention {
    nextPageHeader("Next-Page", size: size).countingByHead()
  }
}
