import Foundation
import LoadingHTTP
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests by a closure, on the spot, and remembers them.
final class StubTransport: HTTPTransport {
  private let answer: @Sendable (URLRequest) throws -> HTTPReply
  private let log = Mutex<[HTTPRequest]>([])

  init(_ answer: @escaping @Sendable (URLRequest) throws -> HTTPReply) {
    self.answer = answer
  }

  /// Always the same answer.
  convenience init(_ status: Int = 200, _ body: String, headers: HTTPHeaders = [:]) {
    self.init { request in .stub(status, body, headers: headers, for: request) }
  }

  var requests: [HTTPRequest] { log.withLock { $0 } }
  var urls: [String] { requests.compactMap { $0.urlRequest.url?.absoluteString } }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    log.withLock { $0.append(request) }
    return try answer(request.urlRequest)
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let reply = try await send(request)
    return HTTPStreamedReply(head: reply, body: AsyncThrowingStream { $0.finish() })
  }
}

extension HTTPReply {
  static func stub(
    _ status: Int = 200, _ body: String, headers: HTTPHeaders = [:], for request: URLRequest
  ) -> HTTPReply {
    HTTPReply(
      status: status, headers: headers, body: Data(body.utf8), url: request.url ?? listURL,
      receivedAt: Date(timeIntervalSince1970: 0))
  }
}

/// `https://example.com/items`.
let listURL = URL(string: "https://example.com/items")!

struct Row: Identifiable, Codable, Hashable, Sendable {
  var id: Int
}

struct Feed: Decodable, Sendable {
  var items: [Row]
  var next: String?
  var previous: String?
  var total: Int?
}

/// `[{"id":0},{"id":1}]` for `0..<2`.
func rows(_ ids: some Sequence<Int>) -> String {
  "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
}

/// The number in the query parameter of a request.
func number(_ name: String, in request: URLRequest) -> Int? {
  let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
  return parts?.queryItems?.first { $0.name == name }?.value.flatMap { Int($0) }
}
