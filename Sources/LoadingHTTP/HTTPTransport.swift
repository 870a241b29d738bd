/// What sends requests: the one seam between this package and the network.
///
/// ``URLSessionTransport`` is the one for apps. Write another to route requests through a client of your own, or to
/// answer them in tests. An implementation keeps these promises:
///
/// - Any status is a reply, 404 and 503 too; only what is not an answer is thrown, as ``HTTPError``.
/// - Cancelling the calling task ends the request on the wire and throws `CancellationError`, never an ``HTTPError``.
/// - A body above the request's `maxBodyBytes` is cut off while it arrives (``HTTPError/Code/bodyTooLarge``).
/// - Redirects are followed, bounded, never from https to http, and without credentials on another origin.
/// - Nothing is answered from a cache, and no cookies are kept: both belong to layers above.
///
/// Callable from any thread, any number of times at once.
public protocol HTTPTransport: Sendable {
  /// Sends the request and collects the whole answer.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the calling task is cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPReply

  /// Sends the request and returns as soon as the head of the answer is there; the body follows as it arrives.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the calling task is cancelled before the head arrived.
  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply
}
