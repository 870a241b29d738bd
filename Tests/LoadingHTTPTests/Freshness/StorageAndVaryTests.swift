import Foundation
import Testing

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct StorageAndVaryTests {
  private func stores(_ status: Int, _ control: String = "", method: String = "GET", asked: String? = nil) -> Bool {
    let headers: HTTPHeaders = control.isEmpty ? [:] : ["Cache-Control": control]
    let request = get(asked.map { ["Cache-Control": $0] } ?? [:], method: method)
    return HTTPFreshness(reply: keptReply(headers, status: status), request: request).isStorable
  }

  /// RFC 9110, section 15.1, and RFC 9111, section 3.
  @Test func H4_whatMayBeKeptDependsOnStatusAndMethod() {
    let unasked = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    for status in 100..<600 {
      let isWhole = status >= 200 && status != 206 && status != 304
      #expect(stores(status) == unasked.contains(status), "\(status)")
      #expect(stores(status, "max-age=60") == isWhole, "\(status)")
      #expect(!stores(status, "max-age=60, no-store"), "\(status)")
      #expect(!stores(status, "max-age=60", method: "POST"), "\(status)")
    }
    for method in ["HEAD", "PUT", "DELETE"] { #expect(!stores(200, "max-age=60", method: method)) }
    #expect(stores(302, "private") && stores(302, "public") && !stores(302, "s-maxage=60"))
    #expect(stores(200, "private, max-age=60") && stores(200, "private=\"Set-Cookie\""))
    #expect(!stores(200, "max-age=60", asked: "no-store") && stores(200, "max-age=60", asked: "no-cache"))
    #expect(HTTPFreshness(reply: keptReply(["Expires": "0"], status: 302), request: get()).isStorable)
  }

  /// RFC 9111, section 5.2.2.3.
  @Test func H4_mustUnderstandOverridesNoStoreForAKnownStatus() {
    #expect(stores(200, "must-understand, no-store, max-age=60"))
    #expect(!stores(299, "must-understand, no-store, max-age=60") && !stores(299, "must-understand, max-age=60"))
    #expect(stores(299, "max-age=60"))
  }

  @Test func H4_whatMayNotBeKeptIsNeverUsed() {
    let freshness = HTTPFreshness(reply: keptReply(["Cache-Control": "no-store, max-age=60"]), request: get())
    #expect(freshness.verdict(at: arrival) == .uncacheable)
    #expect(freshness.verdict(at: arrival, for: get()) == .uncacheable)
    #expect(!freshness.mayServeOnError(at: arrival) && !freshness.mayServeWhileRevalidating(at: arrival))
  }

  @Test func H4_varyTellsRequestsApart() {
    let headers: HTTPHeaders = [
      "Vary": "Accept-Language, accept-encoding", "Cache-Control": "max-age=60", "ETag": "\"a\"",
      "Last-Modified": arrivalText, "vary": "ACCEPT-language, , X",
    ]
    let asked = get(["Accept-Language": "nb, en"])
    let freshness = HTTPFreshness(reply: keptReply(headers), request: asked)
    #expect(freshness.selecting == ["accept-language": "nb, en", "accept-encoding": "", "x": ""])
    #expect(freshness.matches(asked) && freshness.matches(get(["accept-language": " nb, en ", "Other": "1"])))
    for other in [
      ["Accept-Language": "en, nb"], ["Accept-Language": "NB, EN"], [:], ["Accept-Language": "nb, en", "X": "1"],
    ] {
      #expect(!freshness.matches(get(other)))
      // A date says nothing across variants, a tag does.
      #expect(freshness.verdict(at: arrival, for: get(other)) == .stale(["If-None-Match": "\"a\""]))
    }
    #expect(freshness.verdict(at: arrival, for: asked) == .fresh)
  }

  @Test func H4_varyByEverythingMatchesNothing() {
    for vary in ["*", "Accept, *", " * "] {
      let freshness = HTTPFreshness(
        reply: keptReply(["Vary": vary, "Cache-Control": "max-age=60", "ETag": "x"]), request: get())
      #expect(!freshness.matches(get()))
      #expect(freshness.verdict(at: arrival) == .stale(["If-None-Match": "x"]))
      #expect(freshness.verdict(at: arrival, for: get()) == .stale(["If-None-Match": "x"]))
    }
  }

  /// RFC 9111, section 5.2.1, each against a lifetime of 60 seconds.
  @Test func H4_aRequestsOwnWishesCount() {
    let plain = HTTPFreshness(reply: keptReply(["Cache-Control": "max-age=60"]), request: get())
    let strict = HTTPFreshness(reply: keptReply(["Cache-Control": "max-age=60, must-revalidate"]), request: get())
    func isFresh(_ control: String, at seconds: Double, _ freshness: HTTPFreshness) -> Bool {
      freshness.verdict(at: after(seconds), for: get(["Cache-Control": control])) == .fresh
    }
    #expect(!isFresh("no-cache", at: 0, plain))
    #expect(isFresh("max-age=10", at: 10, plain) && !isFresh("max-age=10", at: 11, plain))
    #expect(isFresh("min-fresh=20", at: 39, plain) && !isFresh("min-fresh=20", at: 40, plain))
    #expect(isFresh("max-stale", at: 9_999, plain) && !isFresh("max-stale", at: 61, strict))
    #expect(isFresh("max-stale=5", at: 65, plain) && !isFresh("max-stale=5", at: 66, plain))
    #expect(!isFresh("max-stale=x", at: 61, plain))
    #expect(plain.verdict(at: arrival, for: get(["Pragma": "no-cache"])) == .stale([:]))
    #expect(plain.verdict(at: arrival, for: get(["Pragma": "no-cache", "Cache-Control": "x"])) == .fresh)
    #expect(plain.verdict(at: arrival, for: get(method: "POST")) == .stale([:]))
  }
}
