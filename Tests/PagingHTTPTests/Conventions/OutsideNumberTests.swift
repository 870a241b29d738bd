import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Numbers and links as no honest server gives them: each is an answer or an error, never a trap.
@Suite struct OutsideNumberTests {
  private struct Counted: Decodable, Sendable {
    var items: [Row]
    var pages: Int?
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max])
  func H9_anyNumberOfPagesIsTaken(_ pages: Int) async throws {
    for first in [1, 0, Int.max, Int.min] {
      let source = HTTPPageSource(
        listURL, convention: .pageNumber(size: nil, first: first, pages: \Counted.pages),
        transport: StubTransport(200, "{\"items\":[{\"id\":1}],\"pages\":\(pages)}"), items: \.items)
      let page = try await source.load(LoadParams(.refresh, loadSize: 1))
      // A last page is told by the count, or by there being no number behind its own.
      #expect((page.nextKey == nil) == (pages <= 1 || first == .max))
    }
  }

  @Test func H9_aPageThatIsNumberedBelowTheFirstIsNotTheLast() async throws {
    let url = try #require(URL(string: "https://example.com/items?page=\(Int.min)"))
    let source = HTTPPageSource(
      url, convention: .pageNumber(size: nil, pages: \Counted.pages),
      transport: StubTransport(200, #"{"items":[{"id":1}],"pages":3}"#), items: \.items)
    #expect(try await source.load(LoadParams(.refresh, loadSize: 1)).nextKey == HTTPPageKey(Int.min + 1))
  }

  @Test func H10_aPlaceFarBehindTheTotalHasNoRowsAfterIt() async throws {
    let url = try #require(URL(string: "https://example.com/items?offset=\(Int.max)"))
    let source = HTTPPageSource(
      url, convention: .offset(),
      transport: StubTransport(200, "[{\"id\":1},{\"id\":2}]", headers: ["X-Total-Count": "0"]),
      of: Row.self)
    let page = try await source.load(LoadParams(.refresh, loadSize: 2))
    #expect(page.itemsBefore == Int.max && page.itemsAfter == 0 && page.nextKey == nil)
  }

  private struct Reply: Decodable, Sendable {
    struct Lists: Decodable, Sendable { var items: GraphQLConnection<Row> }
    var data: Lists
  }

  private func offset(_ number: Int) -> String { Data("arrayconnection:\(number)".utf8).base64EncodedString() }

  private func connection(start: Int, end: Int) -> HTTPPageSource<Row> {
    let body = """
      {"data":{"items":{"totalCount":0,"edges":[{"node":{"id":1}},{"node":{"id":2}}],"pageInfo":{"hasNextPage":true,\
      "startCursor":"\(offset(start))","endCursor":"\(offset(end))"}}}}
      """
    return HTTPPageSource(
      listURL,
      convention: PageConvention<Reply>.graphQL(
        "query($after: String) { items }", cursors: .offsets(), total: \.data.items.totalCount
      ) { $0.data.items.pageInfo }, transport: StubTransport(200, body), items: \.data.items.nodes)
  }

  @Test func H7_aCursorThatCountsToTheLargestNumberIsFollowed() async throws {
    let source = connection(start: 3, end: Int.max)
    let key = try #require(try await source.load(LoadParams(.refresh, loadSize: 2)).nextKey)
    #expect(await source.code(key: key) == .cursorExpired)
  }

  @Test func H10_aCursorFarBehindTheTotalHasNoRowsAfterIt() async throws {
    let page = try await connection(start: Int.max, end: 5).load(LoadParams(.refresh, loadSize: 2))
    #expect(page.itemsBefore == Int.max && page.itemsAfter == 0)
  }

  @Test(arguments: [("eq", -1, nil), ("gte", -1, nil), ("gte", 7, Total.atLeast(7)), ("eq", 7, .exact(7))])
  func H10_aCountBelowZeroIsNone(_ relation: String, _ count: Int, _ total: Total?) throws {
    let body = "{\"hits\":{\"total\":{\"value\":\(count),\"relation\":\"\(relation)\"},\"hits\":[]}}"
    #expect(try JSONDecoder().decode(SearchPage<Row>.self, from: Data(body.utf8)).total == total)
  }
}

/// Links that are there and can't be read: no end, since the rest of the list would be missing without a word.
@Suite struct UnreadableLinkTests {
  private static let link = "http://[::1"

  private func code<Item>(_ source: HTTPPageSource<Item>) async -> HTTPPageError.Code? {
    let error = await #expect(throws: HTTPPageError.self) { try await source.load(LoadParams(.refresh, loadSize: 1)) }
    #expect(error?.message.contains("which is no URL") == true)
    return error?.code
  }

  @Test func H5_aLinkThatCannotBeReadIsNoEnd() async throws {
    struct Document: Decodable, Sendable {
      var data: [Row]
      var links: JSONAPILinks?
    }
    let json = StubTransport(200, "{\"data\":[],\"links\":{\"next\":\"\(Self.link)\"}}")
    #expect(
      await code(
        HTTPPageSource(
          listURL, convention: PageConvention<Document>.jsonAPI(\.links), transport: json, items: \.data))
        == .unreadableNext)
    let odata = StubTransport(200, "{\"value\":[],\"@odata.nextLink\":\"\(Self.link)\"}")
    #expect(
      await code(HTTPPageSource(listURL, convention: .oData(), transport: odata, items: \ODataPage<Row>.items))
        == .unreadableNext)
    let header = StubTransport(200, "{\"data\":[]}", headers: ["Next-Page": Self.link])
    #expect(
      await code(
        HTTPPageSource(listURL, convention: .nextPageHeader(), transport: header, items: \KintoPage<Row>.items))
        == .unreadableNext)
    let found = try PageConvention.detect(
      .stub(200, "{\"items\":[{\"id\":1}],\"next_url\":\"/a\"}", for: URLRequest(url: listURL)))
    let body = StubTransport(200, "{\"items\":[{\"id\":1}],\"next_url\":\"\(Self.link)\"}")
    #expect(
      await code(
        HTTPPageSource(
          listURL, convention: found.convention, transport: body, items: { found.rows(in: $0).map(AnyRow.init) }))
        == .unreadableNext)
  }

  /// A row of which nothing is known.
  private struct AnyRow: Identifiable, Sendable {
    let id: JSONValue
    init(_ value: JSONValue) { id = value }
  }

  @Test func aWayBackThatCannotBeReadStopsNobody() async throws {
    struct Document: Decodable, Sendable {
      var data: [Row]
      var links: JSONAPILinks?
    }
    let server = StubTransport(200, "{\"data\":[],\"links\":{\"next\":\"?n=2\",\"prev\":\"\(Self.link)\"}}")
    let page = try await HTTPPageSource(
      listURL, convention: PageConvention<Document>.jsonAPI(\.links), transport: server, items: \.data
    ).load(LoadParams(.refresh, loadSize: 1))
    #expect(page.nextKey?.text == "https://example.com/items?n=2" && page.previousKey == nil)
  }

  @Test func H9_changesDoNotEndAtALinkThatCannotBeRead() async throws {
    for (body, headers) in [
      ("{\"value\":[],\"@odata.nextLink\":\"\(Self.link)\"}", [:] as HTTPHeaders),
      ("{\"data\":[]}", ["Next-Page": Self.link]),
    ] {
      let server = StubTransport(200, body, headers: headers)
      let list = HTTPPageSource(listURL, convention: .linkHeader, transport: server, of: Row.self)
      let source = HTTPChangeLogSource(list, at: listURL, log: headers.isEmpty ? .oData() : .kinto())
      let error = await #expect(throws: HTTPPageError.self) { try await source.changes(since: nil) }
      #expect(error?.code == .unreadableNext)
    }
  }
}
