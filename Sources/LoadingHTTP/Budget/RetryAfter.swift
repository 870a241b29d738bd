package import Foundation

/// How long a server asks to be left alone.
///
/// Source: RFC 9110, section 10.2.3.
package enum RetryAfter {
  /// What `value` asks for: digits are seconds, at most 2³¹ of them, and any HTTP date is measured against `date`,
  /// since the server's clock and ours need not agree. A date in the past is zero; nil when the value is neither.
  ///
  /// - Parameters:
  ///   - value: The value of one `Retry-After` field.
  ///   - date: The value of the same reply's `Date`; where it has none that can be read, `receivedAt` stands in.
  ///   - receivedAt: When the reply arrived, by our clock.
  package static func delay(_ value: String, date: String?, receivedAt: Date) -> Duration? {
    let bytes = value.utf8
    let trimmed = Substring(bytes.drop(while: isBlank).prefix { !isBlank($0) })
    if let seconds = DeltaSeconds.parse(trimmed), bytes.drop(while: isBlank).drop(while: isDigit).allSatisfy(isBlank) {
      return .seconds(seconds)
    }
    guard let until = HTTPDate.parse(value, now: receivedAt) else { return nil }
    let from = date.flatMap { HTTPDate.parse($0, now: receivedAt) } ?? receivedAt
    // Some time in the far past or future, where our own clock is off, must not overflow.
    return .seconds(Int(min(max(0, until.timeIntervalSince(from)), Double(DeltaSeconds.most)).rounded(.up)))
  }
}

extension HTTPReply {
  /// How long the server asks to wait before the next request; nil when it doesn't say so in a form that can be read.
  ///
  /// Seconds, or any of the three forms of an HTTP date, measured against the reply's own `Date`. Never below zero and
  /// at most 2³¹ seconds; of several fields the longest counts. Any status may carry it; what it means depends on the
  /// status.
  ///
  /// Source: RFC 9110, section 10.2.3.
  public var retryAfter: Duration? {
    let date = headers.values(for: "Date").first
    return headers.values(for: "Retry-After").compactMap {
      RetryAfter.delay($0, date: date, receivedAt: receivedAt)
    }.max()
  }
}
