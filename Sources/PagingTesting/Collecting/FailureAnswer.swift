/// What collecting rows does when a load fails.
public struct FailureAnswer: Hashable, Sendable {
  /// How often, in all, what failed is repeated.
  let retries: Int
  /// What is done then.
  let throwsError: Bool

  /// The load's error is thrown to the closure that scrolls, and on to whoever collects: the default.
  public static let rethrow = FailureAnswer(retries: 0, throwsError: true)
  /// Collecting ends with the rows that are loaded.
  public static let returnRows = FailureAnswer(retries: 0, throwsError: false)

  /// What failed is repeated, and once that is used up, answered as `then` says.
  ///
  /// - Parameters:
  ///   - times: How often in all, while one call collects; below zero counts as zero.
  ///   - then: The answer to the next failure; its own retries come on top.
  public static func retry(times: Int, then: FailureAnswer = .rethrow) -> FailureAnswer {
    let (sum, overflows) = max(0, times).addingReportingOverflow(then.retries)
    return FailureAnswer(retries: overflows ? .max : sum, throwsError: then.throwsError)
  }
}

/// Ends the closure that scrolls when rows are to be returned in spite of a failure.
struct CollectingStopped: Error {}
