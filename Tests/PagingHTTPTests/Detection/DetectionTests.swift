import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a first reply tells.
@Suite struct DetectionTests {
  private func detect(
    _ body: String, headers: HTTPHeaders = [:], at url: String = "https://example.com/items", status: Int = 200
  ) throws -> DetectedConvention {
    try PageConvention.detect(
      HTTPReply(
        status: status, headers: headers, body: Data(body.utf8), url: try #require(URL(string: url)),
        receivedAt: Date(timeIntervalSince1970: 0)))
  }

  @Test(arguments: [
    (
      #"{"count":10000,"next":"http://x.example/page/?page=2","previous":null,"results":[{"id":1}]}"#,
      DetectedConvention.Kind.nextURL, ["results"], nil as String?
    ),
    (#"{"count":0,"next":null,"previous":null,"results":[]}"#, .nextURL, ["results"], nil),
    (
      #"{"links":{"next":"http://x.example/?page%5Bnumber%5D=2","prev":null},"data":[{"type":"items","id":"1"}],"jsonapi":{"version":"1.0"}}"#,
      .jsonAPI, ["data"], nil
    ),
    (
      #"{"items":[{"id":1}],"total":9,"page":1,"size":2,"pages":5,"links":{"next":"/pages-links?size=2&page=2"}}"#,
      .nextURL, ["items"], nil
    ),
    (#"{"items":[{"id":1}],"total":9,"page":1,"size":2,"pages":5}"#, .pageNumber, ["items"], "page"),
    (#"{"items":[{"id":1}],"total":9,"limit":2,"offset":0}"#, .offset, ["items"], "offset"),
    (#"{"items":[{"id":1}],"next":"WyIyMDI1LTAxLTAxVDIzOjQ3OjAwWiIsOTk5MV0"}"#, .cursor, ["items"], "cursor"),
    (
      #"{"ok":true,"messages":[{"ts":"1"}],"response_metadata":{"next_cursor":"bmV4dA=="}}"#, .cursor, ["messages"],
      "cursor"
    ),
    (#"{"data":[{"id":"1"}],"meta":{"next_token":"7140","result_count":10}}"#, .cursor, ["data"], "pagination_token"),
    (#"{"data":{"after":"t3_x","children":[{"kind":"t3"}]}}"#, .cursor, ["data", "children"], "after"),
    (#"{"value":[{"id":"1"}],"@odata.nextLink":"https://x.example/?$skiptoken=X"}"#, .oData, ["value"], nil),
    (#"{"@odata.context":"c","value":[{"id":"1"}]}"#, .oData, ["value"], nil),
    (
      #"{"database":"feed","rows":[{"id":1}],"truncated":false,"filtered_table_rows_count":9,"next":"5","next_url":"http://x.example/?_next=5","columns":["id"]}"#,
      .datasette, ["rows"], "_next"
    ),
    (
      #"{"data":{"items":{"edges":[{"node":{"id":1}}],"pageInfo":{"hasNextPage":true,"endCursor":"YXJyYXljb25uZWN0aW9uOjQ="}}}}"#,
      .graphQL, ["data", "items", "edges"], "after"
    ),
    (#"{"Items":[{"id":{"N":"1"}}],"LastEvaluatedKey":{"id":{"N":"1"}}}"#, .awsToken, ["Items"], "ExclusiveStartKey"),
    (#"{"events":[{"message":"m"}],"nextForwardToken":"f/1"}"#, .awsToken, ["events"], "nextToken"),
    (#"{"hits":{"total":{"value":9},"hits":[{"_source":{"id":1},"sort":[1]}]}}"#, .searchAfter, ["hits", "hits"], nil),
    (#"{"messages":[{"id":1}],"found_oldest":true,"found_newest":false}"#, .window, ["messages"], "anchor"),
    (#"{"object":"list","data":[{"id":"item_1"}],"has_more":true}"#, .keyset, ["data"], "starting_after"),
    (#"[{"id":1}]"#, .single, [], nil),
    (#"{"posts":[{"id":1}]}"#, .single, ["posts"], nil),
  ])
  func H12_repliesOfManyServers(
    body: String, kind: DetectedConvention.Kind, items: [String], parameter: String?
  ) throws {
    let found = try detect(body)
    #expect(found.kind == kind && found.items == items && found.parameter == parameter, "\(found)")
    #expect(!found.reason.isEmpty && found.description.contains(found.reason))
    #expect(found.otherItems.isEmpty)
  }

  @Test func H12_headersComeFirst() throws {
    let body = #"{"data":[{"id":1}],"next":"https://example.com/items?page=2"}"#
    #expect(try detect(body, headers: ["Link": "<?p=2>; rel=\"next\""]).kind == .linkHeader)
    let kinto = try detect(body, headers: ["next-page": "https://example.com/items?_token=x"])
    #expect(kinto.kind == .nextPageHeader && kinto.parameter == "Next-Page")
    let last = try detect("[]", headers: ["Link": "<?p=1>; rel=\"first\""])
    #expect(last.kind == .linkHeader && last.reason.contains("last page"))
  }

  @Test func H12_theURLHelps() throws {
    #expect(try detect(rows([1]), at: "https://example.com/items?offset=0&limit=5").kind == .offset)
    #expect(try detect(rows([1]), at: "https://example.com/items?page=1").kind == .pageNumber)
    let named = try detect(#"{"items":[{"id":1}],"next_cursor":"x"}"#, at: "https://example.com/items?page_token=y")
    #expect(named.kind == .cursor && named.parameter == "page_token")
  }

  @Test func H12_rowsThatCouldBeEitherAreBothNamed() throws {
    let found = try detect(#"{"cats":[{"id":1}],"dogs":[{"id":2}]}"#)
    #expect(found.items == ["cats"] && found.otherItems == [["dogs"]])
    #expect(try detect(#"{"a":1}"#).items == nil)
    #expect(try detect("7").items == nil)
    #expect(try !detect(#"{"a":1}"#).isWalkable)
    #expect(try detect(#"{"errors":[{"id":1}],"data":{"posts":[{"id":2}]}}"#).items == ["data", "posts"])
  }

  @Test func H12_failuresAreErrors() throws {
    for (status, body, code) in [
      (404, "{}", HTTPPageError.Code.status), (200, "", .emptyBody), (200, "<html>", .notJSON), (200, "[1", .truncated),
    ] {
      let error = #expect(throws: HTTPPageError.self) { try detect(body, status: status) }
      #expect(error?.code == code)
    }
  }

  /// Walks a stub of 7 rows by what its first reply told.
  private func walked(_ answer: @escaping @Sendable (URLRequest) -> HTTPReply) async throws -> [Int] {
    let found = try PageConvention.detect(answer(URLRequest(url: listURL)))
    #expect(found.isWalkable)
    let source = HTTPPageSource(listURL, convention: found.convention, transport: StubTransport { answer($0) }) {
      page in
      found.rows(in: page).compactMap { $0["id"]?.integer }.map(Row.init(id:))
    }
    return try await source.walked(size: 2).joined().map(\.id)
  }

  @Test func H12_whatWasFoundWalks() async throws {
    let all = Array(1...7)
    let page = { @Sendable (start: Int) in rows(all.dropFirst(start).prefix(2)) }
    let linked = try await walked { request in
      let start = number("s", in: request) ?? 0
      let links: HTTPHeaders = start + 2 < 7 ? ["Link": "<?s=\(start + 2)>; rel=next"] : [:]
      return .stub(200, page(start), headers: links, for: request)
    }
    let cursor = try await walked { request in
      let start = number("cursor", in: request) ?? 0
      let next = start + 2 < 7 ? "\"\(start + 2)\"" : "null"
      return .stub(200, "{\"posts\":\(page(start)),\"next_cursor\":\(next)}", for: request)
    }
    let numbered = try await walked { request in
      let at = number("page", in: request) ?? 1
      return .stub(200, "{\"items\":\(page((at - 1) * 2)),\"page\":\(at)}", for: request)
    }
    let offset = try await walked { request in
      let start = number("offset", in: request) ?? 0
      return .stub(200, "{\"items\":\(page(start)),\"offset\":\(start),\"limit\":2}", for: request)
    }
    let stripe = try await walked { request in
      let start = number("starting_after", in: request) ?? 0
      return .stub(200, "{\"data\":\(page(start)),\"has_more\":\(start + 2 < 7)}", for: request)
    }
    for ids in [linked, cursor, numbered, offset, stripe] { #expect(ids == all) }
  }
}
