import Foundation

/// Puts into words what the URL system reports of a request that failed.
enum WireFailure {
  /// The error for a code of `NSURLErrorDomain`.
  ///
  /// On Linux a body that is cut short comes as -1 and a connection closed before the answer as -1011; on Apple
  /// platforms both come as -1005. What counts is therefore whether the head of an answer was there.
  ///
  /// - Parameters:
  ///   - code: The code, or nil when the error is of another domain.
  ///   - hasHead: Whether the head of an answer had arrived.
  ///   - url: What was asked for.
  ///   - cause: The error itself.
  static func error(code: Int?, hasHead: Bool, url: URL, cause: (any Error)?) -> HTTPError {
    let place = url.hostAndPath
    if code == -1001 {
      return HTTPError(
        .timedOut, message: "\(place) sent nothing for too long; try again later or raise the timeout", cause: cause)
    }
    if hasHead {
      return HTTPError(
        .invalidResponse, message: "the answer of \(place) broke off before its end; try again", cause: cause)
    }
    switch code {
    case -1000:
      return HTTPError(.invalidURL, message: "the URL of \(place) cannot be used; check its host", cause: cause)
    case -1002:
      return HTTPError(
        .invalidResponse, message: "\(place) answered with something that is not HTTP; check the port", cause: cause)
    case -1003:
      return HTTPError(
        .connectionFailed,
        message: "no host named \(url.host(percentEncoded: true) ?? "") was found; check the name and the network",
        cause: cause)
    case -1004:
      return HTTPError(
        .connectionFailed, message: "\(place) refused the connection; is the server running?", cause: cause)
    case -1009:
      return HTTPError(.connectionFailed, message: "offline: \(place) was not asked; try again later", cause: cause)
    default:
      return HTTPError(
        .connectionFailed, message: "the connection to \(place) failed before an answer came; try again", cause: cause)
    }
  }
}
