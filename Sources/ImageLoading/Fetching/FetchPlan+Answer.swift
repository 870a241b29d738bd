import Foundation
import Loading
import LoadingHTTP

extension FetchPlan {
  /// What the head of an answer leads to.
  enum Answer: Equatable {
    /// The body is the picture.
    case whole
    /// The body is the rest of it; how long the whole is.
    case rest(total: Int)
    /// What is stored still holds; its head brought up to date.
    case holds(HTTPReply)
    /// The answer is of no use: ask for the whole, without conditions.
    case askForWhole
    case failure(Failure)
  }

  /// A status that brings no picture.
  struct Failure: Equatable {
    let status: Int
    /// Whether it may go away by itself, and not before when.
    let decision: RetryPolicy.Decision
    /// How long it is remembered; nil: not.
    let remembered: Duration?

    /// Whether the picture is gone for good: what is stored of it is, too.
    var isGone: Bool { status == 404 || status == 410 }
    /// Whether it is the server's trouble and says nothing of the picture.
    var isServerTrouble: Bool { FetchPlan.isServerTrouble(status) }
  }

  /// - Parameters:
  ///   - question: What was asked.
  ///   - head: The head of the answer.
  ///   - stored: The head of what is stored, whose conditions were sent.
  ///   - isLast: Whether it was asked for the whole already after an answer of no use.
  ///   - failureLifetime: How long a picture that isn't there is remembered as that.
  static func answer(
    to question: Question, _ head: HTTPReply, stored: HTTPReply?, isLast: Bool, failureLifetime: Duration
  ) -> Answer {
    let failure = Answer.failure(failure(head, failureLifetime))
    let useless: Answer = isLast ? failure : .askForWhole
    switch head.status {
    case 200, 203: return .whole
    case 206:
      guard case .rest(let part) = question, let total = part.total(joinedBy: head) else { return useless }
      return .rest(total: total)
    case 304:
      guard case .whether = question, let fresh = stored?.freshened(by: head) else { return useless }
      return .holds(fresh)
    case 412, 416:
      // Neither says anything of the whole.
      return question == .whole ? failure : useless
    default: return failure
    }
  }

  private static func failure(_ head: HTTPReply, _ lifetime: Duration) -> Failure {
    let decision: RetryPolicy.Decision = isServerTrouble(head.status) ? .after(head.retryAfter ?? .zero) : .permanent
    return Failure(status: head.status, decision: decision, remembered: remembered(head, lifetime))
  }

  /// What passes by itself: too slow, too early, too many, and the server's own failures but for what it never learns
  /// (501, 505, …).
  private static func isServerTrouble(_ status: Int) -> Bool {
    [408, 425, 429, 500, 502, 503, 504].contains(status)
  }

  /// No longer than the server's own word on it.
  private static func remembered(_ head: HTTPReply, _ lifetime: Duration) -> Duration? {
    guard head.status == 404 || head.status == 410, lifetime > .zero else { return nil }
    let control = CacheControl(head.headers)
    if control.noStore || control.noCache { return nil }
    let most = control.maxAge.map { min($0, lifetime) } ?? lifetime
    return most > .zero ? most : nil
  }
}
