import Foundation
import Loading
import LoadingHTTP

/// A request that brought no picture, and what follows from that.
struct FetchFailure: Error {
  let error: ImageError
  /// Whether it may go away.
  let decision: RetryPolicy.Decision
  /// Whether the server couldn't be reached, or couldn't answer: then what is stored may stand in.
  let allowsStale: Bool

  /// What the transport threw.
  init(_ cause: any Error, url: URL, limit: Int) {
    let host = url.host ?? "the server"
    guard let cause = cause as? HTTPError else {
      error = ImageError(
        .network, message: "the transport failed for \(host); see the cause, it is no HTTPError", cause: cause)
      (decision, allowsStale) = (.permanent, true)
      return
    }
    switch cause.code {
    case .bodyTooLarge:
      self = .tooLarge(url: url, limit: limit, cause: cause)
    case .invalidURL:
      error = ImageError(.invalidRequest, message: cause.message, cause: cause)
      (decision, allowsStale) = (.permanent, false)
    case .connectionFailed, .timedOut, .invalidResponse:
      error = ImageError(.network, message: cause.message, cause: cause)
      (decision, allowsStale) = (.transient, true)
    default:
      error = ImageError(.network, message: cause.message, status: cause.status, cause: cause)
      (decision, allowsStale) = (.permanent, true)
    }
  }

  /// A status that brings no picture.
  init(_ failure: FetchPlan.Failure, url: URL) {
    error = Self.statusError(failure.status, url: url)
    decision = failure.decision
    allowsStale = failure.isServerTrouble
  }

  private init(_ error: ImageError, _ decision: RetryPolicy.Decision, allowsStale: Bool) {
    self.error = error
    self.decision = decision
    self.allowsStale = allowsStale
  }

  /// A body beyond the limit.
  static func tooLarge(url: URL, limit: Int, cause: (any Error)? = nil) -> FetchFailure {
    FetchFailure(
      ImageError(
        .limit,
        message:
          "the answer of \(url.host ?? "the server") is longer than \(limit) bytes; ask it for a smaller picture, "
          + "or raise ImageLoaderConfig.maxResponseBytes", cause: cause), .permanent, allowsStale: false)
  }

  /// A body that ended before its length, which the transport took for its end, or went on beyond it.
  static func cutShort(url: URL, count: Int, of length: Int) -> FetchFailure {
    FetchFailure(
      ImageError(
        .network,
        message:
          "\(url.host ?? "the server") sent \(count) bytes of \(length) and ended; "
          + "try again, or see why the server does that"
      ),
      .transient, allowsStale: true)
  }

  static func statusError(_ status: Int, url: URL, remembered: Bool = false) -> ImageError {
    let host = url.host ?? "the server"
    let advice =
      switch status {
      case 401, 403: "send what it asks for in ImageRequest.headers, or have an interceptor add it"
      case 404, 410: "there is no such picture; see whether the URL is right"
      case 429: "too many requests; ask later, or for fewer at a time"
      case 500...599: "the server failed; try again later"
      case 204, 205: "the answer has no picture; ask for another URL"
      default: "ask it for a URL that answers with a picture"
      }
    let when =
      remembered ? " a short while ago, and isn't asked again until ImageLoaderConfig.failureLifetime is over" : ""
    return ImageError(.status, message: "\(host) answered \(status)\(when): \(advice)", status: status)
  }

  static func refusal(_ refusal: FetchPlan.Refusal, url: URL) -> ImageError {
    switch refusal {
    case .notCached:
      ImageError(
        .notCached,
        message:
          "the picture is not in the caches and the network was not to be asked; allow it in the request's cachePolicy")
    case .forbiddenStale:
      ImageError(
        .notCached,
        message:
          "the picture on disk is out of date and its server forbids to show it unasked; "
          + "allow the network in the request's cachePolicy"
      )
    case .remembered(let status): statusError(status, url: url, remembered: true)
    }
  }
}
