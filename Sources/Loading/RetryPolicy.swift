/// Whether, how often and how late a failed load is tried again by itself.
///
/// The default everywhere is ``none``. A transport often retries too, and the two multiply: three attempts here over
/// three there are nine requests.
public struct RetryPolicy: Sendable {
  /// What a classifier says of one error.
  public struct Decision: Hashable, Sendable {
    /// How long the server asked to wait; nil: do not retry.
    public let delay: Duration?

    /// The error will come again: do not retry.
    public static let permanent = Decision(delay: nil)
    /// The error may go away by itself: retry after the policy's own delay.
    public static let transient = Decision(delay: .zero)

    /// Retry, but not before `delay`: what the server asked for, as `Retry-After` (RFC 9110, section 10.2.3).
    public static func after(_ delay: Duration) -> Decision {
      Decision(delay: delay)
    }
  }

  private let maxAttempts: Int
  private let base: Duration
  private let cap: Duration
  private let jitter: Double
  private let classify: @Sendable (any Error) -> Decision
  /// Where the jitter's chance starts; nil: the system's.
  package let seed: UInt64?

  /// Never tries again: the default.
  public static let none = RetryPolicy(
    maxAttempts: 1, base: .zero, cap: .zero, jitter: 0, classify: { _ in .permanent }, seed: nil)

  /// Tries again after `base`, `2 * base`, `4 * base`, … at most `cap`, each shortened by chance.
  ///
  /// | attempt that failed | delay with base 0.5 s, cap 30 s, no jitter |
  /// |---|---|
  /// | 1 | 0.5 s |
  /// | 2 | 1 s |
  /// | 3 | 2 s |
  /// | 7 and later | 30 s |
  ///
  /// A delay that the server asked for is never shortened; one beyond `cap` ends the attempts, since whoever waits
  /// on a screen would rather be told.
  ///
  /// - Parameters:
  ///   - maxAttempts: All attempts together, the first one too; values below 1 count as 1.
  ///   - base: The delay after the first failure; below zero counts as zero.
  ///   - cap: The longest delay.
  ///   - jitter: 0 for none, 1 for a delay anywhere between nothing and the full one ("full jitter"); clamped.
  ///   - seed: Makes the chance repeatable, for tests.
  ///   - classify: Says of an error whether it may go away. Cancellation is never retried, whatever this says.
  public static func exponential(
    maxAttempts: Int, base: Duration = .milliseconds(500), cap: Duration = .seconds(30), jitter: Double = 1,
    seed: UInt64? = nil, classify: @escaping @Sendable (any Error) -> Decision
  ) -> RetryPolicy {
    RetryPolicy(
      maxAttempts: max(1, maxAttempts), base: max(.zero, base), cap: max(.zero, cap),
      jitter: jitter.isNaN ? 1 : min(1, max(0, jitter)), classify: classify, seed: seed)
  }

  /// How long to wait before the next attempt, or nil when there is none.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt that failed, from 1.
  ///   - error: What it failed with.
  ///   - generator: The source of the jitter.
  package func delay(
    afterAttempt attempt: Int, error: any Error, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard attempt < maxAttempts, !(error is CancellationError), let asked = classify(error).delay, asked <= cap
    else { return nil }
    var full = min(base, cap)
    var doublings = attempt - 1
    while doublings > 0, full > .zero, full < cap {
      full = full > cap / 2 ? cap : full * 2
      doublings -= 1
    }
    let kept = jitter == 0 ? 1 : 1 - jitter * Double.random(in: 0...1, using: &generator)
    return max(asked, full * kept)
  }
}
