/// What went wrong between a request and its answer; `message` says what to do about it.
///
/// Cancellation is never one of these. Messages name the host and path of a URL only, never its query, which may carry
/// secrets.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The body is, or says it is, larger than the request's `maxBodyBytes`.
    public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
    /// The server sent nothing for as long as the transport's `timeout`.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The reply has a status that its reader cannot use. Thrown by what reads replies; a transport returns them.
    public static let status = Code(rawValue: "status")
    /// No connection could be made, or it ended before an answer came: no such host, refused, reset, offline, no trust.
    public static let connectionFailed = Code(rawValue: "connectionFailed")
    /// What came is not a whole HTTP answer: cut short, or not HTTP.
    public static let invalidResponse = Code(rawValue: "invalidResponse")
    /// More redirects in a row than the transport's `maxRedirects`.
    public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
    /// A redirect led from https to http, or to something that is not HTTP.
    public static let insecureRedirect = Code(rawValue: "insecureRedirect")
    /// The request has no URL, or one that is not http or https with a host.
    public static let invalidURL = Code(rawValue: "invalidURL")
    /// The transport was released while the request was under way.
    public static let transportClosed = Code(rawValue: "transportClosed")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String
  /// The status of the reply, if there was one.
  public let status: Int?
  /// The error underneath, if there is one. It may name the full URL: keep it out of logs that others read.
  public let cause: (any Error)?

  /// An error of that kind.
  public init(_ code: Code, message: String, status: Int? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.cause = cause
  }

  /// The code, the status if any, and the message, on one line.
  public var description: String {
    "\(code.rawValue)\(status.map { " \($0)" } ?? ""): \(message)"
  }
}
