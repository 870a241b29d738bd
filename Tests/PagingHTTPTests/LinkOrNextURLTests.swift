import Foundation
import LoadingHTTP
import Paging
import Testing

@testable import PagingHTTP

/// Finding the next page's URL without being told where it is.
@Suite struct LinkOrNextURLTests {
  /// A decoded body that can be looked into.
  private struct Body: @unchecked Sendable {
    // JSONSerialization's values are never changed after they were made.
    let value: Any

    func text(at path: [String]) -> String? {
      var value = value
      for name in path {
        guard let object = value as? [String: Any], let member = object[name] else { return nil }
        value = member
      }
      return (value as? String) ?? (value as? NSNumber).map(\.stringValue)
    }
  }

  private func keys(
    _ body: String, link: String? = nil, at url: String = "https://example.com/a/items?x=1"
  ) async throws -> Page<HTTPPageKey, Row> {
    let server = StubTransport(200, body, headers: link.map { ["Link": $0] } ?? [:])
    return try await HTTPPageSource<Row>(
      try #require(URL(string: url)), convention: .linkOrNextURL { (body: Body, path) in body.text(at: path) },
      transport: server,
      decode: { Body(value: try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed)) },
      items: { _ in [Row(id: 1)] }
    ).load(LoadParams(.refresh, loadSize: 20))
  }

  @Test(arguments: [
    #"{"next":"@"}"#, #"{"next_url":"@"}"#, #"{"nextUrl":"@"}"#, #"{"next_page_url":"@"}"#, #"{"links":{"next":"@"}}"#,
    #"{"links":{"next":{"href":"@"}}}"#, #"{"_links":{"next":{"href":"@"}}}"#, #"{"paging":{"next":"@"}}"#,
    #"{"pagination":{"next":"@"}}"#, #"{"meta":{"next":"@"}}"#, #"{"@odata.nextLink":"@"}"#, #"{"info":{"next":"@"}}"#,
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
    #"{"next":"bmV4dA=="}"#, #"{"next":"/w=="}"#, #"{"next":2}"#, #"{"meta":{"next":"a+b/c"}}"#, #"{"next":"a b?c=d"}"#,
  ])
  func aCursorIsReportedNotTakenForTheEnd(body: String) async throws {
    let error = await #expect(throws: HTTPPageError.self) { try await keys(body) }
    #expect(error?.code == .unreadableNext)
    #expect(error?.message.contains("looks like a cursor") == true && error?.message.contains("--convention") == true)
  }

  @Test(arguments: [
    "{}", "[]", #"{"next":null}"#, #"{"next":""}"#, #"{"next":{}}"#, #"{"links":{"next":null}}"#, #"{"links":[]}"#, "7",
  ])
  func withoutAnythingTheListEnds(body: String) async throws {
    #expect(try await keys(body).nextKey == nil)
  }

  @Test func aFileOfTheSameKindIsALink() async throws {
    let page = try await keys(#"{"next":"page-2.json"}"#, at: "https://example.com/feed/page-1.json")
    #expect(page.nextKey?.text == "https://example.com/feed/page-2.json")
  }
}
