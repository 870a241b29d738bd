import Foundation
import LoadingHTTP
import Paging
import Testing

@testable import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Walking on by what the first reply tells, with nothing named.
@Suite struct FoundConventionTests {
  private func source(_ url: String, _ server: StubTransport) throws -> HTTPPageSource<Row> {
    HTTPPageSource<Row>(
      try #require(URL(string: url)),
      convention: .found(PageLook.value, body: { $0 }), transport: server,
      decode: { try JSONDecoder().decode(JSONValue.self, from: $0) },
      items: { body in
        let rows =
          body.elements ?? (body["items"] ?? body["Items"] ?? body.value(at: ["hits", "hits"]))?.elements ?? []
        return rows.compactMap { $0["id"]?.integer }.map { Row(id: $0) }
      })
  }

  private func keys(
    _ body: String, link: String? = nil, at url: String = "https://example.com/a/items?x=1"
  ) async throws -> Page<HTTPPageKey, Row> {
    try await source(url, StubTransport(200, body, headers: link.map { ["Link": $0] } ?? [:])).first()
  }

  @Test(arguments: [
    #"{"next":"@"}"#, #"{"next_url":"@"}"#, #"{"nextUrl":"@"}"#, #"{"next_page_url":"@"}"#, #"{"links":{"next":"@"}}"#,
    #"{"links":{"next":{"href":"@"}}}"#, #"{"_links":{"next":{"href":"@"}}}"#, #"{"paging":{"next":"@"}}"#,
    #"{"pagination":{"next":"@"}}"#, #"{"meta":{"next":"@"}}"#, #"{"info":{"next":"@"}}"#, #"{"next_href":"@"}"#,
    #"{"nextLink":"@"}"#, #"{"pagination":{"next_url":"@"}}"#, #"{"value":[],"@odata.nextLink":"@"}"#,
  ])
  func everyKnownMemberIsFound(body: String) async throws {
    for (value, url) in [
      ("https://example.com/n?p=2", "https://example.com/n?p=2"), ("/n?p=2", "https://example.com/n?p=2"),
      ("?p=2", "https://example.com/a/items?p=2"), ("n?p=2", "https://example.com/a/n?p=2"),
      ("/v1/n", "https://example.com/v1/n"),
    ] {
      let body = body.replacing("\"@\"", with: "\"\(value)\"")
      #expect(try await keys(body).nextKey?.text == url, "\(body)")
      #expect(try await keys(body).previousKey == nil)
    }
  }

  @Test func theHeaderComesBeforeTheBody() async throws {
    let page = try await keys(#"{"next":"token,1","previous":"x"}"#, link: "<?p=2>; rel=next, <?p=0>; rel=prev")
    #expect(page.nextKey?.text == "https://example.com/a/items?p=2")
    #expect(page.previousKey?.text == "https://example.com/a/items?p=0")
  }

  @Test func aURLBesideACursorIsTaken() async throws {
    let page = try await keys(#"{"next":"token","next_url":"https://example.com/n","previous":"/p?a=b"}"#)
    #expect(page.nextKey?.text == "https://example.com/n" && page.previousKey?.text == "https://example.com/p?a=b")
  }

  @Test(arguments: [
    (#"{"next":"bmV4dA=="}"#, "cursor=bmV4dA%3D%3D"), (#"{"next":"/w=="}"#, "cursor=%2Fw%3D%3D"),
    (#"{"next_page_token":"a+b/c"}"#, "page_token=a%2Bb%2Fc"), (#"{"items":[{"id":1}],"next":2}"#, "page=2"),
    (#"{"items":[{"id":1},{"id":2}],"offset":0,"limit":2}"#, "offset=2"),
    (#"{"items":[{"id":1}],"meta":{"current_page":1,"last_page":2}}"#, "page=2"),
  ])
  func whatIsNoURLGoesBackInTheListsOwn(body: String, query: String) async throws {
    #expect(try await keys(body).nextKey?.text == "https://example.com/a/items?x=1&\(query)")
  }

  @Test(arguments: [
    "{}", "[]", #"{"next":null}"#, #"{"next":""}"#, #"{"next":{}}"#, #"{"links":{"next":null}}"#, #"{"links":[]}"#, "7",
    #"{"items":[{"id":1}],"page":2,"pages":2}"#, #"{"items":[],"page":1}"#,
  ])
  func withoutAnythingTheListEnds(body: String) async throws {
    #expect(try await keys(body, at: "https://example.com/items?page=2").nextKey == nil)
  }

  @Test(arguments: [
    (#"{"items":[{"id":1}],"has_more":true}"#, "starting_after=1"),
    (#"{"Items":[],"NextToken":"x/y"}"#, "NextToken=x%2Fy"),
    (
      #"{"Items":[],"LastEvaluatedKey":{"id":{"N":"7"}}}"#, "ExclusiveStartKey=%7B%22id%22%3A%7B%22N%22%3A%227%22%7D%7D"
    ),
    (
      #"{"hits":{"hits":[{"id":1,"sort":[1,"a",null]}]}}"#,
      "source=%7B%22search_after%22%3A%5B1%2C%22a%22%2Cnull%5D%7D&source_content_type=application%2Fjson"
    ),
    (#"{"items":[{"id":1}],"newer":null,"older":"bmV4dA=="}"#, "older=bmV4dA%3D%3D"),
    // Encoded already by its server.
    (#"{"items":[{"id":1}],"next_page":"PnM6MjA%3D"}"#, "cursor=PnM6MjA%3D"),
    (#"{"items":[{"id":1}],"next_page":"100%"}"#, "cursor=100%25"),
  ])
  func whatIsMadeOfRowsOrAnObjectGoesBack(body: String, query: String) async throws {
    #expect(try await keys(body).nextKey?.text == "https://example.com/a/items?x=1&\(query)", "\(body)")
  }

  @Test(arguments: [
    #"{"items":[{"id":1}],"has_more":false}"#, #"{"Items":[],"NextToken":null}"#,
    #"{"Items":[],"LastEvaluatedKey":{}}"#,
    #"{"hits":{"hits":[]}}"#, #"{"items":[{"id":1}],"newer":"x","older":null}"#,
    #"{"items":[{"id":1}],"NextMarker":"x","IsTruncated":false}"#,
  ])
  func itsEndIsSeen(body: String) async throws {
    #expect(try await keys(body).nextKey == nil, "\(body)")
  }

  @Test func aTokenThatComesBackIsTheEnd() async throws {
    let body = #"{"events":[{"id":1}],"nextForwardToken":"f/1"}"#
    #expect(try await keys(body).nextKey?.text == "https://example.com/a/items?x=1&nextToken=f%2F1")
    #expect(try await keys(body, at: "https://example.com/logs?nextToken=f%2F1").nextKey == nil)
  }

  @Test func aSearchInTheURLGoesOnAsItStands() async throws {
    let url = #"https://example.com/i/_search?sort=id:asc&source=%7B%22query%22%3A%7B%7D%7D"#
    let next = try #require(try await keys(#"{"hits":{"hits":[{"id":1,"sort":[7]}]}}"#, at: url).nextKey?.url)
    #expect(next.queryValue("source") == #"{"query":{},"search_after":[7]}"# && next.queryValue("sort") == "id:asc")
  }

  @Test func aQueryOfGraphQLInTheURLTakesTheCursorInItsVariables() async throws {
    let query = "query%28%24after%3AString%29%7Bitems%28after%3A%24after%29%7Bid%7D%7D"
    let body = #"{"data":{"items":{"edges":[{"id":1}],"pageInfo":{"hasNextPage":true,"endCursor":"c/1"}}}}"#
    let next = try await keys(body, at: "https://example.com/graphql?query=\(query)&variables=%7B%22n%22%3A2%7D")
      .nextKey
    #expect(next?.url?.queryValue("variables") == #"{"after":"c/1","n":2}"#)
    let last = body.replacing("true", with: "false")
    #expect(try await keys(last, at: "https://example.com/graphql?query=\(query)").nextKey == nil)
  }

  @Test func aParameterThatIsNamedTakesThePlaceOfTheUsualOne() async throws {
    let source = HTTPPageSource<Row>(
      try #require(URL(string: "https://example.com/items")),
      convention: .found(PageLook.value, parameter: "after", body: { $0 }),
      transport: StubTransport(200, #"{"data":[{"id":5}],"has_more":true}"#),
      decode: { try JSONDecoder().decode(JSONValue.self, from: $0) }, items: { _ in [Row(id: 5)] })
    #expect(try await source.first().nextKey?.text == "https://example.com/items?after=5")
  }

  @Test(arguments: [
    (#"{"data":{"items":{"edges":[{"id":1}],"pageInfo":{"hasNextPage":true,"endCursor":"x"}}}}"#, true),
    (#"{"hits":{"hits":[{"_id":"1"}]}}"#, true),
    (#"{"messages":[{"id":1}],"found_oldest":true,"found_newest":false}"#, false),
  ])
  func whatNeedsAFurtherWordIsNotFollowed(body: String, isNamed: Bool) async throws {
    #expect(try await keys(body).nextKey == nil)
    let url = try #require(URL(string: "https://example.com/items"))
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
    let reply = HTTPReply(status: 200, body: Data(), url: url, receivedAt: Date(timeIntervalSince1970: 0))
    let found = DetectedConvention.detect(reply, body: value)
    #expect(found.leadsOn(value) && !found.isWalkable && (found.whatIsMissing != nil) == isNamed)
  }

  @Test(arguments: [200, 400, 404])
  func countedPagesEndAtAnEmptyOneOrARefusal(status: Int) async throws {
    let server = StubTransport { request in
      let page = number("page", in: request) ?? 1
      if page <= 3 { return .stub(200, #"{"items":\#(rows([page])),"page":\#(page)}"#, for: request) }
      return .stub(status, status == 200 ? #"{"items":[]}"# : #"{"detail":"Invalid page."}"#, for: request)
    }
    let pages = try await source("https://example.com/list?size=1", server).walked()
    #expect(pages.joined().map(\.id) == [1, 2, 3])
    #expect(server.urls.last == "https://example.com/list?size=1&page=4")
  }

  @Test func aRefusalInMidWalkEndsNoListOfAnotherKind() async throws {
    let server = StubTransport { request in
      number("cursor", in: request) == nil
        ? .stub(200, #"{"items":[{"id":1}],"next_cursor":"2"}"#, for: request)
        : .stub(404, #"{"detail":"gone"}"#, for: request)
    }
    let error = await #expect(throws: HTTPPageError.self) {
      try await source("https://example.com/list", server).walked()
    }
    #expect(error?.status == 404)
  }

  @Test func whatTheFirstReplyToldHoldsForTheRest() async throws {
    let server = StubTransport { request in
      number("cursor", in: request) == nil
        ? .stub(200, #"{"items":[{"id":1}],"next_cursor":"7"}"#, for: request)
        // Another member that looks like a way on does not step in at the end.
        : .stub(200, #"{"items":[{"id":2}],"next_cursor":null,"next_url":"/other"}"#, for: request)
    }
    #expect(try await source("https://example.com/list", server).walked().joined().map(\.id) == [1, 2])
    // And a walk can start at any key.
    let key = HTTPPageKey("https://example.com/list?cursor=7")
    let late = try source("https://example.com/list", server)
    #expect(try await late.first(key: key).items == [Row(id: 2)])
  }
}
