import Foundation
public import LoadingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport without a network: replies by method and path, and a record of what was asked.
///
/// ```swift
/// let transport = StubTransport()
/// transport.reply(to: "/posts", with: "[]")
/// transport.reply(to: "/posts/7", status: 404, with: "")
/// ```
///
/// A path may carry a query, as in `/posts?page=2`; such a reply goes before the one of the path alone. A reply has the
/// URL of its request. What nothing matches fails with ``UnexpectedRequest``. A body larger than the request's
/// `maxBodyBytes` fails as a real transport's does. Redirects are replies here, and nothing is followed. Callable from
/// any thread. All requests are kept, so memory grows with them.
public final class StubTransport: HTTPTransport {
  private struct Place: Hashable {
    let method: String
    let path: String
  }

  private struct State {
    var replies: [Place: [HTTPReply]] = [:]
    var requests: [HTTPRequest] = []
    var gate: Gate?
  }

  private let state = Mutex(State())
  private let begun = Tally()

  /// A transport that knows no reply yet.
  public init() {}

  /// Has requests of that path and method answered by `reply`, with their own URL; takes the place of earlier ones.
  public func reply(to path: String, method: String = "GET", with reply: HTTPReply) {
    self.reply(to: path, method: method, inTurn: [reply])
  }

  /// Has requests of that path and method answered by these in turn, and from then on by the last.
  ///
  /// - Parameters:
  ///   - path: The path, with its query where that matters.
  ///   - method: The method, in capitals.
  ///   - replies: At least one; none takes the earlier ones away.
  public func reply(to path: String, method: String = "GET", inTurn replies: [HTTPReply]) {
    state.withLock { $0.replies[Place(method: method, path: path)] = replies.isEmpty ? nil : replies }
  }

  /// Has GETs of that path answered by a text.
  public func reply(to path: String, status: Int = 200, headers: HTTPHeaders = [:], with text: String) {
    reply(
      to: path,
      with: HTTPReply(
        status: status, headers: headers, body: Data(text.utf8), url: URL(filePath: "/"),
        receivedAt: Date(timeIntervalSince1970: 0)))
  }

  /// Has requests that begin from now on wait at a gate before they are answered; nil: they wait no longer.
  public func hold(by gate: Gate?) {
    state.withLock { $0.gate = gate }
  }

  /// What was asked for so far, in the order in which it came.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Returns when at least `count` requests have come, or when the task that waits is cancelled.
  public func requests(atLeast count: Int) async {
    await begun.reached(count)
  }

  /// Answers at once, or when its gate opens.
  ///
  /// - Throws: ``UnexpectedRequest``; `HTTPError` for a body that is too large; `CancellationError` when cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    try Task.checkCancellation()
    let (reply, gate) = state.withLock { state in
      state.requests.append(request)
      return (Self.take(for: request, from: &state.replies), state.gate)
    }
    begun.add(1)
    try await gate?.pass()
    guard var reply else { throw UnexpectedRequest(request) }
    guard reply.body.count <= request.maxBodyBytes else {
      throw HTTPError(
        .bodyTooLarge, message: "the stub's body has \(reply.body.count) bytes, more than \(request.maxBodyBytes)",
        status: reply.status)
    }
    reply.url = request.urlRequest.url ?? reply.url
    return reply
  }

  /// Answers as ``send(_:)`` does; the body comes in one piece.
  public func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    var head = try await send(request)
    let body = head.body
    head.body = Data()
    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      if !body.isEmpty { continuation.yield(body) }
      continuation.finish()
    }
    return HTTPStreamedReply(head: head, body: pieces)
  }

  private static func take(for request: HTTPRequest, from replies: inout [Place: [HTTPReply]]) -> HTTPReply? {
    guard let url = request.urlRequest.url else { return nil }
    let method = request.urlRequest.httpMethod ?? "GET"
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "\(path)?\($0)" } ?? path
    for place in [Place(method: method, path: query), Place(method: method, path: path)] {
      guard let inTurn = replies[place], let first = inTurn.first else { continue }
      if inTurn.count > 1 { replies[place] = Array(inTurn.dropFirst()) }
      return first
    }
    return nil
  }
}

/// A stub was asked for something that it has no reply to.
public struct UnexpectedRequest: Error, Hashable, CustomStringConvertible {
  /// The method.
  public let method: String
  /// Path and query.
  public let target: String

  init(_ request: HTTPRequest) {
    method = request.urlRequest.httpMethod ?? "GET"
    let url = request.urlRequest.url
    let path = url?.path(percentEncoded: true) ?? ""
    target = url?.query(percentEncoded: true).map { "\(path)?\($0)" } ?? path
  }

  /// What happened and what to do, in one line.
  public var description: String {
    "There is no reply to \(method) \(target); add it, or look why the code under test asks for it."
  }
}
