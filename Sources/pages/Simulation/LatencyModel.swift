import Foundation

/// How long a server takes before the first byte of its answer, in milliseconds.
enum LatencyModel: Hashable, Sendable, CustomStringConvertible {
  /// Always the same.
  case fixed(Double)
  /// Anything between two bounds, all alike.
  case between(Double, Double)
  /// Half of the answers within the first, 95 of 100 within the second.
  case percentiles(Double, Double)

  /// The longest that is taken, ten minutes.
  static let longest = 600_000.0

  /// Reads `120ms`, `80ms-300ms` or `120ms/0.6s`; nil for anything else.
  init?(_ text: some StringProtocol) {
    func pair(_ separator: Character) -> (Double, Double)? {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { Self.number($0) }
      guard parts.count == 2, let low = parts[0], let high = parts[1], low <= high else { return nil }
      return (low, high)
    }
    if let milliseconds = Self.number(text) {
      self = .fixed(milliseconds)
    } else if let (low, high) = pair("-") {
      self = .between(low, high)
    } else if let (median, percentile95) = pair("/"), median > 0 {
      self = .percentiles(median, percentile95)
    } else {
      return nil
    }
  }

  private static func number(_ text: some StringProtocol) -> Double? {
    TimeSpan.read(text).map { $0 / .milliseconds(1) }.flatMap { $0 <= longest ? $0 : nil }
  }

  /// One answer's time. The longest is ``longest``.
  func milliseconds(by chance: inout Chance) -> Double {
    switch self {
    case .fixed(let milliseconds): milliseconds
    case .between(let low, let high): chance.number(in: low...high)
    case .percentiles(let median, let percentile95):
      min(Self.longest, chance.skewed(median: median, percentile95: percentile95))
    }
  }

  /// In milliseconds, without their unit.
  var description: String {
    switch self {
    case .fixed(let milliseconds): brief(milliseconds)
    case .between(let low, let high): "\(brief(low))-\(brief(high))"
    case .percentiles(let median, let percentile95): "\(brief(median))/\(brief(percentile95))"
    }
  }
}

/// A number with at most `digits` behind the point, and no zeros at its end.
func brief(_ number: Double, digits: Int = 2) -> String {
  guard number.isFinite else { return "–" }
  var text = String(format: "%.\(digits)f", number)
  while digits > 0, text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}
