import Foundation
import PagingHTTP
import Testing

@testable import pages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a probe reads from replies and puts into requests.
@Suite struct ProbePartsTests {
  private static func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test(
    arguments: [
      (#"{"total": 7}"#, 7, "total", nil), (#"{"count": 7, "results": []}"#, 7, "count", nil),
      (#"{"meta": {"pagination": {"count": 7}}}"#, 7, "meta.pagination.count", nil),
      (#"{"data": {"items": {"totalCount": 7}}}"#, 7, "data.items.totalCount", nil),
      (#"{"total": "1,000+"}"#, 1000, "total", "1,000+"), (#"{"total": "1,000"}"#, 1000, "total", nil),
      (#"{"hits": {"total": {"value": 10000, "relation": "gte"}}}"#, 10000, "hits.total", "10000, relation gte"),
      (#"{"hits": {"total": {"value": 7, "relation": "eq"}}}"#, 7, "hits.total", nil),
      (#"{"total": 7, "total_is_estimate": true}"#, 7, "total", "total_is_estimate beside it"),
      (#"{"total": 7, "is_exact": false}"#, 7, "total", "is_exact is false"),
      (#"{"estimated_total": 7}"#, 7, "estimated_total", "estimated_total"),
    ] as [(String, Int, String, String?)])
  func totalsAreFound(_ text: String, _ count: Int, _ place: String, _ mark: String?) throws {
    let total = try #require(SeenTotal(in: try Self.json(text), rows: 3))
    #expect(total == SeenTotal(count, at: place, mark: mark))
  }

  @Test(arguments: [
    #"{"count": 3}"#, #"{"total": -1}"#, #"{"total": null}"#, #"{"total": "many"}"#, "[1]", #"{"a": {"total": 7}}"#,
  ])
  func whatIsNoTotalIsNone(_ text: String) throws {
    #expect(SeenTotal(in: try Self.json(text), rows: 3) == nil)
  }

  private static func request(_ url: String, body: String? = nil, headers: [String: String] = [:]) throws -> URLRequest
  {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  @Test func aKeyIsFoundByWhatRequestsDifferIn() throws {
    let cursor = try #require(
      KeyPlace(from: Self.request("http://a/x?limit=5&cursor=b%2B1"), to: Self.request("http://a/x?limit=5&cursor=c")))
    #expect(cursor == .query("cursor"))
    #expect(cursor.value(in: try Self.request("http://a/x?cursor=b%2B1")) == "b+1")
    // A size that changes too is not the key.
    let sized = try KeyPlace(
      from: Self.request("http://a/x?offset=0&limit=5"), to: Self.request("http://a/x?limit=9&offset=5"))
    #expect(sized == .query("offset"))
    let path = try #require(
      KeyPlace(from: Self.request("http://a/feed/page-9.json"), to: Self.request("http://a/feed/page-10.json")))
    #expect(path == .path(before: "/feed/page-", after: ".json"))
    var request = try Self.request("http://a/feed/page-9.json?k=1")
    path.set("no-key", in: &request)
    #expect(path.value(in: request).flatMap { $0.removingPercentEncoding } == "no-key")
    #expect(request.url?.query() == "k=1")
    let body = try #require(
      KeyPlace(
        from: Self.request("http://a/g", body: #"{"query": "q", "variables": {"first": 20}}"#),
        to: Self.request("http://a/g", body: #"{"query": "q", "variables": {"after": "c", "first": 20}}"#)))
    #expect(body == .body(["variables", "after"]))
    var post = try Self.request("http://a/g", body: #"{"query": "q", "variables": {"after": "c", "first": 20}}"#)
    body.set("d", in: &post)
    KeyPlace.body(["variables", "first"]).set("9", in: &post)
    let changed = try JSONDecoder().decode(JSONValue.self, from: post.httpBody ?? Data())
    #expect(changed == ["query": "q", "variables": ["after": "d", "first": 9]])
    let range = try KeyPlace(
      from: Self.request("http://a/x", headers: ["Range": "items=0-9"]),
      to: Self.request("http://a/x", headers: ["Range": "items=10-19"]))
    #expect(range == .header("Range"))
    #expect(try KeyPlace(from: Self.request("http://a/x"), to: Self.request("http://a/x")) == nil)
  }

  @Test func aBadKeyIsNoneThatTheServerGave() {
    for bad in ProbeObservations.BadKey.allCases {
      #expect(Prober.spoilt("b3Jk/ZXI+", bad) != "b3Jk/ZXI+")
      #expect(Prober.spoilt("40", bad).map { Int($0) == nil } ?? true)
    }
  }

  @Test func linesAreBrokenAtTheirWidth() {
    let text = "a list " + String(repeating: "x", count: 190) + " ends " + String(repeating: "word ", count: 40)
    let lines = ProbeReport.wrapped(text, indent: "  ", hang: "    ")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    ") })
  }

  @Test func commandsGetTheRowAndAreReadToTheirEnd() async throws {
    #expect(try await ShellCommand(line: "echo \" $1/$PAGES_ROW \"").run(row: "a b'c") == "a b'c/a b'c")
    await #expect(throws: ShellCommand.Failure(reason: "ended with status 3")) {
      try await ShellCommand(line: "exit 3").run()
    }
  }
}
