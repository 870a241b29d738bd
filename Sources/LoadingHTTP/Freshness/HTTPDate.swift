package import Foundation

/// Reads the dates of header fields, in all three forms that a server may send.
///
/// | form | looks like |
/// |---|---|
/// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
/// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
/// | asctime | `Sun Nov  6 08:49:37 1994` |
///
/// Names are read without regard to case, which caches should do (RFC 9111, section 4.2); a zone other than `GMT` makes
/// a date invalid, as does a day that its month does not have. Whether the weekday is the right one is not asked. Any
/// bytes give a date or nil. Source: RFC 9110, section 5.6.7.
package enum HTTPDate {
  /// The date that `text` spells, or nil when it is none.
  ///
  /// - Parameters:
  ///   - text: The value of a header field; space and tabs around it do not count.
  ///   - now: What the two digits of an RFC 850 year are measured by: one more than 50 years ahead is taken for the
  ///     last year in the past that ends in them.
  package static func parse(_ text: String, now: Date) -> Date? {
    var reader = DateReader(text)
    guard let moment = reader.moment(nowYear: civilYear(of: now)), moment.isPossible else { return nil }
    return Date(timeIntervalSince1970: Double(moment.seconds))
  }

  /// The year of a date, in GMT; clamped to those that a header field can spell.
  private static func civilYear(of date: Date) -> Int {
    let seconds = date.timeIntervalSince1970
    guard seconds > -62_000_000_000 else { return 0 }
    guard seconds < 253_000_000_000 else { return 9_999 }
    // The inverse of `Moment.days`: a year of an era that begins on 1 March (Howard Hinnant, "chrono-compatible date
    // algorithms").
    let days = Int((seconds / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    return yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
  }
}

/// Year to second, in GMT, of numbers as they were read: at most four digits each.
private struct Moment {
  var year = 0
  /// 1 to 12.
  var month = 0
  var day = 0
  var hour = 0
  var minute = 0
  /// 60 in a leap second, which counts as the second after it.
  var second = 0

  var isPossible: Bool {
    (1...12).contains(month) && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60 && second <= 60
  }

  private var daysInMonth: Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Since 1970.
  var seconds: Int { days * 86_400 + hour * 3_600 + minute * 60 + second }

  /// Days since 1970 (Howard Hinnant, "chrono-compatible date algorithms").
  private var days: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Reads one date, byte by byte, each once.
private struct DateReader {
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let longWeekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    // The longest date has 33 bytes; what goes on after 64 is none, and need not be copied.
    let bytes = Array(text.utf8.drop(while: isBlank).prefix(64))
    rest = bytes[..<(bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0)]
  }

  mutating func moment(nowYear: Int) -> Moment? {
    guard let weekday = word() else { return nil }
    if Self.longWeekdays.contains(weekday) { return rfc850(nowYear: nowYear) }
    guard Self.weekdays.contains(weekday) else { return nil }
    return take(",") ? fixdate() : asctime()
  }

  private mutating func fixdate() -> Moment? {
    var moment = Moment()
    guard take(" "), let day = number(2), take(" "), let month = month(), take(" "), let year = number(4), take(" "),
      time(into: &moment), take(" "), word() == "gmt", rest.isEmpty
    else { return nil }
    (moment.year, moment.month, moment.day) = (year, month, day)
    return moment
  }

  private mutating func rfc850(nowYear: Int) -> Moment? {
    var moment = Moment()
    guard take(","), take(" "), let day = number(2), take("-"), let month = month(), take("-"), let short = number(2),
      take(" "), time(into: &moment), take(" "), word() == "gmt", rest.isEmpty
    else { return nil }
    let year = nowYear - nowYear % 100 + short
    // The one of that ending that is at most 50 years ahead, and no more than 49 back.
    (moment.month, moment.day) = (month, day)
    moment.year = year > nowYear + 50 ? year - 100 : year <= nowYear - 50 ? year + 100 : year
    return moment
  }

  private mutating func asctime() -> Moment? {
    var moment = Moment()
    guard take(" "), let month = month(), take(" ") else { return nil }
    guard let day = take(" ") ? number(1) : number(2), take(" "), time(into: &moment), take(" "),
      let year = number(4), rest.isEmpty
    else { return nil }
    (moment.year, moment.month, moment.day) = (year, month, day)
    return moment
  }

  private mutating func time(into moment: inout Moment) -> Bool {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2) else {
      return false
    }
    (moment.hour, moment.minute, moment.second) = (hour, minute, second)
    return true
  }

  private mutating func month() -> Int? {
    word().flatMap { Self.months.firstIndex(of: $0) }.map { $0 + 1 }
  }

  /// The letters that come next, in lower case.
  private mutating func word() -> String? {
    let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    guard !letters.isEmpty else { return nil }
    rest = rest.dropFirst(letters.count)
    return String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
  }

  /// The next `count` bytes, all digits, as a number.
  private mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

/// Whether a byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Whether a byte is one of `0` to `9`.
func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
