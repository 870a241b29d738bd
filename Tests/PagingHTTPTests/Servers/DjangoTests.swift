import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

private struct Results: Decodable, Sendable {
  var results: [PlainRow]
  var next: URL?
  var previous: URL?
  var count: Int?
}

private struct Document: Decodable, Sendable {
  struct Entry: Numbered, Decodable {
    var id: String
    var number: Int { Int(id) ?? -1 }
  }
  struct Meta: Decodable, Sendable {
    struct Pagination: Decodable, Sendable { var count: Int }
    var pagination: Pagination
  }
  var data: [Entry]
  var links: JSONAPILinks
  var meta: Meta
}

@Suite(
  .enabled(if: RealServer.Kind.django.isInstalled, "Django is not installed"), .serialized, .timeLimit(.minutes(10)))
struct DjangoTests {
  private enum Way: String, CaseIterable {
    case pageLinks, pageNumbers, offsetLinks, offsets, idCursor, scoreCursor, jsonAPI, jsonAPIOffset
  }

  private func results(_ url: URL, _ convention: PageConvention<Results>) -> HTTPPageSource<PlainRow> {
    HTTPPageSource(url, convention: convention, transport: Shared.transport, items: \.results)
  }

  private func style(_ way: Way, _ server: RealServer) -> FeedStyle {
    switch way {
    case .pageLinks:
      FeedStyle(
        "page, links",
        results(server.url("/page/"), .nextURL(\.next, previous: \.previous, size: "page_size", total: \.count)),
        drift: .shifts, cap: 100, hasTotal: true)
    case .pageNumbers:
      FeedStyle(
        "page, numbers", results(server.url("/page/"), .pageNumber(size: "page_size")), drift: .shifts, cap: 100,
        pagesOf200: 3, hasTotal: false)
    case .offsetLinks:
      FeedStyle(
        "offset, links", results(server.url("/offset/"), .nextURL(\.next, size: "limit", total: \.count)),
        drift: .shifts, cap: 100, hasTotal: true)
    case .offsets:
      FeedStyle(
        "offset", results(server.url("/offset/"), .offset(total: \.count)), drift: .shifts, cap: 100, hasTotal: true)
    case .idCursor:
      FeedStyle(
        "cursor by id", results(server.url("/cursor-id/"), .nextURL(\.next, size: "page_size")), drift: .none, cap: 100,
        hasTotal: false)
    case .scoreCursor:
      FeedStyle(
        "cursor by score", results(server.url("/cursor-score/"), .nextURL(\.next, size: "page_size")), drift: .none,
        cap: 100, hasTotal: false)
    case .jsonAPI, .jsonAPIOffset:
      FeedStyle(
        way.rawValue,
        HTTPPageSource(
          server.url(way == .jsonAPI ? "/jsonapi/" : "/jsonapi-offset/"),
          convention: PageConvention<Document>.jsonAPI(
            \.links, size: way == .jsonAPI ? "page[size]" : "page[limit]", total: \.meta.pagination.count),
          transport: Shared.transport, items: \.data),
        drift: .shifts, cap: 100, hasTotal: true)
    }
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.django)
    for way in Way.allCases where way != .scoreCursor {
      try await FeedChecks.everyRowOnce(style(way, server), of: server)
    }
    // In the order of the score, ties by the larger ID.
    let ids = try await style(.scoreCursor, server).walked(size: 100).joined().map(\.id)
    #expect(ids.count == 10_000 && Set(ids).count == 10_000)
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.django)
    for way in Way.allCases where way != .scoreCursor { try await FeedChecks.drift(style(way, server), of: server) }
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.django)
    for way in Way.allCases where way != .scoreCursor { try await FeedChecks.edges(style(way, server), of: server) }
  }

  @Test func H7_badCursorsAndPagesBeyondTheEnd() async throws {
    let server = try await RealServers.shared.server(.django, rows: 45)
    let cursor = style(.idCursor, server)
    #expect(await cursor.code(key: HTTPPageKey(server.url("/cursor-id/?cursor=garbage"))) == .invalidKey)
    let numbers = style(.pageNumbers, server)
    let beyond = try await numbers.load(LoadParams(.append, key: 9, loadSize: 20))
    #expect(beyond.items.isEmpty && beyond.nextKey == nil && beyond.previousKey == 8)
    let offset = try await style(.offsets, server).load(LoadParams(.append, key: 900, loadSize: 20))
    #expect(offset.items.isEmpty && offset.nextKey == nil)
    let lost = await #expect(throws: HTTPPageError.self) {
      try await style(.pageLinks, server).load(
        LoadParams(.append, key: HTTPPageKey(server.url("/page/?page=9")), loadSize: 20))
    }
    #expect(lost?.status == 404 && lost?.message.contains("Invalid page") == true)
    // A list that becomes shorter while its numbers are read ends there.
    try await server.tell("rows 20")
    #expect(try await numbers.load(LoadParams(.append, key: 2, loadSize: 20)).nextKey == nil)
  }

  @Test func aBrokenCursorIsAServersErrorInHTML() async throws {
    let server = try await RealServers.shared.server(.django, rows: 45)
    let key = HTTPPageKey(server.url("/cursor/?cursor=cD1ub25zZW5zZQ=="))
    let error = await #expect(throws: HTTPPageError.self) {
      try await results(server.url("/cursor/"), .nextURL(\.next)).load(LoadParams(.append, key: key, loadSize: 20))
    }
    #expect(error?.status == 500)
  }

  /// More rows of one moment than the server's cursor can tell apart: its next page is the page itself.
  @Test func aCursorThatStandsStillStopsTheWalk() async throws {
    let server = try await RealServers.shared.server(.django, rows: 10_000)
    let source = results(server.url("/cursor/"), .nextURL(\.next, size: "page_size"))
    var pages = 0
    do {
      for try await _ in source.pages(pageSize: 100) { pages += 1 }
      Issue.record("the walk ended as if it were whole")
    } catch {
      #expect((error.cause as? PagingError)?.code == .keyCycle)
      #expect(pages > 60 && pages < 100)
    }
  }

  @Test func theThrottleIsAnErrorThatSaysLater() async throws {
    let server = try await RealServers.shared.server(.django, rows: 45)
    let source = results(server.url("/throttled/"), .nextURL(\.next))
    var errors: [HTTPPageError] = []
    for _ in 0..<4 {
      do { _ = try await source.first() } catch { errors.append(try #require(error as? HTTPPageError)) }
    }
    #expect(errors.count == 2 && errors.allSatisfy { $0.status == 429 && $0.message.contains("Try again later") })
  }

  @Test func theWayBack() async throws {
    let server = try await RealServers.shared.server(.django, rows: 100)
    let source = results(server.url("/cursor-id/"), .nextURL(\.next, previous: \.previous, size: "page_size"))
    let first = try await source.first(size: 20)
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 20))
    let back = try await source.load(LoadParams(.prepend, key: second.previousKey, loadSize: 20))
    #expect(back.items.map(\.id) == first.items.map(\.id))
    let numbers = results(server.url("/offset/"), .offset(total: \.count))
    let before = try await numbers.load(LoadParams(.prepend, key: "<30", loadSize: 20))
    #expect(before.items.map(\.id) == Array((71...90).reversed()) && before.previousKey == "<10")
  }
}
