import Foundation
import Testing

@testable import LoadingHTTP

@Suite struct HTTPDateTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)  // 1 January 2026

  private func seconds(_ text: String) -> Int? {
    HTTPDate.parse(text, now: now).map { Int($0.timeIntervalSince1970) }
  }

  /// The example of RFC 9110, section 5.6.7, in its three forms.
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    " sun, 06 nov 1994 08:49:37 gmt\t", "SUNDAY, 06-NOV-94 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
  ])
  func H4_theThreeFormsAreOneDate(text: String) {
    #expect(seconds(text) == 784_111_777)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
    "Tue, 29 Feb 2025 00:00:00 GMT", "Tue, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x", "Sun, 06 Nov 1994  08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun, 06-Nov-94 08:49:37 GMT",
  ])
  func H4_whatIsNoDateIsNone(text: String) {
    #expect(seconds(text) == nil)
  }

  @Test func H4_everyDayIsWhereFoundationHasIt() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for year in [1583, 1899, 1900, 1970, 1999, 2000, 2024, 2100, 2400, 9999] {
      for month in 1...12 {
        let parts = DateComponents(year: year, month: month, day: 28, hour: 23, minute: 59, second: 58)
        let expected = try #require(calendar.date(from: parts)).timeIntervalSince1970
        let text = "Mon, 28 \(months[month - 1]) \(year) 23:59:58 GMT"
        #expect(seconds(text).map { Double($0) } == expected, "\(text)")
      }
    }
    #expect(seconds("Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800)
    // A leap second is the second after it.
    #expect(seconds("Sat, 31 Dec 2016 23:59:60 GMT") == seconds("Sun, 01 Jan 2017 00:00:00 GMT"))
  }

  @Test func H4_twoDigitsAreAtMostFiftyYearsAhead() {
    func year(_ digits: String, at now: String) -> String? {
      guard let now = HTTPDate.parse(now, now: self.now),
        let date = HTTPDate.parse("Monday, 01-Jun-\(digits) 00:00:00 GMT", now: now)
      else { return nil }
      for century in ["18", "19", "20", "21"]
      where HTTPDate.parse("Mon, 01 Jun \(century)\(digits) 00:00:00 GMT", now: now) == date { return century + digits }
      return nil
    }
    let today = "Thu, 01 Jan 2026 00:00:00 GMT"
    for (digits, expected) in [("26", "2026"), ("76", "2076"), ("77", "1977"), ("99", "1999"), ("00", "2000")] {
      #expect(year(digits, at: today) == expected)
    }
    #expect(year("10", at: "Mon, 31 Dec 2085 23:59:59 GMT") == "2110")
    #expect(year("99", at: "Sat, 01 Jan 2000 00:00:00 GMT") == "1999")
  }
}
