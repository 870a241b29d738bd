public import Foundation
import LoadingHTTP
import Paging

extension PageConvention {
  /// The neighbours' URLs are in the body, as Django REST, JSON:API and OData give them.
  ///
  /// ```
  /// GET /items HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "results": [ … rows … ], "next": "https://example.com/items?page=2", "previous": null }
  /// ```
  ///
  /// Relative URLs are resolved against the reply's own; the list ends where `next` gives nil. The load size is sent
  /// only where `size` names a query parameter for it, and then with the first request: links are followed as they
  /// stand. A list URL that has this parameter already keeps its own.
  ///
  /// - Parameters:
  ///   - next: The next page's URL, as `\.next`.
  ///   - previous: The previous page's URL; nil: this server gives none.
  ///   - size: The query parameter for the load size; nil, the default: not sent.
  ///   - total: How many rows the whole list has, as `\.count`; nil: the body does not say.
  public static func nextURL(
    _ next: @escaping @Sendable (Response) -> URL?, previous: (@Sendable (Response) -> URL?)? = nil,
    size: String? = nil, total: (@Sendable (Response) -> Int?)? = nil
  ) -> PageConvention {
    followingURLs(size: size) { reply in
      PageKeys(
        previous: try? reply.http.key(following: previous?(reply.response)?.relativeString),
        next: try reply.http.key(following: next(reply.response)?.relativeString),
        total: total?(reply.response).flatMap(Total.init(counted:)))
    }
  }

  /// As ``nextURL(_:previous:size:total:)``, for replies that are not decoded into URLs: the next page's as it was
  /// written.
  package static func nextLink(_ next: @escaping @Sendable (Response) -> String?) -> PageConvention {
    followingURLs(size: nil) { reply in PageKeys(next: try reply.http.key(following: next(reply.response))) }
  }

  /// A convention whose keys are whole URLs, followed as they stand.
  static func followingURLs(
    size: String?, keys: @escaping @Sendable (PageReply<Response>) throws -> PageKeys
  ) -> PageConvention {
    PageConvention(keyKind: KeyKind(rawValue: "url")) { page, request in
      if let key = page.key {
        try request.follow(key)
      } else if let size {
        request.setQueryIfAbsent(size, to: String(page.loadSize))
      }
    } keys: { reply in
      try keys(reply)
    }
  }
}
