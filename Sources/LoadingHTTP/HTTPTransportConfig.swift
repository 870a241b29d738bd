/// How a transport waits and follows redirects.
public struct HTTPTransportConfig: Sendable, Hashable {
  /// How long the server may send nothing, before its answer or within it; default 30 seconds.
  ///
  /// A server that keeps sending, however slowly, does not run into it.
  public let timeout: Duration
  /// How many redirects to follow in a row; default 10. With 0, the first redirect is an error.
  public let maxRedirects: Int

  /// A configuration of those values.
  ///
  /// Stops the program with a message naming the value when one makes no sense: these are written by a developer, not
  /// by a server or a user.
  ///
  /// - Parameters:
  ///   - timeout: More than zero and at most a day.
  ///   - maxRedirects: From 0 to 100.
  public init(timeout: Duration = .seconds(30), maxRedirects: Int = 10) {
    if let problem = Self.problem(timeout: timeout, maxRedirects: maxRedirects) { preconditionFailure(problem) }
    self.timeout = timeout
    self.maxRedirects = maxRedirects
  }

  /// What is wrong with those values, or nil.
  static func problem(timeout: Duration, maxRedirects: Int) -> String? {
    if timeout <= .zero || timeout > .seconds(86_400) {
      return "HTTPTransportConfig: timeout is \(timeout); give more than zero and at most a day"
    }
    if !(0...100).contains(maxRedirects) {
      return "HTTPTransportConfig: maxRedirects is \(maxRedirects); give a number from 0 to 100"
    }
    return nil
  }
}
