public import Foundation
public import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// How a server is asked for what has changed, and how it tells.
public struct ChangeLogConvention<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let request: @Sendable (String?, Int, inout URLRequest) throws -> Void
  let read: @Sendable (HTTPReply, JSONDecoder, String?) throws -> ChangeLogPage<Item>
  let refusals: KeyRefusals
  let pageSize: Int

  /// A way of one's own.
  ///
  /// - Parameters:
  ///   - pageSize: How many changes to ask for at once, at least 1.
  ///   - refusals: By what a refusal says that the server does not know a token any more.
  ///   - request: Makes the request for the changes since a token; nil: nothing was applied yet.
  ///   - read: The changes in a reply with a 2xx status.
  public init(
    pageSize: Int = 100, refusals: KeyRefusals = .standard,
    request: @escaping @Sendable (_ token: String?, _ size: Int, _ request: inout URLRequest) throws -> Void,
    read:
      @escaping @Sendable (
        _ reply: HTTPReply, _ decoder: JSONDecoder, _ token: String?
      ) throws -> ChangeLogPage<Item>
  ) {
    self.request = request
    self.read = read
    self.refusals = refusals
    self.pageSize = max(1, pageSize)
  }

  /// Goes on at a URL, or asks the list's URL with `query` for what came after a moment.
  fileprivate static func follow(
    _ token: String?, _ request: inout URLRequest, first: (String?, inout URLRequest) throws -> Void
  ) throws {
    guard let token, WebOrigin.isAbsolute(token) else { return try first(token, &request) }
    try request.follow(HTTPPageKey(token))
  }
}

extension ChangeLogConvention where Item: Decodable, Item.ID: Decodable {
  /// Records of Kinto: `_since`, and tombstones.
  ///
  /// ```
  /// GET /v1/buckets/b/collections/c/records?_sort=last_modified&_since=%221735689610000%22 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  /// ETag: "1735689612000"
  ///
  /// { "data": [ { … record … }, { "id": "item-7", "last_modified": 1735689612000, "deleted": true } ] }
  /// ```
  ///
  /// The token is the `ETag`, and on the way through several pages the next page's URL. The URL's own filters hold for
  /// changes too, so a record that stops matching them is not told as deleted: leave them out here.
  ///
  /// - Parameters:
  ///   - type: The type of a record.
  ///   - pageSize: How many changes to ask for at once; the server's cap is silent.
  public static func kinto(of type: Item.Type = Item.self, pageSize: Int = 100) -> ChangeLogConvention {
    var refusals = KeyRefusals.standard
    refusals.invalidWords.append("since in querystring")
    return ChangeLogConvention(pageSize: pageSize, refusals: refusals) { token, size, request in
      try follow(token, &request) { since, request in
        request.setQuery("_sort", to: "last_modified")
        request.setQuery("_limit", to: String(size))
        if let since { request.setQuery("_since", to: since) }
      }
    } read: { reply, decoder, token in
      let rows = try decoder.decode(KintoPage<KintoChange<Item>>.self, from: reply.body).items
      let next = try reply.key(following: reply.headers["Next-Page"])
      let moment = rows.last.map { "\"\($0.lastModified)\"" }
      return ChangeLogPage(
        upserts: rows.compactMap(\.item), deletions: rows.filter { $0.item == nil }.map(\.id),
        nextToken: next?.text ?? moment ?? (token == nil ? reply.headers["ETag"] : nil), hasMore: next != nil)
    }
  }

  /// OData's deltas, as Microsoft Graph gives them: `@odata.deltaLink`, and rows that are `@removed`.
  ///
  /// ```
  /// GET /users/delta HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "value": [ { … row … }, { "@removed": { "reason": "deleted" }, "id": "u7" } ],
  ///   "@odata.deltaLink": "https://example.com/users/delta?$deltatoken=X" }
  /// ```
  ///
  /// Tokens are the links themselves. A link that the server doesn't know any more is answered with 410, and then
  /// everything is to be loaded again. Source: OData 4.01, "Requesting Changes".
  ///
  /// - Parameter type: The type of a row.
  public static func oData(of type: Item.Type = Item.self) -> ChangeLogConvention {
    ChangeLogConvention { token, _, request in
      try follow(token, &request) { token, _ in
        if token != nil { throw PagingError(.invalidKey, message: "The token is not a link, as OData's are.") }
      }
    } read: { reply, decoder, _ in
      let page = try decoder.decode(ODataPage<ODataChange<Item>>.self, from: reply.body)
      let link = try reply.key(following: page.nextLink ?? page.deltaLink)
      return ChangeLogPage(
        upserts: page.items.compactMap(\.item), deletions: page.items.filter { $0.item == nil }.map(\.id),
        nextToken: link?.text, hasMore: page.nextLink != nil)
    }
  }
}

/// A page of Kinto's records.
public struct KintoPage<Item: Decodable & Sendable>: Decodable, Sendable {
  /// The records.
  public var items: [Item] { data.elements }
  private let data: LenientArray<Item>
}

/// A record, or the tombstone of one.
private struct KintoChange<Item: Identifiable & Decodable & Sendable>: Decodable, Sendable
where Item.ID: Decodable & Sendable {
  let id: Item.ID
  let lastModified: Int
  /// Nil: it was deleted.
  let item: Item?

  private enum CodingKeys: String, CodingKey {
    case id, deleted
    case lastModified = "last_modified"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    lastModified = try members.decode(Int.self, forKey: .lastModified)
    if try members.decodeIfPresent(Bool.self, forKey: .deleted) ?? false {
      id = try members.decode(Item.ID.self, forKey: .id)
      item = nil
    } else {
      let item = try Item(from: decoder)
      id = item.id
      self.item = item
    }
  }
}

/// A row, or what is left of one.
private struct ODataChange<Item: Identifiable & Decodable & Sendable>: Decodable, Sendable
where Item.ID: Decodable & Sendable {
  let id: Item.ID
  /// Nil: it was removed.
  let item: Item?

  private enum CodingKeys: String, CodingKey {
    case id
    case removed = "@removed"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if members.contains(.removed) {
      id = try members.decode(Item.ID.self, forKey: .id)
      item = nil
    } else {
      let item = try Item(from: decoder)
      id = item.id
      self.item = item
    }
  }
}
