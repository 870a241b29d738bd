import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is newer than a row, and what has changed since a token.
@Suite struct HeadAndLogTests {
  /// Rows 1 to 30, the newest first; `since_id` gives the newest above, `min_id` the nearest.
  private func feed() -> StubTransport {
    StubTransport { request in
      let limit = min(10, number("limit", in: request) ?? 10)
      let all = Array((1...30).reversed())
      if request.url?.path() == "/count" {
        return .stub(200, "{\"count\":\(all.filter { $0 > number("since_id", in: request) ?? 0 }.count)}", for: request)
      }
      var found = Array(all.prefix(limit))
      if let since = number("since_id", in: request) { found = Array(all.filter { $0 > since }.prefix(limit)) }
      if let near = number("min_id", in: request) { found = Array(all.filter { $0 > near }.suffix(limit)) }
      let links =
        found.isEmpty
        ? [:]
        : ["Link": "<?max_id=\(found.last ?? 0)>; rel=\"next\", <?min_id=\(found.first ?? 0)>; rel=\"prev\""]
          as HTTPHeaders
      return .stub(200, rows(found), headers: links, for: request)
    }
  }

  private func source(_ server: StubTransport, _ head: HeadConvention<Row>) -> HTTPHeadSource<Row> {
    HTTPHeadSource(HTTPPageSource(listURL, convention: .linkHeader, transport: server, of: Row.self), head: head)
  }

  @Test func newestRowsLeaveARestBelow() async throws {
    let server = feed()
    let source = source(server, .parameter("since_id") { "\($0.id)" })
    let page = try await source.newer(than: Row(id: 5), limit: 10)
    #expect(page.items.map(\.id) == Array((21...30).reversed()))
    #expect(page.previousKey == nil && page.nextKey?.text == "https://example.com/items?max_id=21")
    #expect(server.urls == ["https://example.com/items?since_id=5&limit=10"])
    #expect(try await source.newer(than: Row(id: 30), limit: 10).items.isEmpty)
    #expect(try await source.newer(than: Row(id: 30), limit: 10).nextKey == nil)
    #expect(try await source.countNewer(than: Row(id: 30), limit: 10) == .exact(0))
    #expect(try await source.countNewer(than: Row(id: 5), limit: 10) == .atLeast(10))
  }

  @Test func nearestRowsLeaveARestAbove() async throws {
    let source = source(feed(), .parameter("min_id", giving: .nearest) { "\($0.id)" })
    let page = try await source.newer(than: Row(id: 5), limit: 4)
    #expect(page.items.map(\.id) == [9, 8, 7, 6] && page.nextKey == nil && page.previousKey != nil)
  }

  @Test func aShortPageIsAllOnlyWhereThatIsSaid() async throws {
    let careful = source(feed(), .parameter("since_id") { "\($0.id)" })
    #expect(try await careful.newer(than: Row(id: 28), limit: 10).nextKey != nil)
    let trusting = source(feed(), .parameter("since_id", shortPageIsAll: true) { "\($0.id)" })
    #expect(try await trusting.newer(than: Row(id: 28), limit: 10).nextKey == nil)
    #expect(try await trusting.countNewer(than: Row(id: 28), limit: 10) == .exact(2))
  }

  @Test func aServerThatCountsIsAskedForTheNumber() async throws {
    struct Count: Decodable { var count: Int }
    let server = feed()
    let head = HeadConvention<Row>.parameter("since_id") { "\($0.id)" }.counting { item, _, request in
      request.url = URL(string: "/count?since_id=\(item.id)", relativeTo: request.url)?.absoluteURL
    } read: { reply in
      .exact(try JSONDecoder().decode(Count.self, from: reply.body).count)
    }
    let source = source(server, head)
    #expect(try await source.countNewer(than: Row(id: 5), limit: 99) == .exact(25))
    #expect(try await source.countNewer(than: Row(id: 5), limit: 9) == .atLeast(9))
    #expect(try await source.countNewer(than: Row(id: 5), limit: 0) == .atLeast(0))
    #expect(server.urls.first == "https://example.com/count?since_id=5" && server.requests.count == 2)
    let refusing = self.source(StubTransport(503, "{}"), head)
    await #expect(throws: HTTPPageError.self) { try await refusing.countNewer(than: Row(id: 5), limit: 9) }
    let odd = self.source(StubTransport(200, "<p>"), head)
    await #expect(throws: HTTPPageError.self) { try await odd.countNewer(than: Row(id: 5), limit: 9) }
  }

  @Test func H6_countsDoNotLeaveTheOrigin() async throws {
    let server = feed()
    let head = HeadConvention<Row>.parameter("since_id") { "\($0.id)" }.counting { _, _, request in
      request.url = URL(string: "https://elsewhere.example/count")
    } read: { _ in
      .exact(0)
    }
    let error = await #expect(throws: HTTPPageError.self) {
      try await source(server, head).countNewer(than: Row(id: 5), limit: 9)
    }
    #expect(error?.code == .foreignOrigin && server.requests.isEmpty)
  }

  @Test func kintosHead() async throws {
    struct Note: Codable, Identifiable, Sendable {
      var id: Int
      var lastModified: Int { id * 10 }
    }
    let server = StubTransport { request in
      request.httpMethod == "HEAD"
        ? .stub(200, "", headers: ["Total-Objects": "3"], for: request)
        : .stub(200, "{\"data\":\(rows([9, 8]))}", for: request)
    }
    let list = HTTPPageSource(listURL, convention: .kinto(), transport: server, items: \KintoPage<Note>.items)
    let source = HTTPHeadSource(list, head: .kinto(lastModified: \.lastModified))
    #expect(try await source.newer(than: Note(id: 7), limit: 5).items.map(\.id) == [9, 8])
    #expect(try await source.countNewer(than: Note(id: 7), limit: 5) == .exact(3))
    #expect(
      server.urls == [
        "https://example.com/items?gt_last_modified=70&_sort=-last_modified&_limit=5",
        "https://example.com/items?gt_last_modified=70&_sort=-last_modified",
      ])
  }

  // MARK: - Change logs

  private func log(
    _ server: StubTransport, _ convention: ChangeLogConvention<Named>
  ) -> HTTPChangeLogSource<Named> {
    HTTPChangeLogSource(
      HTTPPageSource(listURL, convention: .kinto(), transport: server, items: \KintoPage<Named>.items), at: listURL,
      log: convention)
  }

  @Test func kintosChangesAndTombstones() async throws {
    let server = StubTransport { request in
      if request.query("_token") != nil {
        return .stub(
          200, #"{"data":[{"id":"item-7","last_modified":12,"deleted":true}]}"#, headers: ["ETag": "\"99\""],
          for: request)
      }
      if request.query("_since") == "\"12\"" {
        return .stub(200, #"{"data":[]}"#, headers: ["ETag": "\"12\""], for: request)
      }
      return .stub(
        200, #"{"data":[{"id":"item-1","last_modified":11}]}"#,
        headers: ["ETag": "\"99\"", "Next-Page": "https://example.com/items?_token=t"], for: request)
    }
    let source = log(server, .kinto(of: Named.self, pageSize: 1))
    let first = try await source.changes(since: "\"10\"")
    #expect(first.upserts == [Named(id: "item-1")] && first.deletions.isEmpty && first.hasMore)
    let second = try await source.changes(since: first.nextToken)
    #expect(second.upserts.isEmpty && second.deletions == ["item-7"] && !second.hasMore)
    // The last change's moment, not the collection's ETag: what came between the two would be missed.
    #expect(second.nextToken == "\"12\"")
    let third = try await source.changes(since: second.nextToken)
    #expect(third.upserts.isEmpty && third.nextToken == nil)
    #expect(server.urls.first == "https://example.com/items?_sort=last_modified&_limit=1&_since=%2210%22")
    var applied: [String] = []
    let last = try await source.catchUp(since: "\"10\"") { applied += $0.upserts.map(\.id) + $0.deletions }
    #expect(applied == ["item-1", "item-7"] && last.nextToken == "\"12\"")
  }

  @Test func aLogFromTheStartRemembersTheMoment() async throws {
    let empty = StubTransport(200, #"{"data":[]}"#, headers: ["ETag": "\"5\""])
    #expect(try await log(empty, .kinto()).changes(since: nil).nextToken == "\"5\"")
  }

  @Test func odatasDeltas() async throws {
    let server = StubTransport { request in
      request.query("$deltatoken") == nil
        ? .stub(
          200,
          #"{"value":[{"id":"a"},{"@removed":{"reason":"deleted"},"id":"b"}],"@odata.nextLink":"?$deltatoken=1"}"#,
          for: request)
        : .stub(
          200, #"{"value":[{"id":"c"}],"@odata.deltaLink":"https://example.com/items?$deltatoken=2"}"#, for: request)
    }
    let source = log(server, .oData())
    let first = try await source.changes(since: nil)
    #expect(first.upserts == [Named(id: "a")] && first.deletions == ["b"] && first.hasMore)
    #expect(first.nextToken == "https://example.com/items?$deltatoken=1")
    let second = try await source.changes(since: first.nextToken)
    #expect(second.upserts == [Named(id: "c")] && !second.hasMore)
    #expect(second.nextToken == "https://example.com/items?$deltatoken=2")
    await #expect(throws: PagingError.self) { try await source.changes(since: "no link") }
  }

  @Test func H7_aTokenThatIsNoLongerKnownAsksForAReload() async throws {
    for (status, body) in [
      (410, "{}"), (400, #"{"error":{"code":"syncStateNotFound"}}"#),
      (400, #"{"message":"_since in querystring: \"nonsense\" is not a number"}"#),
    ] {
      let page = try await log(StubTransport(status, body), .kinto()).changes(since: "\"1\"")
      #expect(page.needsFullReload && page.upserts.isEmpty && page.nextToken == nil)
    }
    await #expect(throws: HTTPPageError.self) {
      try await log(StubTransport(503, "{}"), .kinto()).changes(since: "\"1\"")
    }
    await #expect(throws: HTTPPageError.self) { try await log(StubTransport(410, "{}"), .kinto()).changes(since: nil) }
    await #expect(throws: HTTPPageError.self) { try await log(StubTransport(200, ""), .kinto()).changes(since: nil) }
  }

  @Test func H6_aTokenOfAnotherOriginIsNotFollowed() async throws {
    let server = StubTransport(200, #"{"data":[]}"#)
    let error = await #expect(throws: HTTPPageError.self) {
      try await log(server, .kinto()).changes(since: "https://elsewhere.example/items")
    }
    #expect(error?.code == .foreignOrigin && server.requests.isEmpty)
  }
}
