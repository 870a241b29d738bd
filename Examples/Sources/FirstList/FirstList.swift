import Paging

struct Post: Identifiable {
  var id: Int
  var title: String
}

struct Feed {
  var posts: [Post]
  var next: String?
}

/// Stands in for a server: 100 posts, and a cursor with each page but the last.
struct API {
  func feed(after cursor: String?, limit: Int) async throws -> Feed {
    let start = cursor.flatMap { Int($0) } ?? 0
    let end = min(start + limit, 100)
    return Feed(
      posts: (start..<end).map { Post(id: $0, title: "Post \($0)") },
      next: end < 100 ? String(end) : nil)
  }
}

/// A screen of ten rows whose reader always scrolls to the last one.
struct Screen {
  func show(_ snapshot: PagingSnapshot<Post>) -> Range<Int> {
    max(0, snapshot.count - 10)..<snapshot.count
  }
}

@main
struct FirstList {
  static func main() async {
    let api = API()
    let screen = Screen()

    let pager = Pager(
      source: CursorPageSource { params in
        let feed = try await api.feed(after: params.key, limit: params.loadSize)
        return Page(feed.posts, nextKey: feed.next)
      })

    for await snapshot in pager.snapshots() {
      let visible = screen.show(snapshot)
      pager.viewportChanged(to: visible, of: snapshot)
      if snapshot.states.append.isAtEnd { break }
    }

    print("\(pager.snapshot.items.count) posts in \(pager.snapshot.pages.count) pages")
    print("the last one: \(pager.snapshot.items.last?.title ?? "none")")
  }
}
