import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import PagingStore

/// What other programs are measured on too, beside us: `peers.py` calls these and does the same with them.
enum Peers {
  private struct Pages: Decodable, Sendable {
    var items: [Item]
    var next: URL?
  }

  private struct Item: Decodable, Identifiable, Sendable {
    var id: Int
    var title: String
    var created: String
    var score: Double
  }

  /// Milliseconds of a walk of all pages that begin at a URL, each naming the next: the median of nine; and how many rows.
  static func walk(_ url: URL) async throws {
    let source = HTTPPageSource(
      url, convention: .nextURL(\Pages.next), transport: URLSessionTransport(), items: \.items)
    var times: [Double] = []
    var rows = 0
    for _ in 0..<11 {
      rows = 0
      let start = ContinuousClock.now
      for try await page in source.pages(pageSize: 100) { rows += page.items.count }
      times.append(Measure.nanoseconds(ContinuousClock.now - start) / 1e6)
    }
    print(Measure.median(Array(times.dropFirst(2))), rows)
  }

  /// Makes a store of so many posts in a file; milliseconds of a window of 100 of them, anywhere: the median of 301.
  static func windows(_ file: URL, posts count: Int) async throws {
    let list = try ListStore(at: file).list("home", of: Post.self)
    for start in stride(from: 0, to: count, by: 1_000) {
      let posts = (start..<min(start + 1_000, count)).map { Post($0) }
      try list.apply(RemotePage(posts, olderToken: "from \(start + 1_000)"), for: try list.request(.olderThanAll))
    }
    let source = list.pageSource()
    var times: [Double] = []
    for _ in 0..<301 {
      let key = try list.rowID(of: Int.random(in: 1_000..<count - 1_000)).flatMap { source.key(around: $0) }
      let start = ContinuousClock.now
      consume(try await source.load(LoadParams(.refresh, key: key, loadSize: 100)).items.count)
      times.append(Measure.nanoseconds(ContinuousClock.now - start) / 1e6)
    }
    print(Measure.median(times))
  }
}
