import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// Pages of OData, as Microsoft Graph, Dynamics and SAP give them.
  ///
  /// ```
  /// GET /items?$count=true HTTP/1.1
  /// Prefer: odata.maxpagesize=20
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "@odata.count": 214, "value": [ … rows … ],
  ///   "@odata.nextLink": "https://example.com/items?$skiptoken=X" }
  /// ```
  ///
  /// The link is followed as it stands, with the same headers, and the list ends where there is none. The load size is
  /// a preference of the client's, which a server may pass over. The total comes where the URL asks for it by
  /// `$count=true`. Source: OData 4.01, "Server-Driven Paging".
  ///
  /// - Parameter size: Whether the load size is sent; a `Prefer` header of the source's configuration comes first.
  public static func oData<Item>(size: Bool = true) -> PageConvention where Response == ODataPage<Item> {
    var convention = followingURLs(size: nil) { (reply: PageReply<Response>) in
      PageKeys(
        next: try reply.http.key(following: reply.response.nextLink),
        total: reply.response.count.flatMap(Total.init(counted:)))
    }
    if size {
      let follow = convention.request
      convention.request = { page, request in
        try follow(page, &request)
        if request.value(forHTTPHeaderField: "Prefer") == nil {
          request.setValue("odata.maxpagesize=\(page.loadSize)", forHTTPHeaderField: "Prefer")
        }
      }
    }
    return convention
  }
}

/// A page of OData.
public struct ODataPage<Item: Decodable & Sendable>: Decodable, Sendable {
  /// The rows.
  public var items: [Item] { value.elements }
  /// How many rows the list has; nil: it was not asked for.
  public let count: Int?
  /// Where the next page is; nil: this is the last.
  public let nextLink: String?
  /// Where to ask later for what has changed; on the last page of a list that was asked for by delta, else nil.
  public let deltaLink: String?
  private let value: LenientArray<Item>

  private enum CodingKeys: String, CodingKey {
    case value
    case count = "@odata.count"
    case nextLink = "@odata.nextLink"
    case deltaLink = "@odata.deltaLink"
  }
}
