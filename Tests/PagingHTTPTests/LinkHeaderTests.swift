import Foundation
import LoadingHTTP
import Testing

@testable import PagingHTTP

@Suite struct LinkHeaderTests {
  private func reply(_ values: String..., at url: String = "https://example.com/a/items?page=1") throws -> HTTPReply {
    HTTPReply(
      status: 200, headers: HTTPHeaders(values.map { HTTPHeaders.Field(name: "link", value: $0) }), body: Data(),
      url: try #require(URL(string: url)), receivedAt: Date(timeIntervalSince1970: 0))
  }

  private func next(_ values: String..., at url: String = "https://example.com/a/items?page=1") throws -> String? {
    var reply = try reply(at: url)
    for value in values { reply.headers.append(value, for: "Link") }
    return reply.link("next")?.absoluteString
  }

  @Test func severalLinksInOneHeader() throws {
    let header = "<https://example.com/?page=9>; rel=\"last\", <https://example.com/?page=2>;rel=\"next\""
    #expect(try next(header) == "https://example.com/?page=2")
    #expect(try reply(header).link("last")?.absoluteString == "https://example.com/?page=9")
    #expect(try reply(header).link("prev") == nil)
  }

  @Test func severalHeaders() throws {
    #expect(try next("</1>; rel=last", "</2>; rel=next") == "https://example.com/2")
    #expect(try next("no link at all", "</2>; rel=next") == "https://example.com/2")
    #expect(try next() == nil)
  }

  @Test func quotedParametersMayHoldAnything() throws {
    #expect(
      try next(#"</1>; title="a, <b>; rel=\"next\" \\"; rel="last", </2>; rel="next""#) == "https://example.com/2")
    #expect(try next(#"</1>; rel="ne\xt""#) == "https://example.com/1")
    #expect(try next(#"</1;,"x>; rel="next""#) == "https://example.com/1;,%22x")
  }

  @Test func oneRelMayNameSeveralRelations() throws {
    #expect(try next(#"</1>; rel="last  next""#) == "https://example.com/1")
    #expect(try next(#"</1>; rel="nextish prev-next""#) == nil)
    #expect(try next(#"</1>; REL="NeXT""#) == "https://example.com/1")
    #expect(try next("</1>; rel = next ; x , </2>; rel=last") == "https://example.com/1")
  }

  @Test func onlyTheFirstRelCounts() throws {
    #expect(try next("</1>; rel=last; rel=next") == nil)
    #expect(try next("</1>; rel; rel=next") == nil)
    #expect(try next("</1>; rel=next; rel=last") == "https://example.com/1")
  }

  @Test func anAnchoredLinkSpeaksOfSomethingElse() throws {
    #expect(try next("</1>; rel=next; anchor=\"#x\", </2>; rel=next") == "https://example.com/2")
    #expect(try next("</1>; anchor=\"/other\"; rel=next") == nil)
  }

  @Test(arguments: [
    ("?page=2", "https://example.com/a/items?page=2"),
    ("/v2/_catalog?last=b&n=2", "https://example.com/v2/_catalog?last=b&n=2"),
    ("next", "https://example.com/a/next"), ("../b?c", "https://example.com/b?c"), ("./", "https://example.com/a/"),
    ("//other.example/x", "https://other.example/x"), ("http://other.example", "http://other.example"),
  ])
  func relativeTargetsAreResolvedAgainstTheReply(target: String, url: String) throws {
    #expect(try next("<\(target)>; rel=next") == url)
  }

  @Test(arguments: [
    "", " ", ",", ",,,", "<", ">", "<>", "<>; rel=next", "</1", "</1>", "</1>;", "</1>; rel", "</1>; rel=",
    "</1>; rel=\"",
    "</1>; rel=\"\"", "</1>; title=\"unclosed; rel=next, </2>; rel=next", "rel=next", "; rel=next", "</1> rel=next",
    "</1>; rel=last\\", "</1>; rel=\"last\\", "\u{0}", "</1>;;;=;\"\";rel", "</1>; rel=\"nex\u{e9}t\"",
  ])
  func malformedHeadersGiveNothing(header: String) throws {
    #expect(try next(header) == nil)
  }

  @Test func whatComesBeforeAFaultIsRead() throws {
    #expect(try next("</1>; rel=next, garbage, </2>; rel=next") == "https://example.com/1")
    #expect(try next("</1>; rel=\"next") == "https://example.com/1")
    #expect(try next("</1>;;; rel=next;") == "https://example.com/1")
    #expect(try next(" , ,</1>; rel=next") == "https://example.com/1")
  }
}
