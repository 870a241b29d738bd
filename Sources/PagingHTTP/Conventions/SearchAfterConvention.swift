import Foundation
import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// Elasticsearch and OpenSearch: `search_after`, over a point in time that every page renews.
  ///
  /// ```
  /// POST /feed/_pit?keep_alive=1m HTTP/1.1        →  { "id": "46ToAw==" }
  ///
  /// POST /_search HTTP/1.1
  ///
  /// { "size": 20, "query": { … }, "sort": [ … ], "pit": { "id": "46ToAw==", "keep_alive": "1m" },
  ///   "search_after": [ "2026-01-01T00:00:00Z", 4711 ] }
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "pit_id": "46ToAw==", "hits": { "total": { "value": 10000, "relation": "gte" },
  ///     "hits": [ { "_source": { … }, "sort": [ "2026-01-01T00:00:00Z", 4710 ] } ] } }
  /// ```
  ///
  /// The source's URL is that of the index, `https://example.com/feed`. A point in time is opened before the first
  /// page, and its newest name, which may change with every reply, is part of the next key. So a list is what it was
  /// when it was opened, and no row repeats or is missed; the server adds what breaks ties. The list ends at a page
  /// without hits. A point in time that was not renewed in time is an expired key. OpenSearch opens one at
  /// `_search/point_in_time`.
  ///
  /// - Parameters:
  ///   - query: The query; nil: everything.
  ///   - sort: The order, as `["created_at": "desc"]`, one element for each field.
  ///   - keepAlive: How long a point in time outlives its last page, in the server's units.
  ///   - openingPath: The path behind the index's at which a point in time is opened.
  public static func searchAfter<Item>(
    query: JSONValue? = nil, sort: [JSONValue] = ["_shard_doc"], keepAlive: String = "1m", openingPath: String = "_pit"
  ) -> PageConvention where Response == SearchPage<Item> {
    var convention = PageConvention(keyKind: .keyset) { (page: PageRequest, request: inout URLRequest) in
      guard let place = page.key.flatMap(SearchPlace.init) else {
        throw PagingError(.invalidKey, message: "The key is not one of a search. Refresh to start again.")
      }
      var body: JSONValue = [
        "size": .integer(page.loadSize), "sort": .array(sort),
        "pit": ["id": .string(place.pit), "keep_alive": .string(keepAlive)],
      ]
      body["query"] = query
      body["search_after"] = place.after
      // Names no index: a point in time has its own.
      request.url = request.url?.deletingLastPathComponent().appending(path: "_search")
      request.post(body)
    } keys: { (reply: PageReply<Response>) in
      let pit = reply.response.pit ?? reply.request.key.flatMap(SearchPlace.init)?.pit
      guard let pit else { return PageKeys() }
      guard let last = reply.response.lastSort else {
        if reply.itemCount == 0 { return PageKeys(total: reply.response.total) }
        throw HTTPPageError(
          .unreadableNext, message: "The last hit has no \"sort\" to go on from.", status: reply.http.status)
      }
      return PageKeys(
        next: SearchPlace(pit: pit, after: .array(last)).key, total: reply.response.total)
    }
    convention.opening = PageOpening { request in
      request.url = request.url?.appending(path: openingPath).settingQuery("keep_alive", to: keepAlive)
      request.httpMethod = "POST"
    } key: { reply in
      guard (200..<300).contains(reply.status) else {
        throw ReplyDiagnosis.refusal(reply, of: PageRequest(), KeyRefusals())
      }
      let body = JSONValue(json: reply.body)
      guard let pit = (body?["id"] ?? body?["pit_id"])?.text else {
        throw HTTPPageError(
          .missing, message: "The reply to the opening of a point in time has no \"id\".", status: reply.status)
      }
      return SearchPlace(pit: pit, after: nil).key
    }
    return convention
  }
}

/// A place in a search: the point in time, and the sort values of the hit before it.
private struct SearchPlace {
  var pit: String
  var after: JSONValue?

  init(pit: String, after: JSONValue?) {
    self.pit = pit
    self.after = after
  }

  init?(_ key: HTTPPageKey) {
    let value = JSONValue(json: Data(key.text.utf8))
    guard let pit = value?["pit"]?.text else { return nil }
    self.init(pit: pit, after: value?["after"])
  }

  var key: HTTPPageKey {
    var value: JSONValue = ["pit": .string(pit)]
    value["after"] = after
    return HTTPPageKey(String(decoding: value.json, as: UTF8.self))
  }
}

/// A page of hits.
public struct SearchPage<Item: Decodable & Sendable>: Decodable, Sendable {
  /// The rows: each hit's `_source`.
  public var items: [Item] { hits.hits.elements.map(\.source) }
  /// How many rows match: exact, or at least so many; nil: not counted.
  public var total: Total? {
    hits.total.flatMap { $0.relation == "gte" && $0.value >= 0 ? .atLeast($0.value) : Total(counted: $0.value) }
  }

  let pit: String?
  /// The sort values of the last hit, be it one that was passed over.
  var lastSort: [JSONValue]? { hits.lastSort }
  private let hits: Hits

  private enum CodingKeys: String, CodingKey {
    case hits
    case pit = "pit_id"
  }

  private struct Hits: Decodable {
    var hits: LenientArray<Hit>
    var total: Count?
    var lastSort: [JSONValue]?

    private enum CodingKeys: String, CodingKey { case hits, total }
    private struct Place: Decodable {
      var sort: [JSONValue]?
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      hits = try members.decode(LenientArray<Hit>.self, forKey: .hits)
      total = try members.decodeIfPresent(Count.self, forKey: .total)
      lastSort = try members.decode([Place].self, forKey: .hits).last?.sort
    }
  }
  private struct Hit: Decodable {
    var source: Item
    private enum CodingKeys: String, CodingKey { case source = "_source" }
  }
  private struct Count: Decodable {
    var value: Int
    var relation: String?
  }
}
