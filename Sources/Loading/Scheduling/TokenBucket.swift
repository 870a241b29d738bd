/// How many things may begin: so many at once, and then so many in a second.
///
/// A bucket holds `burst` tokens and gets one back each `interval`; who begins takes one, who never begins takes none.
/// Pure: `now` is the time since the bucket was made. Every call costs O(1).
package struct TokenBucket: Hashable, Sendable {
  private let interval: Duration
  private let burst: Int
  /// When the bucket will be full again; now or earlier: it is.
  private var fullAt = Duration.zero

  /// A full bucket.
  ///
  /// - Parameters:
  ///   - perSecond: How many tokens come back in a second, 1 to 1,000,000; values beyond count as these.
  ///   - burst: How many it holds; values below 1 count as 1, those above 1,000,000 as that.
  package init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / min(max(1, perSecond), 1_000_000)
    self.burst = min(max(1, burst), 1_000_000)
  }

  /// When there is a token next: `now` where there is one.
  package func nextToken(now: Duration) -> Duration {
    // With one token there, all but one are missing.
    max(now, fullAt - interval * (burst - 1))
  }

  /// Takes a token.
  ///
  /// - Returns: Whether there was one.
  package mutating func take(now: Duration) -> Bool {
    guard nextToken(now: now) <= now else { return false }
    fullAt = max(fullAt, now) + interval
    return true
  }
}
