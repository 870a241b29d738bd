import Foundation
import LoadingHTTP

/// Stands in for a client of one's own: a server that has no time for lists.
struct BusyServer: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let url = request.urlRequest.url else { throw HTTPError(.invalidURL, message: "The request has no URL.") }
    let isList = url.path.hasSuffix("posts")
    return HTTPReply(
      status: isList ? 429 : 200, headers: isList ? ["Retry-After": "1"] : [:], body: Data(), url: url,
      receivedAt: Date())
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let reply = try await send(request)
    return HTTPStreamedReply(head: reply, body: AsyncThrowingStream { $0.finish() })
  }
}
