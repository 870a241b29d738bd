import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Lists that open around a row, and lists that give IDs first.
@Suite struct WindowConventionTests {
  private struct Chat: Decodable, Sendable {
    var messages: [Row]
    var foundOldest: Bool?
    var foundNewest: Bool?
    var newer: String?
    var older: String?
  }

  /// Messages 1 to 20, oldest first, as Zulip gives them.
  private func zulip() -> StubTransport {
    StubTransport { request in
      let anchor = request.query("anchor") == "newest" ? 20 : number("anchor", in: request) ?? 0
      let includes = request.query("include_anchor") != "false"
      let before = (1..<anchor).suffix(number("num_before", in: request) ?? 0)
      let after = ((anchor + 1)..<max(anchor + 1, 21)).prefix(number("num_after", in: request) ?? 0)
      let ids = before + (includes ? [anchor] : []) + after
      return .stub(
        200,
        "{\"messages\":\(rows(ids)),\"foundOldest\":\((ids.first ?? 1) <= 1),\"foundNewest\":\((ids.last ?? 20) >= 20)}",
        for: request)
    }
  }

  private func chat(_ server: StubTransport) -> HTTPPageSource<Row> {
    HTTPPageSource(
      listURL,
      convention: PageConvention<Chat>.window(
        WindowParameters(start: "newest"),
        previous: { $0.foundOldest == true ? nil : $0.messages.first.map { "\($0.id)" } },
        next: { $0.foundNewest == true ? nil : $0.messages.last.map { "\($0.id)" } }),
      transport: server, items: \.messages)
  }

  @Test func theWindowAndThePagesOnBothSides() async throws {
    let server = zulip()
    let source = chat(server)
    let window = try await source.first(size: 4, key: source.key(around: 10))
    #expect(window.items.map(\.id) == [8, 9, 10, 11, 12] && window.previousKey == "<8" && window.nextKey == "12")
    #expect(server.urls == ["https://example.com/items?anchor=10&num_before=2&num_after=2"])
    let older = try await source.load(LoadParams(.prepend, key: "<8", loadSize: 4))
    #expect(older.items.map(\.id) == [4, 5, 6, 7])
    let newer = try await source.load(LoadParams(.append, key: "12", loadSize: 4))
    #expect(newer.items.map(\.id) == [13, 14, 15, 16])
    #expect(
      server.urls.suffix(2) == [
        "https://example.com/items?anchor=8&num_before=4&num_after=0&include_anchor=false",
        "https://example.com/items?anchor=12&num_before=0&num_after=4&include_anchor=false",
      ])
    #expect(try await source.load(LoadParams(.prepend, key: "<4", loadSize: 9)).previousKey == nil)
    #expect(try await source.load(LoadParams(.append, key: "16", loadSize: 9)).nextKey == nil)
  }

  @Test func itOpensWhereTheServerSays() async throws {
    let page = try await chat(zulip()).first(size: 4)
    #expect(page.items.map(\.id) == [18, 19, 20] && page.nextKey == nil && page.previousKey == "<18")
  }

  @Test func cursorsOnBothSides() async throws {
    let server = StubTransport(200, #"{"messages":[{"id":5}],"newer":"n=1","older":""}"#)
    let source = HTTPPageSource(
      listURL,
      convention: PageConvention<Chat>.window(
        .cursors(anchor: "around", before: "before", after: "after", previous: "newer", next: "older"),
        previous: \.newer, next: \.older), transport: server, items: \.messages)
    let page = try await source.first(size: 6)
    #expect(page.previousKey == "<n=1" && page.nextKey == nil)
    _ = try await source.first(size: 6, key: source.key(around: 5))
    _ = try await source.load(LoadParams(.prepend, key: "<n=1", loadSize: 6))
    _ = try await source.load(LoadParams(.append, key: "o", loadSize: 6))
    #expect(
      server.urls == [
        "https://example.com/items?limit=6", "https://example.com/items?around=5&before=3&after=3",
        "https://example.com/items?newer=n%3D1&limit=6", "https://example.com/items?older=o&limit=6",
      ])
  }

  @Test func H7_aRowThatIsGone() async throws {
    let gone = chat(StubTransport(404, #"{"detail":{"code":"anchor_not_found","id":999999}}"#))
    #expect(await gone.code(.refresh, key: gone.key(around: 999_999)) == .itemNotFound)
    for key: HTTPPageKey? in [nil, "12", "<8"] {
      await #expect(throws: HTTPPageError.self) { try await gone.load(LoadParams(.append, key: key, loadSize: 3)) }
    }
  }

  // MARK: - IDs first

  private struct IDs: Decodable, Sendable {
    var ids: [Int]
    var next: String?
  }
  private struct Batch: Decodable, Sendable { var items: [Row] }

  @Test func idsFirstThenBatches() async throws {
    // Items come by their IDs, in another order than was asked, without 4.
    let server = StubTransport { request in
      if request.url?.path() == "/ids" {
        let start = number("cursor", in: request) ?? 0
        let ids = (start..<min(10, start + 4)).map { 9 - $0 }
        let next = start + 4 < 10 ? ",\"next\":\"\(start + 4)\"" : ""
        return .stub(200, "{\"ids\":[\(ids.map(String.init).joined(separator: ","))]\(next)}", for: request)
      }
      let wanted = request.query("ids")?.split(separator: ",").compactMap { Int($0) } ?? []
      return .stub(200, "{\"items\":\(rows(wanted.sorted().filter { $0 != 4 }))}", for: request)
    }
    let config = HTTPPageSourceConfig(headers: ["Authorization": "secret"])
    let source = IDListPageSource<Row>(
      idsAt: try #require(URL(string: "https://example.com/ids")), convention: .cursor(\.next, size: "limit"),
      idsPerPage: 4, ids: \IDs.ids, batches: IDBatches(listURL, limit: 3), config: config, transport: server,
      items: \Batch.items)
    let found = try await source.items(pageSize: 50).collect(atMost: 100).map(\.id)
    #expect(found == [9, 8, 7, 6, 5, 3, 2, 1, 0])
    let batches = server.urls.filter { $0.contains("/items") }
    #expect(batches.first == "https://example.com/items?ids=9%2C8%2C7" && batches.count == 4)
    #expect(server.requests.allSatisfy { $0.urlRequest.value(forHTTPHeaderField: "Authorization") == "secret" })
    #expect(server.urls.filter { $0.contains("/ids") }.count == 3)
  }

  @Test func aWholeListOfIDsIsOneRequest() async throws {
    let server = StubTransport { request in
      .stub(200, request.url?.path() == "/ids" ? #"{"ids":[]}"# : "{}", for: request)
    }
    let source = IDListPageSource<Row>(
      idsAt: try #require(URL(string: "https://example.com/ids")), ids: \IDs.ids, batches: IDBatches(listURL),
      transport: server, items: \Batch.items)
    #expect(try await source.items().collect(atMost: 10).isEmpty)
    #expect(server.urls == ["https://example.com/ids"])
  }
}
