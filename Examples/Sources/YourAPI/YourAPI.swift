import Foundation
import LoadingHTTP
import Paging
import PagingHTTP

struct Article: Identifiable, Codable {
  var id: Int
  var title: String
}

/// A page as this API writes it: `{"articles": […], "next_cursor": "…"}`.
struct ArticleList: Codable {
  var articles: [Article]
  var nextCursor: String?

  enum CodingKeys: String, CodingKey {
    case articles
    case nextCursor = "next_cursor"
  }
}

enum Articles {
  /// `GET /articles?cursor=…&limit=…`
  static func source(
    _ url: URL, token: String, over transport: any HTTPTransport = URLSessionTransport()
  ) -> HTTPPageSource<Article> {
    HTTPPageSource(
      url, convention: .cursor({ (list: ArticleList) in list.nextCursor }, parameter: "cursor", size: "limit"),
      config: config(token), transport: transport, items: { $0.articles })
  }

  /// Sent with each request, and how bodies are read.
  static func config(_ token: String) -> HTTPPageSourceConfig {
    var config = HTTPPageSourceConfig(headers: ["Authorization": "Bearer \(token)"])
    config.decoder = {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return decoder
    }
    return config
  }
}

/// What a screen draws: rows, or what is there instead of them, and a line below the last row.
struct ArticleScreen {
  func show(_ snapshot: PagingSnapshot<Article>) -> String {
    let footer =
      switch snapshot.states.append {
      case .loading: "…"
      case .failed: "[Try again]"
      case .notLoading(endReached: true): "That is all."
      case .notLoading(endReached: false): ""
      }
    return switch snapshot.phase {
    case .initial, .loading: "Loading"
    case .empty: "Nothing here yet"
    case .failed: "[Try again]"
    case .content: "\(snapshot.items.count) articles \(footer)"
    }
  }
}

@main struct YourAPI {
  static func main() async throws {
    guard let url = URL(string: "https://news.example/articles") else { return }
    let server = NewsServer()
    let source = Articles.source(url, token: "t0ken", over: server)

    let pager = Pager(config: PagingConfig(pageSize: 20, prefetchDistance: 10), source: source)
    let screen = ArticleScreen()
    print(screen.show(pager.snapshot))
    await pager.settled()
    print(screen.show(pager.snapshot))

    // The reader comes near the end while the server is down.
    server.isDown = true
    pager.viewportChanged(to: 50..<60, of: pager.snapshot)
    await pager.settled()
    print(screen.show(pager.snapshot))

    // A tap on the line below.
    server.isDown = false
    try await pager.retry().finished()
    await pager.settled()
    print(screen.show(pager.snapshot))

    // Pulled down: the rows stay until the new ones are there.
    try await pager.refresh(from: .start).finished()
    print(screen.show(pager.snapshot))

    // Without a list: every row, one after another.
    var titles = 0
    for try await article in source.items(pageSize: 50) where !article.title.isEmpty { titles += 1 }
    print("\(titles) articles have a title")
  }
}
