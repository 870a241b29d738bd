import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// The neighbours' URLs are in the document's `links`, as JSON:API has them.
  ///
  /// ```
  /// GET /items?page%5Bsize%5D=20 HTTP/1.1
  /// Accept: application/vnd.api+json
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "data": [ … rows … ],
  ///   "links": { "next": "https://example.com/items?page%5Bnumber%5D=2", "prev": null },
  ///   "meta": { "pagination": { "count": 214 } } }
  /// ```
  ///
  /// `Accept: application/vnd.api+json` is sent unless the source's headers ask for something else than JSON. A link is
  /// a URL or an object with an `href`. The list ends where `next` is missing, null or empty; one that can't be read is
  /// no end but ``HTTPPageError/Code/unreadableNext``. Source: JSON:API 1.1, "Pagination".
  ///
  /// - Parameters:
  ///   - links: The document's links, as `\.links`.
  ///   - size: The query parameter for the load size, as `page[size]`, sent with the first request unless the URL has
  ///     it.
  ///   - total: How many rows the whole list has, as `\.meta.pagination.count`: JSON:API names no place for it.
  public static func jsonAPI(
    _ links: @escaping @Sendable (Response) -> JSONAPILinks?, size: String? = "page[size]",
    total: (@Sendable (Response) -> Int?)? = nil
  ) -> PageConvention {
    var convention = followingURLs(size: size) { reply in
      let links = links(reply.response)
      return PageKeys(
        previous: try? reply.http.key(following: links?.previous), next: try reply.http.key(following: links?.next),
        total: total?(reply.response).flatMap(Total.init(counted:)))
    }
    let follow = convention.request
    convention.request = { page, request in
      try follow(page, &request)
      // What is sent where the source's headers say nothing; servers of JSON:API refuse it.
      if request.value(forHTTPHeaderField: "Accept") == "application/json" {
        request.setValue("application/vnd.api+json", forHTTPHeaderField: "Accept")
      }
    }
    return convention
  }
}

/// The links of a JSON:API document that matter to a list.
public struct JSONAPILinks: Hashable, Sendable {
  /// The next page's URL as it was written; nil: there is none.
  public var next: String?
  /// The previous page's URL as it was written; nil: there is none.
  public var previous: String?
}

extension JSONAPILinks: Decodable {
  private enum CodingKeys: String, CodingKey { case next, prev }

  private struct Link: Decodable {
    private struct Target: Decodable {
      var href: String
    }
    var text: String

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self.text = text
      } else {
        text = try Target(from: decoder).href
      }
    }
  }

  /// Reads both forms of a link; other links are passed over.
  public init(from decoder: any Decoder) throws {
    let links = try decoder.container(keyedBy: CodingKeys.self)
    next = try links.decodeIfPresent(Link.self, forKey: .next)?.text
    previous = try links.decodeIfPresent(Link.self, forKey: .prev)?.text
  }
}
