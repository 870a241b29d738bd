import Foundation
import LoadingHTTP
import Synchronization

/// Stands in for the network: 90 articles for who has signed in, and a switch.
final class NewsServer: HTTPTransport {
  private let down = Mutex(false)

  var isDown: Bool {
    get { down.withLock { $0 } }
    set { down.withLock { $0 = newValue } }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let url = request.urlRequest.url else { throw HTTPError(.invalidURL, message: "The request has no URL.") }
    if request.urlRequest.value(forHTTPHeaderField: "Authorization") != "Bearer t0ken" {
      return HTTPReply(status: 401, body: Data(), url: url, receivedAt: Date())
    }
    if isDown { return HTTPReply(status: 503, body: Data(), url: url, receivedAt: Date()) }
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func number(_ name: String) -> Int? { query.first { $0.name == name }?.value.flatMap { Int($0) } }
    let start = min(90, number("cursor") ?? 0)
    let end = min(90, start + min(number("limit") ?? 20, 60))
    let list = ArticleList(
      articles: (start..<end).map { Article(id: $0, title: "Article \($0)") },
      nextCursor: end < 90 ? String(end) : nil)
    return HTTPReply(status: 200, body: try JSONEncoder().encode(list), url: url, receivedAt: Date())
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let reply = try await send(request)
    return HTTPStreamedReply(head: reply, body: AsyncThrowingStream { $0.finish() })
  }
}
