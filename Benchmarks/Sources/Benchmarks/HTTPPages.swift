import Foundation
import LoadingHTTP
import Paging
import PagingHTTP

/// Walking a list of a server whose replies are ready: what a page costs besides being sent and decoded.
enum HTTPPages {
  private struct Feed: Decodable, Sendable {
    var rows: [Row]
    var next: String?
  }

  private struct Row: Decodable, Identifiable, Sendable {
    var id: Int
    var text: String
  }

  /// Gives the ready reply whose number is the URL's cursor.
  private struct ReadyReplies: HTTPTransport {
    let replies: [String: HTTPReply]

    func send(_ request: HTTPRequest) async throws -> HTTPReply {
      guard let reply = replies[request.urlRequest.url?.query ?? ""] else {
        throw HTTPError(.invalidURL, message: "no such page")
      }
      return reply
    }

    func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
      HTTPStreamedReply(head: try await send(request), body: AsyncThrowingStream { $0.finish() })
    }
  }

  static func run(rows count: Int) async throws -> [Measurement] {
    guard let url = URL(string: "https://example.com/list") else { return [] }
    let size = 100
    let replies = (0..<count / size).map { page in
      let rows = (page * size..<(page + 1) * size).map { #"{"id":\#($0),"text":"Row \#($0) of a list on a server"}"# }
      let next = (page + 1) * size < count ? "\"\(page + 1)\"" : "null"
      let body = #"{"rows":[\#(rows.joined(separator: ","))],"next":\#(next)}"#
      let link = "<https://example.com/list?cursor=\(page + 1)>; rel=\"next\""
      return HTTPReply(
        status: 200,
        headers: (page + 1) * size < count
          ? ["Content-Type": "application/json", "Link": link] : ["Content-Type": "application/json"],
        body: Data(body.utf8), url: url, receivedAt: Date(timeIntervalSince1970: 0))
    }
    let byQuery = Dictionary(
      uniqueKeysWithValues: replies.enumerated().map { ($0 == 0 ? "" : "cursor=\($0)", $1) })
    let transport = ReadyReplies(replies: byQuery)
    let cursor = HTTPPageSource(url, convention: .cursor(\Feed.next), transport: transport, items: \.rows)
    let link = HTTPPageSource(url, convention: PageConvention<Feed>.linkHeader, transport: transport, items: \.rows)
    return [
      try await measure("cursor", cursor, replies, rows: count),
      try await measure("Link header", link, replies, rows: count),
    ]
  }

  /// Nanoseconds of a page of a walk, less those of decoding the same body; page by page, so that both meet the same machine.
  private static func measure(
    _ name: String, _ source: HTTPPageSource<Row>, _ replies: [HTTPReply], rows: Int
  ) async throws -> Measurement {
    var beyond: [Double] = []
    for round in 0..<13 {
      var walk = source.pages(pageSize: 100).makeAsyncIterator()
      var seen = 0
      for reply in replies {
        let start = ContinuousClock.now
        let page = try await walk.next()
        let middle = ContinuousClock.now
        consume(try JSONDecoder().decode(Feed.self, from: reply.body))
        let end = ContinuousClock.now
        seen += page?.items.count ?? 0
        if round >= 3 { beyond.append(Measure.nanoseconds(middle - start) - Measure.nanoseconds(end - middle)) }
      }
      precondition(seen == rows)
    }
    return Measurement(
      workload: "a page over HTTP by \(name), beyond decoding it", ours: max(0, Measure.median(beyond)), asked: 20_000)
  }
}
