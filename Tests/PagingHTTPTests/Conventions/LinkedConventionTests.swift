import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The presets that follow URLs: Kinto, JSON:API, OData; and Datasette's cursor.
@Suite struct LinkedConventionTests {
  // MARK: - Kinto

  private static let records = "https://example.com/v1/buckets/b/collections/c/records"

  /// Three pages of Kinto; a HEAD counts, and `If-Match` with another ETag than the list's is refused.
  private func kinto(etag: @escaping @Sendable (Int) -> String = { _ in "\"7\"" }) -> StubTransport {
    StubTransport { request in
      let page = request.query("_token").flatMap { Int($0) } ?? 0
      if request.httpMethod == "HEAD" { return .stub(200, "", headers: ["Total-Objects": "5"], for: request) }
      if let tag = request.value(forHTTPHeaderField: "If-Match"), tag != etag(page) {
        return .stub(412, #"{"code":412,"message":"Resource was modified meanwhile"}"#, for: request)
      }
      var headers: HTTPHeaders = ["ETag": etag(page)]
      if page < 2 { headers.append("\(Self.records)?_limit=2&_token=\(page + 1)", for: "next-page") }
      let data = rows([page * 2, page * 2 + 1].filter { $0 < 5 })
      return .stub(200, "{\"data\":\(data)}", headers: headers, for: request)
    }
  }

  private func records(
    _ server: StubTransport, _ convention: PageConvention<KintoPage<Row>>
  ) throws -> HTTPPageSource<Row> {
    HTTPPageSource(
      try #require(URL(string: Self.records)), convention: convention, transport: server, items: \.items)
  }

  @Test func kintosHeaderIsFollowedAndAHeadCounts() async throws {
    let server = kinto()
    let source = try records(server, .kinto())
    let first = try await source.first(size: 2)
    #expect(first.total == .exact(5) && first.items == [Row(id: 0), Row(id: 1)])
    #expect(try await source.walked(size: 2).joined().map(\.id) == Array(0..<5))
    #expect(server.requests.filter { $0.urlRequest.httpMethod == "HEAD" }.count == 2)
    #expect(server.urls.contains("\(Self.records)?_limit=2"))
    #expect(server.requests.allSatisfy { $0.urlRequest.value(forHTTPHeaderField: "If-Match") == nil })
  }

  @Test func H10_aHeadThatFailsLeavesTheTotalUnknown() async throws {
    let server = StubTransport { request in
      request.httpMethod == "HEAD" ? .stub(500, "", for: request) : .stub(200, #"{"data":[]}"#, for: request)
    }
    #expect(try await records(server, .kinto()).first().total == nil)
  }

  @Test func H8_aChangeInMidWalkIsDetected() async throws {
    let steady = kinto()
    #expect(try await records(steady, .kinto().detectingChanges()).walked(size: 2).joined().count == 5)
    let conditions = steady.requests.map { $0.urlRequest.value(forHTTPHeaderField: "If-Match") }
    #expect(conditions.compactMap { $0 } == ["\"7\"", "\"7\""])

    let changing = try records(kinto { page in page < 2 ? "\"7\"" : "\"8\"" }, .kinto().detectingChanges())
    let second = try await changing.load(LoadParams(.append, key: try await changing.first().nextKey, loadSize: 2))
    #expect(await changing.code(key: second.nextKey) == .invalidated)
    // A refresh asks without condition, or a changed list could never be loaded again.
    #expect(try await changing.first(key: second.nextKey).items == [Row(id: 4)])
    // A 412 that was not asked for is a refusal like any other.
    let odd = StubTransport(412, "{}")
    let error = await #expect(throws: HTTPPageError.self) { try await records(odd, .kinto()).first() }
    #expect(error?.status == 412)
  }

  @Test func H8_theConditionComesThroughASavedKey() async throws {
    let source = try records(kinto(), .kinto().detectingChanges())
    let key = try #require(try await source.first().nextKey)
    let saved = try JSONEncoder().encode([key])
    let restored = try JSONDecoder().decode([HTTPPageKey].self, from: saved)
    #expect(restored == [key])
    #expect(key != HTTPPageKey(try #require(key.url)))
    for plain: HTTPPageKey in ["text", 7, HTTPPageKey(listURL)] {
      #expect(try JSONDecoder().decode([HTTPPageKey].self, from: JSONEncoder().encode([plain])) == [plain])
    }
  }

  @Test func H8_weakTagsAreOfNoUse() async throws {
    let server = kinto { _ in "W/\"7\"" }
    _ = try await records(server, .kinto().detectingChanges()).walked(size: 2)
    #expect(server.requests.allSatisfy { $0.urlRequest.value(forHTTPHeaderField: "If-Match") == nil })
  }

  @Test func H7_kintosWordsForABadToken() async throws {
    let body =
      #"{"code":400,"errno":107,"error":"Invalid parameters","message":"querystring: _token has invalid content"}"#
    #expect(await (try records(StubTransport(400, body), .kinto())).code(key: HTTPPageKey(listURL)) == .invalidKey)
  }

  // MARK: - JSON:API

  private struct Document: Decodable, Sendable {
    struct Meta: Decodable, Sendable {
      struct Pagination: Decodable, Sendable { var count: Int }
      var pagination: Pagination
    }
    var data: [Named]
    var links: JSONAPILinks?
    var meta: Meta?
  }

  private func document(_ body: String) async throws -> (Page<HTTPPageKey, Named>, StubTransport) {
    let server = StubTransport(200, body)
    let source = HTTPPageSource(
      listURL, convention: PageConvention<Document>.jsonAPI(\.links, total: \.meta?.pagination.count),
      transport: server,
      items: \.data)
    return (try await source.first(), server)
  }

  @Test func jsonAPILinksOfBothForms() async throws {
    let (page, server) = try await document(
      #"""
      {"links":{"first":"/f","next":"http://example.com/items?page%5Bnumber%5D=2&page%5Bsize%5D=3","prev":null},
       "data":[{"type":"items","id":"10000"}],"meta":{"pagination":{"page":1,"count":10000}}}
      """#)
    #expect(page.nextKey?.text == "http://example.com/items?page%5Bnumber%5D=2&page%5Bsize%5D=3")
    #expect(page.previousKey == nil && page.total == .exact(10000) && page.items == [Named(id: "10000")])
    #expect(server.urls == ["https://example.com/items?page%5Bsize%5D=3"])
    #expect(server.requests.first?.urlRequest.value(forHTTPHeaderField: "Accept") == "application/vnd.api+json")
    let (objects, _) = try await document(#"{"data":[],"links":{"next":{"href":"?n=2"},"prev":{"href":"?n=0"}}}"#)
    #expect(objects.nextKey?.text == "https://example.com/items?n=2")
    #expect(objects.previousKey?.text == "https://example.com/items?n=0")
    for end in [#"{"data":[]}"#, #"{"data":[],"links":{}}"#, #"{"data":[],"links":{"next":""}}"#] {
      #expect(try await document(end).0.nextKey == nil)
    }
  }

  // MARK: - OData

  @Test func odataLinksAndTheSameHeadersAgain() async throws {
    let server = StubTransport { request in
      let isSecond = request.query("$skiptoken") != nil
      return .stub(
        200,
        isSecond
          ? "{\"value\":\(rows([2]))}"
          : "{\"@odata.count\":3,\"value\":\(rows([0, 1])),\"@odata.nextLink\":\"https://example.com/items?$skiptoken=X\"}",
        for: request)
    }
    let config = HTTPPageSourceConfig(headers: ["ConsistencyLevel": "eventual"])
    let source = HTTPPageSource(
      listURL, convention: .oData(), config: config, transport: server, items: \ODataPage<Row>.items)
    #expect(try await source.first(size: 2).total == .exact(3))
    #expect(try await source.walked(size: 2).joined().map(\.id) == [0, 1, 2])
    for request in server.requests.map(\.urlRequest) {
      #expect(request.value(forHTTPHeaderField: "ConsistencyLevel") == "eventual")
      #expect(request.value(forHTTPHeaderField: "Prefer") == "odata.maxpagesize=2")
    }
  }

  @Test func ownPreferencesOfODataComeFirst() async throws {
    let server = StubTransport(200, #"{"value":[]}"#)
    let config = HTTPPageSourceConfig(headers: ["Prefer": "odata.maxpagesize=9"])
    for convention: PageConvention<ODataPage<Row>> in [.oData(), .oData(size: false)] {
      let source = HTTPPageSource(listURL, convention: convention, config: config, transport: server, items: \.items)
      _ = try await source.first()
    }
    let plain = HTTPPageSource(
      listURL, convention: .oData(size: false), transport: server, items: \ODataPage<Row>.items)
    _ = try await plain.first()
    #expect(
      server.requests.map { $0.urlRequest.value(forHTTPHeaderField: "Prefer") }
        == ["odata.maxpagesize=9", "odata.maxpagesize=9", nil])
  }

  // MARK: - Datasette

  @Test func datasettesCursorAndCap() async throws {
    let server = StubTransport { request in
      let start = request.query("_next").flatMap { Int($0) } ?? 0
      let next = start + 2 < 5 ? "\"\(start + 2)\"" : "null"
      return .stub(
        200,
        "{\"database\":\"feed\",\"rows\":\(rows(start..<min(5, start + 2))),\"truncated\":false,"
          + "\"filtered_table_rows_count\":5,\"next\":\(next)}", for: request)
    }
    let source = HTTPPageSource(listURL, convention: .datasette(), transport: server, items: \DatasettePage<Row>.items)
    let first = try await source.first(size: 5000)
    #expect(first.total == .exact(5) && first.nextKey == "2")
    #expect(server.urls == ["https://example.com/items?_shape=objects&_size=1000"])
    #expect(try await source.walked().joined().map(\.id) == Array(0..<5))
    #expect(server.urls.last == "https://example.com/items?_shape=objects&_size=3&_next=4")
  }

  // MARK: - Totals

  @Test func H10_bodiesAndHeadersCount() async throws {
    for (name, value, total) in [
      ("Total-Objects", "9", Total?.some(.exact(9))), ("Total-Records", "9", .exact(9)), ("X-Total", "9", .exact(9)),
      ("X-Pagination-Total-Count", "9", .exact(9)), ("Content-Range", "items 0-2/9", .exact(9)),
      ("Content-Range", "items */9", .exact(9)), ("Content-Range", "bytes 0-2/9", nil),
      ("Content-Range", "items 0-2/*", nil), ("Content-Range", "9", nil), ("Total-Objects", "-1", nil),
    ] {
      let server = StubTransport(200, #"{"items":[]}"#, headers: [name: value])
      let source = HTTPPageSource(listURL, convention: .cursor(\Feed.next), transport: server, items: \.items)
      #expect(try await source.first().total == total, "\(name): \(value)")
    }
    let counted = StubTransport(200, #"{"items":[],"total":4}"#)
    for convention: PageConvention<Feed> in [
      .cursor(\.next, total: \.total), .nextURL({ _ in nil }, total: \.total),
    ] {
      let source = HTTPPageSource(listURL, convention: convention, transport: counted, items: \.items)
      #expect(try await source.first().total == .exact(4))
    }
  }

  @Test func H10_aKnownPlaceAndAHeaderGiveTheRowsAfter() async throws {
    let server = StubTransport(200, rows([5, 6]), headers: ["X-Total-Count": "10"])
    let source = HTTPPageSource(listURL, convention: .offset(), transport: server, of: Row.self)
    let page = try await source.load(LoadParams(.append, key: 5, loadSize: 2))
    #expect(page.itemsBefore == 5 && page.itemsAfter == 3 && page.nextKey == 7)
  }

  @Test func H5_thePageCountEndsNumbers() async throws {
    struct Numbered: Decodable, Sendable {
      var items: [Row]
      var pages: Int
    }
    let server = StubTransport { request in
      let page = number("page", in: request) ?? 1
      return .stub(200, "{\"items\":\(rows([page])),\"pages\":3}", for: request)
    }
    let source = HTTPPageSource(
      listURL, convention: PageConvention<Numbered>.pageNumber(pages: \.pages), transport: server, items: \.items)
    #expect(try await source.walked().joined().map(\.id) == [1, 2, 3])
    let none = StubTransport(200, #"{"items":[],"pages":0}"#)
    let empty = HTTPPageSource(
      listURL, convention: PageConvention<Numbered>.pageNumber(pages: \.pages), transport: none, items: \.items)
    #expect(try await empty.walked().count == 1)
  }
}
