import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

/// A list of 10 down to 1, asked for by its rows.
@Suite struct KeysetConventionTests {
  private struct List: Decodable, Sendable {
    var data: [Row]
    var hasMore: Bool?
    enum CodingKeys: String, CodingKey {
      case data
      case hasMore = "has_more"
    }
  }

  /// Answers as Stripe does, or without the flag as Mastodon does.
  private func server(flag: Bool = true) -> StubTransport {
    StubTransport { request in
      let size = number("limit", in: request) ?? 10
      let all = Array((1...10).reversed())
      var found: [Int]
      var more: Bool
      if let after = number("starting_after", in: request) ?? number("max_id", in: request) {
        let rest = all.filter { $0 < after }
        (found, more) = (Array(rest.prefix(size)), rest.count > size)
      } else if let before = number("ending_before", in: request) ?? number("min_id", in: request) {
        let rest = all.filter { $0 > before }
        (found, more) = (Array(rest.suffix(size)), rest.count > size)
      } else {
        (found, more) = (Array(all.prefix(size)), all.count > size)
      }
      return .stub(200, "{\"data\":\(rows(found))\(flag ? ",\"has_more\":\(more)" : "")}", for: request)
    }
  }

  private func source(
    _ server: StubTransport, after: String = "starting_after", before: String? = "ending_before"
  ) -> HTTPPageSource<Row> {
    HTTPPageSource(
      listURL,
      convention: PageConvention<List>.keyset(
        \.data, key: { "\($0.id)" }, after: after, before: before, hasMore: \.hasMore),
      transport: server, items: \.data)
  }

  @Test func H5_theFlagEndsTheList() async throws {
    let server = server()
    let pages = try await source(server).walked()
    #expect(pages.map { $0.map(\.id) } == [[10, 9, 8], [7, 6, 5], [4, 3, 2], [1]])
    #expect(server.urls.first == "https://example.com/items?limit=3")
    #expect(server.urls.last == "https://example.com/items?starting_after=2&limit=3")
    #expect(source(server).keyKind == .keyset)
  }

  @Test func H5_withoutAFlagAnEmptyPageEnds() async throws {
    let server = server(flag: false)
    let pages = try await source(server, after: "max_id", before: "min_id").walked(size: 5)
    #expect(pages.map(\.count) == [5, 5, 0])
    #expect(server.urls.last == "https://example.com/items?max_id=1&limit=5")
  }

  @Test func theWayBackGivesTheRowsRightBefore() async throws {
    let server = server()
    let source = source(server)
    let start = try await source.first(key: "5")
    #expect(start.items.map(\.id) == [4, 3, 2] && start.previousKey == "<4")
    let back = try await source.load(LoadParams(.prepend, key: "<4", loadSize: 3))
    #expect(back.items.map(\.id) == [7, 6, 5] && back.previousKey == "<7" && back.nextKey == "5")
    let top = try await source.load(LoadParams(.prepend, key: "<7", loadSize: 3))
    #expect(top.items.map(\.id) == [10, 9, 8] && top.previousKey == nil)
    #expect(server.urls.last == "https://example.com/items?ending_before=7&limit=3")
    #expect(try await source.first().previousKey == nil)
  }

  @Test func oneWayOnlyKnowsNoWayBack() async throws {
    let oneWay = source(server(), before: nil)
    #expect(try await oneWay.first(key: "5").previousKey == nil)
    #expect(await oneWay.code(.prepend, key: "<4") == .invalidKey)
  }

  @Test func H9_moreWithoutARowToGoOnFromIsAnError() async throws {
    let server = StubTransport(200, #"{"data":[],"has_more":true}"#)
    let error = await #expect(throws: HTTPPageError.self) { try await source(server).first() }
    #expect(error?.code == .unreadableNext)
  }

  @Test func H7_theKeyOfADeletedRow() async throws {
    let gone = StubTransport(400, #"{"detail":{"type":"invalid_request_error","code":"resource_missing"}}"#)
    #expect(await source(gone).code(key: "9996") == .invalidKey)
    let error = await #expect(throws: HTTPPageError.self) { try await source(gone).first() }
    #expect(error?.code == .status)
  }

  @Test func keysThatLookLikeSignsComeBackAsTheyWere() async throws {
    struct Odd: Decodable, Sendable { var data: [Named] }
    for id in ["<a", ">b", "=c", "<", "plain+/=&"] {
      let server = StubTransport { request in
        let isFirst = request.query("after") == nil && request.query("before") == nil
        let body = try JSONEncoder().encode(["data": isFirst ? [Named(id: id)] : []])
        return .stub(200, String(decoding: body, as: UTF8.self), for: request)
      }
      let source = HTTPPageSource(
        listURL, convention: PageConvention<Odd>.keyset(\.data, key: \.id, after: "after", before: "before"),
        transport: server, items: \.data)
      #expect(try await source.walked().count == 2)
      #expect(server.requests.last?.urlRequest.query("after") == id, "\(server.urls)")
    }
  }
}
