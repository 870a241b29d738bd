public import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// How a server is asked for what is newer than a row, and how many rows that is.
///
/// Rows are decoded as the list's own pages are.
public struct HeadConvention<Item: Sendable>: Sendable {
  /// Which of the newer rows come where there are more than were asked for.
  public struct End: Hashable, Sendable {
    private let name: String
    /// The newest ones, as by `since_id`: there may be rows between them and the row that was asked with.
    public static var newest: End { End(name: "newest") }
    /// The ones right in front of the row that was asked with, as by `min_id`: there may be newer ones still.
    public static var nearest: End { End(name: "nearest") }
  }

  struct Count: Sendable {
    let request: @Sendable (Item, Int, inout URLRequest) throws -> Void
    let read: @Sendable (HTTPReply) throws -> Total
  }

  let request: @Sendable (Item, Int, inout URLRequest) throws -> Void
  private let end: End
  private let shortPageIsAll: Bool
  var count: Count?

  /// A way of one's own.
  ///
  /// - Parameters:
  ///   - end: Which rows come where there are more than were asked for; newest first in any case.
  ///   - shortPageIsAll: Whether fewer rows than were asked for are all there are. Else only a page without rows says
  ///     that nothing is missing, since servers cap sizes silently.
  ///   - request: Makes the request out of the one for the list.
  public init(
    giving end: End = .newest, shortPageIsAll: Bool = false,
    request: @escaping @Sendable (_ item: Item, _ limit: Int, _ request: inout URLRequest) throws -> Void
  ) {
    self.request = request
    self.end = end
    self.shortPageIsAll = shortPageIsAll
  }

  /// A query parameter names the row, as `since_id` or `min_id`.
  ///
  /// ```
  /// GET /items?since_id=4711&limit=40 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// [ … rows newer than 4711, the newest first … ]
  /// ```
  ///
  /// - Parameters:
  ///   - name: The query parameter.
  ///   - size: The query parameter for the limit, in the place of one in the URL; nil: not sent.
  ///   - end: Which rows come where there are more than were asked for.
  ///   - shortPageIsAll: Whether fewer rows than were asked for are all there are.
  ///   - key: What names a row.
  public static func parameter(
    _ name: String, size: String? = "limit", giving end: End = .newest, shortPageIsAll: Bool = false,
    key: @escaping @Sendable (Item) -> String
  ) -> HeadConvention {
    HeadConvention(giving: end, shortPageIsAll: shortPageIsAll) { item, limit, request in
      request.setQuery(name, to: key(item))
      if let size { request.setQuery(size, to: String(limit)) }
    }
  }

  /// Records of Kinto that were changed after one, the latest first; counted by a HEAD.
  ///
  /// ```
  /// GET /v1/buckets/b/collections/c/records?_sort=-last_modified&gt_last_modified=1735689610000&_limit=40 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "data": [ … records changed since, the latest first … ] }
  ///
  /// HEAD /v1/buckets/b/collections/c/records?_sort=-last_modified&gt_last_modified=1735689610000 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  /// Total-Records: 3
  /// ```
  ///
  /// For lists that are sorted by `-last_modified`, where what was changed comes to the top.
  ///
  /// - Parameter lastModified: A record's `last_modified`.
  public static func kinto(lastModified: @escaping @Sendable (Item) -> Int) -> HeadConvention {
    let filter = { @Sendable (item: Item, request: inout URLRequest) in
      request.setQuery("gt_last_modified", to: String(lastModified(item)))
      request.setQuery("_sort", to: "-last_modified")
    }
    return HeadConvention { item, limit, request in
      filter(item, &request)
      request.setQuery("_limit", to: String(limit))
    }.counting { item, _, request in
      filter(item, &request)
      request.httpMethod = "HEAD"
    } read: { reply in
      guard let total = reply.totalByHeader else {
        throw HTTPPageError(.missing, message: "The reply to a HEAD has no Total-Objects.", status: reply.status)
      }
      return total
    }
  }

  /// This convention, for a server that can count what is newer without giving it.
  ///
  /// - Parameters:
  ///   - request: Makes the request out of the one for the list; it may go to another URL of the same origin.
  ///   - read: The number in a reply with a 2xx status.
  public func counting(
    request: @escaping @Sendable (_ item: Item, _ limit: Int, _ request: inout URLRequest) throws -> Void,
    read: @escaping @Sendable (HTTPReply) throws -> Total
  ) -> HeadConvention {
    var convention = self
    convention.count = Count(request: request, read: read)
    return convention
  }
}

extension HeadConvention where Item: Identifiable, Item.ID: Sendable {
  /// A page of newer rows with keys on the sides where there may be more of them.
  func placed(_ page: Page<HTTPPageKey, Item>, _ limit: Int) -> Page<HTTPPageKey, Item> {
    var page = page
    let isAll = page.items.isEmpty || (shortPageIsAll && page.items.count < limit)
    if isAll || end == .newest { page.previousKey = nil }
    if isAll || end == .nearest { page.nextKey = nil }
    page.itemsBefore = nil
    page.itemsAfter = nil
    return page
  }
}
