import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct FeedPage: Decodable, Sendable {
  struct Links: Decodable, Sendable { var next: URL? }
  var items: [PlainRow]?
  var data: [PlainRow]?
  var total: Int?
  var pages: Int?
  var next: String?
  var nextPage: String?
  var previousPage: String?
  var newer: String?
  var older: String?
  var hasMore: Bool?
  var links: Links?
  var rows: [PlainRow] { items ?? data ?? [] }
}

@Suite(
  .enabled(if: RealServer.Kind.fastapi.isInstalled, "fastapi-pagination is not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct FastAPITests {
  private enum Way: String, CaseIterable {
    case pages, limitOffset, cursor, pagesLinks, link, stripe, window, expiring
  }

  private func source(
    _ server: RealServer, _ path: String, _ convention: PageConvention<FeedPage>
  ) -> HTTPPageSource<PlainRow> {
    var config = HTTPPageSourceConfig()
    config.decoder = {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }
    return HTTPPageSource(
      server.url(path), convention: convention, config: config, transport: Shared.transport, items: \.rows)
  }

  private func source(_ way: Way, _ server: RealServer) -> HTTPPageSource<PlainRow> {
    switch way {
    case .pages: source(server, "/pages", .pageNumber(size: "size", pages: \.pages))
    case .limitOffset: source(server, "/limit-offset", .offset(total: \.total))
    case .cursor:
      // Its cursors come quoted already, so they are unquoted here and go back as the server means them.
      source(
        server, "/cursor",
        .cursor(
          { $0.nextPage?.removingPercentEncoding }, previous: { $0.previousPage?.removingPercentEncoding },
          size: "size",
          total: \.total))
    case .pagesLinks: source(server, "/pages-links", .nextURL(\.links?.next, size: "size", total: \.total))
    case .link:
      HTTPPageSource(
        server.url("/link"), convention: .linkHeader(size: "per_page"), transport: Shared.transport, of: PlainRow.self)
    case .stripe:
      source(
        server, "/stripe",
        .keyset(
          \.rows, key: { "\($0.id)" }, after: "starting_after", before: "ending_before", hasMore: \.hasMore))
    case .window:
      source(
        server, "/window",
        .window(
          .cursors(anchor: "around", before: "before", after: "after", previous: "newer", next: "older"),
          previous: \.newer, next: \.older))
    case .expiring: source(server, "/expiring", .cursor(\.next, size: "limit"))
    }
  }

  private func style(_ way: Way, _ server: RealServer) -> FeedStyle {
    let isCounted = [.pages, .limitOffset, .pagesLinks, .link].contains(way)
    return FeedStyle(
      way.rawValue, source(way, server), drift: isCounted ? .shifts : .none,
      cap: [.pages, .limitOffset, .cursor, .pagesLinks].contains(way) ? nil : 100,
      hasTotal: [.limitOffset, .cursor, .pagesLinks, .link].contains(way))
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.fastapi)
    for way in Way.allCases { try await FeedChecks.everyRowOnce(style(way, server), of: server) }
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.fastapi)
    // A row that names the next page must be there: the server refuses its ID once it is gone.
    for way in Way.allCases where way != .stripe { try await FeedChecks.drift(style(way, server), of: server) }
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.fastapi)
    for way in Way.allCases { try await FeedChecks.edges(style(way, server), of: server) }
  }

  @Test func H7_badKeysOfEachWay() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 50)
    #expect(await source(.cursor, server).code(key: "garbage!") == .invalidKey)
    #expect(await source(.expiring, server).code(key: "0.garbage") == .invalidKey)
    #expect(await source(.stripe, server).code(key: "999") == .invalidKey)
    #expect(await source(.pages, server).code(key: 0) == .invalidKey)
    let window = source(.window, server)
    #expect(await window.code(.refresh, key: window.key(around: 999)) == .itemNotFound)
    for (way, key) in [
      (Way.pages, HTTPPageKey(9)), (.limitOffset, 900), (.link, HTTPPageKey(server.url("/link?page=9"))),
    ] {
      let page = try await source(way, server).load(LoadParams(.append, key: key, loadSize: 20))
      #expect(page.items.isEmpty && page.nextKey == nil, "\(way)")
    }
  }

  @Test func H7_cursorsThatExpireInMidWalk() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 50)
    let source = source(.expiring, server)
    let first = try await source.first(size: 20)
    try await server.tell("expire")
    #expect(await source.code(key: first.nextKey) == .cursorExpired)
    #expect(try await source.walked(size: 20).joined().count == 50)
  }

  @Test func aDeletedRowNamesNoPage() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 50)
    let source = source(.stripe, server)
    let first = try await source.first(size: 20)
    try await server.tell("delete \(try #require(first.items.last).id)")
    #expect(await source.code(key: first.nextKey) == .invalidKey)
  }

  @Test func theWayBackOfEachKeyedWay() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 60)
    for way in [Way.cursor, .stripe, .window, .limitOffset] {
      let source = source(way, server)
      var page = try await source.first(size: 20)
      let start = page.items.map(\.id)
      page = try await source.load(LoadParams(.append, key: page.nextKey, loadSize: 20))
      let back = try await source.load(LoadParams(.prepend, key: page.previousKey, loadSize: 20))
      #expect(back.items.map(\.id) == start, "\(way)")
    }
  }

  @Test func aWindowAroundARow() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 60)
    let source = source(.window, server)
    var page = try await source.first(size: 10, key: source.key(around: 30))
    #expect(page.items.map(\.id) == Array((25...35).reversed()))
    var ids = page.items.map(\.id)
    let older = page.nextKey
    while let key = page.previousKey {
      page = try await source.load(LoadParams(.prepend, key: key, loadSize: 10))
      ids = page.items.map(\.id) + ids
    }
    ids += try await source.walked(from: older, size: 10).joined().map(\.id)
    #expect(ids == Array((1...60).reversed()))
  }

  @Test func idsFirst() async throws {
    struct IDs: Decodable, Sendable {
      var ids: [Int]
      var next: String?
    }
    let server = try await RealServers.shared.server(.fastapi, rows: 1000)
    let source = IDListPageSource<PlainRow>(
      idsAt: server.url("/ids"), convention: .cursor(\IDs.next, size: "limit"), ids: \IDs.ids,
      batches: IDBatches(server.url("/items"), limit: 100), transport: Shared.transport,
      items: { (batch: FeedPage) in batch.rows })
    let first = try await source.load(LoadParams(.refresh, loadSize: 50))
    #expect(first.items.map(\.id) == Array((951...1000).reversed()) && first.total == .exact(1000))
    // Rows that come and go do not touch a list whose IDs were read.
    try await server.tell("insert 5 top")
    try await server.tell("delete 950,949")
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 50))
    #expect(second.items.map(\.id) == Array((901...948).reversed()))
    #expect(try await source.items(pageSize: 500).collect(atMost: 2000).count == 1003)
  }

  @Test func newerThanARowAndHowMany() async throws {
    struct Count: Decodable { var count: Int }
    let server = try await RealServers.shared.server(.fastapi, rows: 60)
    let head = HeadConvention<PlainRow>.parameter("since_id", shortPageIsAll: true) { "\($0.id)" }
      .counting { item, _, request in
        request.url = server.url("/since/count?since_id=\(item.id)")
      } read: { reply in
        .exact(try JSONDecoder().decode(Count.self, from: reply.body).count)
      }
    let source = HTTPHeadSource(source(server, "/since", .cursor(\.next)), head: head)
    #expect(try await source.newer(than: PlainRow(id: 60), limit: 20).items.isEmpty)
    try await server.tell("insert 7 top")
    let newer = try await source.newer(than: PlainRow(id: 60), limit: 20)
    #expect(newer.items.map(\.id) == Array((61...67).reversed()) && newer.nextKey == nil && newer.previousKey == nil)
    let some = try await source.newer(than: PlainRow(id: 60), limit: 3)
    #expect(some.items.map(\.id) == [67, 66, 65] && some.nextKey != nil)
    #expect(try await source.countNewer(than: PlainRow(id: 60), limit: 99) == .exact(7))
    #expect(try await source.countNewer(than: PlainRow(id: 60), limit: 5) == .atLeast(5))
  }
}
