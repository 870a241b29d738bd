import Foundation
import LoadingHTTP
import PagingHTTP
import Synchronization

/// Sends requests on and remembers a little of the last reply, for what is said to the user.
final class WatchedTransport: HTTPTransport {
  /// What is remembered of a reply.
  struct Glance: Sendable {
    let path: String
    let status: Int
  }

  private struct State {
    var requests = 0
    var last: Glance?
    var firstHead: HTTPReply?
  }

  private let transport: any HTTPTransport
  private let state = Mutex(State())

  /// A transport that sends by `transport`.
  init(_ transport: any HTTPTransport) {
    self.transport = transport
  }

  /// How many requests were made.
  var requestCount: Int { state.withLock { $0.requests } }
  /// The last reply.
  var last: Glance? { state.withLock { $0.last } }
  /// The first reply of success, without its body.
  var firstHead: HTTPReply? { state.withLock { $0.firstHead } }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    state.withLock { $0.requests += 1 }
    let reply = try await transport.send(request)
    let glance = Glance(path: reply.url.path(), status: reply.status)
    var head = reply
    head.body = Data()
    state.withLock { [head] state in
      state.last = glance
      if state.firstHead == nil, (200..<300).contains(head.status) { state.firstHead = head }
    }
    return reply
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    state.withLock { $0.requests += 1 }
    return try await transport.stream(request)
  }
}
