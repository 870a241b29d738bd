import Foundation
import Testing

@testable import LoadingHTTP

@Suite struct FresheningTests {
  private func confirmation(_ headers: HTTPHeaders, status: Int = 304) -> HTTPReply {
    HTTPReply(status: status, headers: headers, body: Data(), url: URL(filePath: "/other"), receivedAt: after(100))
  }

  @Test func H4_a304BringsTheHeadersUpToDate() throws {
    let kept = keptReply([
      "Date": arrivalText, "Age": "50", "ETag": "\"a\"", "Cache-Control": "max-age=10", "Content-Type": "image/png",
      "Content-Length": "4", "Content-Encoding": "gzip", "X-Kept": "1", "Set-Cookie": "a", "Set-Cookie": "b",
    ])
    let fresh = try #require(
      kept.freshened(
        by: confirmation([
          "date": "Sun, 06 Nov 1994 08:51:17 GMT", "cache-control": "max-age=60", "Content-Type": "text/html",
          "Content-Length": "0", "Content-Encoding": "br", "Set-Cookie": "c", "X-New": "caf\u{e9}", "set-cookie": "d",
          "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "1", "Transfer-Encoding": "chunked",
        ])))
    #expect(fresh.status == 200 && fresh.body == kept.body && fresh.url == kept.url && fresh.receivedAt == after(100))
    for (name, value) in [
      ("Cache-Control", "max-age=60"), ("Content-Type", "image/png"), ("Content-Length", "4"),
      ("Content-Encoding", "gzip"), ("X-Kept", "1"), ("X-New", "caf\u{e9}"), ("ETag", "\"a\""),
    ] { #expect(fresh.headers[name] == value) }
    #expect(fresh.headers.values(for: "Set-Cookie") == ["c", "d"])
    for name in ["Age", "Connection", "X-Hop", "Keep-Alive", "Transfer-Encoding"] {
      #expect(fresh.headers[name] == nil)
    }
    // It is as old as the 304 says, and no older.
    let freshness = HTTPFreshness(reply: fresh, request: get())
    #expect(freshness.age(at: after(100)) == .zero && freshness.verdict(at: after(159)) == .fresh)
    #expect(freshness.verdict(at: after(160)) == .stale(["If-None-Match": "\"a\""]))
  }

  @Test func H4_a304OfAnotherTagConfirmsNothing() {
    let kept = keptReply(["ETag": "\"a\""])
    #expect(kept.freshened(by: confirmation(["ETag": "\"b\""])) == nil)
    #expect(kept.freshened(by: confirmation(["ETag": "\"a\""], status: 200)) == nil)
    for tag in ["\"a\"", "W/\"a\""] { #expect(kept.freshened(by: confirmation(["ETag": tag])) != nil) }
    #expect(keptReply(["ETag": "W/\"a\""]).freshened(by: confirmation(["ETag": "\"a\""])) != nil)
    #expect(
      kept.freshened(by: confirmation([:])) != nil && keptReply([:]).freshened(by: confirmation(["ETag": "x"])) != nil)
  }

  @Test func H4_tagsAndWhatVariesAreComparedByteForByte() {
    // Letters that look the same, and as texts are equal.
    let (one, other) = ("caf\u{e9}", "cafe\u{301}")
    #expect(keptReply(["ETag": one]).freshened(by: confirmation(["ETag": one])) != nil)
    #expect(keptReply(["ETag": one]).freshened(by: confirmation(["ETag": other])) == nil)
    let freshness = HTTPFreshness(reply: keptReply(["Vary": "X-Shelf"]), request: get(["X-Shelf": one]))
    #expect(freshness.matches(get(["X-Shelf": one])) && !freshness.matches(get(["X-Shelf": other])))
  }

  @Test func H4_theSame304AddsNothingASecondTime() throws {
    // One letter in two cases, but not of ASCII: two names.
    let update = confirmation(["A\u{4DF}": "1", "a\u{4DE}": "2", "B": "3", "b": "4"])
    let once = try #require(keptReply([:]).freshened(by: update))
    #expect(once.headers.map(\.value) == ["1", "2", "3", "4"])
    #expect(once.freshened(by: update) == once)
  }

  @Test func H4_headersCanBeWalked() {
    let headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    #expect(headers.map(\.name) == ["A", "B", "a"] && headers.map(\.value) == ["1", "2", "3"])
    #expect(HTTPHeaders(headers.reversed()).values(for: "a") == ["3", "1"])
  }
}
