import Foundation
import Testing

@testable import LoadingHTTP

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private let received = Date(timeIntervalSince1970: 784_111_777)
  private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(arguments: [
    ("120", 120), (" 0\t", 0), ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sunday, 06-Nov-94 08:51:37 GMT", 120),
    ("Sun Nov  6 08:51:37 1994", 120), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("2147483648", 2_147_483_648), ("99999999999999999999999999", 2_147_483_648),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_648),
  ])
  func H1_secondsAndTheThreeDatesAreRead(value: String, seconds: Int) {
    #expect(RetryAfter.delay(value, date: date, receivedAt: received) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "-1", "+1", "1.5", "1 2", "10, 20", "soon", "١٢", "0x10", "1e3", "Sun, 06 Nov 1994 08:51:37 PST",
    "Sun, 31 Feb 1994 08:51:37 GMT", "\u{0}", "120\u{0}",
  ])
  func H1_whatIsNeitherIsNothing(value: String) {
    #expect(RetryAfter.delay(value, date: date, receivedAt: received) == nil)
  }

  @Test func H1_aDateIsMeasuredAgainstTheReplysOwn() {
    let value = "Sun, 06 Nov 1994 08:51:37 GMT"
    let ahead = received.addingTimeInterval(86_400)
    #expect(RetryAfter.delay(value, date: date, receivedAt: ahead) == .seconds(120))
    // Without one that can be read, our own clock must do.
    #expect(RetryAfter.delay(value, date: nil, receivedAt: received) == .seconds(120))
    #expect(RetryAfter.delay(value, date: "yesterday", receivedAt: ahead) == .zero)
  }

  @Test func H1_aReplySaysHowLongToWait() throws {
    let url = try #require(URL(string: "https://example.com"))
    func reply(_ headers: HTTPHeaders) -> HTTPReply {
      HTTPReply(status: 429, headers: headers, body: Data(), url: url, receivedAt: received)
    }
    #expect(reply([:]).retryAfter == nil)
    #expect(reply(["retry-AFTER": "3"]).retryAfter == .seconds(3))
    #expect(reply(["Retry-After": "3", "retry-after": "9", "Retry-After": "x"]).retryAfter == .seconds(9))
    #expect(reply(["Date": date, "Retry-After": "Sun, 06 Nov 1994 08:49:38 GMT"]).retryAfter == .seconds(1))
  }

  @Test func H1_anyMomentOfArrivalWillDo() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
      let received = Date(timeIntervalSince1970: seconds)
      for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "5"] {
        let delay = RetryAfter.delay(value, date: nil, receivedAt: received)
        #expect(delay.map { $0 >= .zero && $0 <= .seconds(2_147_483_648) } == true)
      }
    }
  }
}
