import Foundation
import Testing

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct HTTPFreshnessTests {
  struct Lifetime: Sendable, CustomTestStringConvertible {
    let headers: HTTPHeaders
    let seconds: Int
    var testDescription: String { headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ") }

    init(_ headers: HTTPHeaders, _ seconds: Int) {
      self.headers = headers
      self.seconds = seconds
    }
  }

  @Test(arguments: [
    Lifetime([:], 0),
    Lifetime(["Cache-Control": "max-age=60"], 60),
    Lifetime(["Cache-Control": "s-maxage=600"], 0),
    Lifetime(["Cache-Control": "s-maxage=600, max-age=60"], 60),
    Lifetime(["Date": arrivalText, "Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
    // Measured from the Date, which needn't be our own.
    Lifetime(["Date": "Sun, 06 Nov 1994 08:00:00 GMT", "Expires": "Sun, 06 Nov 1994 09:00:00 GMT"], 3_600),
    Lifetime(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
    // max-age goes before Expires, legible or not (section 5.3).
    Lifetime(["Cache-Control": "max-age=5", "Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 5),
    Lifetime(["Cache-Control": "max-age=x", "Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 0),
    Lifetime(["Expires": "0"], 0), Lifetime(["Expires": "-1"], 0), Lifetime(["Expires": ""], 0),
    Lifetime(["Expires": "Sun, 06 Nov 1994 08:50:37 PST"], 0),
    Lifetime(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT, Sun, 06 Nov 1994 08:50:37 GMT"], 0),
    Lifetime(["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"], 0),
    Lifetime(["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 2_147_483_648),
    Lifetime(["Last-Modified": "Thu, 27 Oct 1994 08:49:37 GMT"], 0),
  ])
  func H4_theLifetimeIsWhatTheReplySays(row: Lifetime) {
    let freshness = freshness(row.headers)
    #expect(freshness.lifetime == .seconds(row.seconds))
    // Fresh while its lifetime is greater than its age, not as great (section 4.2).
    let age = freshness.age(at: arrival)
    if age == .zero, row.seconds > 0 {
      #expect(freshness.verdict(at: after(Double(row.seconds) - 1)) == .fresh)
    }
    if case .fresh = freshness.verdict(at: after(Double(row.seconds))) { Issue.record("still fresh at its end") }
  }

  /// RFC 9111, section 4.2.3.
  @Test func H4_theAgeIsTheLargerOfWhatTheClocksAndTheHeaderSay() {
    func age(_ headers: HTTPHeaders, requested: Double? = nil, at seconds: Double = 0) -> Duration {
      HTTPFreshness(reply: keptReply(headers), request: get(), requestedAt: requested.map { after($0) })
        .age(at: after(seconds))
    }
    #expect(age([:]) == .zero)
    #expect(age(["Age": "30"], at: 10) == .seconds(40))
    #expect(age(["Date": "Sun, 06 Nov 1994 08:48:37 GMT"], at: 5) == .seconds(65))
    #expect(age(["Date": "Sun, 06 Nov 1994 08:48:37 GMT", "Age": "100"]) == .seconds(100))
    #expect(age(["Date": "Sun, 06 Nov 1994 08:48:37 GMT", "Age": "10"]) == .seconds(60))
    // A Date ahead of our clock makes no age below zero.
    #expect(age(["Date": "Sun, 06 Nov 1994 09:48:37 GMT"]) == .zero)
    #expect(age(["Age": "30"], requested: -4, at: 10) == .seconds(44))
    #expect(age(["Age": "30"], requested: 4) == .seconds(30))
    // Of a list the first; what is no number is not looked at (section 5.1).
    #expect(age(["Age": "7, 100"]) == .seconds(7))
    for wrong in ["-7", "1.5", "x", ""] { #expect(age(["Age": wrong]) == .zero) }
    #expect(age(["Age": "99999999999999999999"]) == .seconds(2_147_483_648))
    // A clock that was set back must not keep a reply fresh for good.
    #expect(age([:], at: -3_600) == .seconds(3_600))
  }

  @Test func H4_noCacheAsksEachTime() {
    for value in ["max-age=60, no-cache", "no-cache=\"Set-Cookie\", max-age=60"] {
      let freshness = freshness(["Cache-Control": value, "ETag": "\"a\""])
      #expect(freshness.verdict(at: arrival) == .stale(["If-None-Match": "\"a\""]))
      #expect(freshness.forbidsStale)
    }
    #expect(freshness(["Cache-Control": "max-age=60, must-revalidate"]).verdict(at: arrival) == .fresh)
  }

  @Test func H4_staleRepliesAreShownAsFarAsTheyAllow() {
    let headers: HTTPHeaders = ["Cache-Control": "max-age=10, stale-while-revalidate=20, stale-if-error=30"]
    let both = freshness(headers)
    #expect(both.staleWhileRevalidate == .seconds(20) && both.staleIfError == .seconds(30) && !both.forbidsStale)
    #expect(both.mayServeWhileRevalidating(at: after(29)) && !both.mayServeWhileRevalidating(at: after(30)))
    #expect(both.mayServeOnError(at: after(39)) && !both.mayServeOnError(at: after(40)))
    for word in ["must-revalidate", "no-cache", "no-store"] {
      var forbidden = headers
      forbidden.append(word, for: "Cache-Control")
      let none = freshness(forbidden)
      #expect(none.forbidsStale && none.staleWhileRevalidate == .zero && none.staleIfError == .zero)
      #expect(!none.mayServeWhileRevalidating(at: after(15)) && !none.mayServeOnError(at: after(15)))
    }
    #expect(!freshness(["Cache-Control": "max-age=10"]).mayServeOnError(at: after(10)))
  }

  @Test func H4_guessesAreOffAndAtMostATenth() {
    let tenDays: HTTPHeaders = ["Date": arrivalText, "Last-Modified": "Thu, 27 Oct 1994 08:49:37 GMT"]
    #expect(freshness(tenDays).lifetime == .zero)
    #expect(freshness(tenDays, heuristic: 0.1).lifetime == .seconds(86_400))
    #expect(freshness(tenDays, heuristic: 0.05).lifetime == .seconds(43_200))
    for part in [5, Double.infinity] { #expect(freshness(tenDays, heuristic: part).lifetime == .seconds(86_400)) }
    for part in [-1, Double.nan] { #expect(freshness(tenDays, heuristic: part).lifetime == .zero) }
    // What the reply says goes before, a status that isn't kept unasked isn't guessed at, nor a date in the future.
    #expect(freshness(["Cache-Control": "max-age=0"] + tenDays, heuristic: 0.1).lifetime == .zero)
    #expect(freshness(["Expires": "0"] + tenDays, heuristic: 0.1).lifetime == .zero)
    #expect(freshness(tenDays, status: 302, heuristic: 0.1).lifetime == .zero)
    #expect(freshness(["Cache-Control": "public"] + tenDays, status: 302, heuristic: 0.1).lifetime == .seconds(86_400))
    #expect(freshness(["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"], heuristic: 0.1).lifetime == .zero)
  }

  @Test func H4_conditionsAreByteForByte() {
    func conditions(_ headers: HTTPHeaders) -> HTTPHeaders { freshness(headers).conditions }
    for tag in ["\"a\"", "W/\"a\"", "abc", "\"\"", "\"caf\u{e9}\"", "\"a, b\""] {
      #expect(conditions(["etag": tag]) == ["If-None-Match": tag])
    }
    #expect(conditions(["ETag": ""]).isEmpty)
    let date = "Sunday, 06-Nov-94 08:49:37 GMT"
    #expect(conditions(["Last-Modified": date, "ETag": "x"]) == ["If-None-Match": "x", "If-Modified-Since": date])
    #expect(conditions(["Last-Modified": "yesterday"]).isEmpty)
    #expect(freshness([:]).verdict(at: arrival) == .stale([:]))
  }
}

private func + (a: HTTPHeaders, b: HTTPHeaders) -> HTTPHeaders { HTTPHeaders(Array(a) + Array(b)) }
