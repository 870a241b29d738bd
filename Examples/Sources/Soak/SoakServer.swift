import Foundation
import LoadingHTTP
import Synchronization

/// A server in the program: posts by number, the newest first, pictures, and a connection with weather.
final class SoakServer: HTTPTransport {
  enum Weather {
    case calm, fair, rough, none
  }

  struct Content {
    var newest = 600
    var oldest = 1
    var editions: [Int: Int] = [:]
    var liked: Set<Int> = []
    var deleted: Set<Int> = []

    func isThere(_ id: Int) -> Bool { id >= oldest && id <= newest && !deleted.contains(id) }

    func post(_ id: Int) -> Post { Post(id: id, edition: editions[id] ?? 1, isLiked: liked.contains(id)) }

    /// Up to `limit` posts below a number, from the newest down.
    func posts(below id: Int, limit: Int) -> [Post] {
      var posts: [Post] = []
      var next = min(id - 1, newest)
      while posts.count < limit, next >= oldest {
        if isThere(next) { posts.append(post(next)) }
        next -= 1
      }
      return posts
    }
  }

  private struct State {
    var content = Content()
    var chance: Chance
    var weather = Weather.fair
    var requests = 0
    var faults = 0
  }

  private let state: Mutex<State>
  private let pictures = (0..<60).map(Picture.file)
  /// A fault that is there to be found: a row of each page is left out.
  private let leavesRowsOut = ProcessInfo.processInfo.environment["SOAK_PLANT"] == "rows"

  init(seed: UInt64) { state = Mutex(State(chance: Chance(seed: seed))) }

  var content: Content { state.withLock { $0.content } }
  var counts: String { state.withLock { "\($0.requests) requests, \($0.faults) of them with a fault" } }
  func change(_ change: (inout Content) -> Void) { state.withLock { change(&$0.content) } }
  func set(_ weather: Weather) { state.withLock { $0.weather = weather } }

  // MARK: Requests

  private enum Fault {
    case refused, status(Int), wait, cut, notJSON
  }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let url = request.urlRequest.url else { throw HTTPError(.invalidURL, message: "The request has no URL.") }
    let (fault, delay) = state.withLock { state -> (Fault?, Int) in
      state.requests += 1
      let fault = draw(&state)
      if fault != nil { state.faults += 1 }
      return (fault, state.chance.happens(perMille: 50) ? 40 : state.chance.below(4))
    }
    try await Task.sleep(for: .milliseconds(delay))
    switch fault {
    case .refused: throw HTTPError(.connectionFailed, message: "There is no connection.")
    case .status(let status):
      let headers: HTTPHeaders = status == 429 ? ["Retry-After": "0"] : [:]
      return HTTPReply(status: status, headers: headers, body: Data("no".utf8), url: url, receivedAt: Date())
    case .wait:
      try await Task.sleep(for: .seconds(2))
      throw HTTPError(.timedOut, message: "Nobody answered.")
    case .cut:
      var reply = try answer(to: request, url)
      reply.body = reply.body.prefix(reply.body.count / 2)
      return reply
    case .notJSON:
      return HTTPReply(status: 200, body: Data("<html>Log in</html>".utf8), url: url, receivedAt: Date())
    case nil: return try answer(to: request, url)
    }
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    var head = try await send(request)
    let body = head.body
    head.body = Data()
    return HTTPStreamedReply(
      head: head,
      body: AsyncThrowingStream {
        $0.yield(body.prefix(body.count / 2))
        $0.yield(body.dropFirst(body.count / 2))
        $0.finish()
      })
  }

  private func draw(_ state: inout State) -> Fault? {
    switch state.weather {
    case .calm: return nil
    case .none: return .refused
    case .fair: if !state.chance.happens(perMille: 20) { return nil }
    case .rough: if !state.chance.happens(perMille: 350) { return nil }
    }
    switch state.chance.below(20) {
    case 0..<6: return .refused
    case 6..<9: return .status(500)
    case 9..<11: return .status(429)
    case 11..<12: return .wait
    case 12..<16: return .cut
    default: return .notJSON
    }
  }

  private func answer(to request: HTTPRequest, _ url: URL) throws -> HTTPReply {
    if url.path().hasPrefix("/pictures/") {
      let number = Int(url.lastPathComponent) ?? 0
      if request.urlRequest.value(forHTTPHeaderField: "If-None-Match") == "\"\(number)\"" {
        return HTTPReply(
          status: 304, headers: ["ETag": "\"\(number)\""], body: Data(), url: url, receivedAt: Date())
      }
      return HTTPReply(
        status: 200, headers: ["Cache-Control": "max-age=5", "ETag": "\"\(number)\""],
        body: pictures[number % pictures.count], url: url, receivedAt: Date())
    }
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let below = query.first { $0.name == "below" }?.value.flatMap { Int($0) } ?? Int.max
    let limit = query.first { $0.name == "limit" }?.value.flatMap { Int($0) } ?? 20
    var posts = content.posts(below: below, limit: min(limit, 100))
    if leavesRowsOut, posts.count > 2 { posts.remove(at: posts.count / 2) }
    let next = posts.last.flatMap { content.posts(below: $0.id, limit: 1).isEmpty ? nil : String($0.id) }
    return HTTPReply(
      status: 200, headers: ["Content-Type": "application/json"],
      body: try JSONEncoder().encode(Feed(posts: posts, next: next)), url: url, receivedAt: Date())
  }
}
