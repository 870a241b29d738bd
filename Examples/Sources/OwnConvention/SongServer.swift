import Foundation
import LoadingHTTP

/// Stands in for the network: 60 songs, at most 25 at once.
struct SongServer: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let url = request.urlRequest.url else { throw HTTPError(.invalidURL, message: "The request has no URL.") }
    let asked = request.urlRequest.value(forHTTPHeaderField: "Range")?.split { "=-".contains($0) } ?? []
    let first = asked.count == 3 ? Int(asked[1]) ?? 0 : 0
    let last = min(59, first + 24, asked.count == 3 ? Int(asked[2]) ?? 59 : 59)
    let songs = (first...max(first, last)).map { Song(id: $0, title: "Song \($0)") }
    return HTTPReply(
      status: 206, headers: ["Content-Range": "items \(first)-\(last)/60"], body: try JSONEncoder().encode(songs),
      url: url, receivedAt: Date())
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let reply = try await send(request)
    return HTTPStreamedReply(head: reply, body: AsyncThrowingStream { $0.finish() })
  }
}
