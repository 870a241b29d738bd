import Paging
import PagingStore
import Synchronization

struct Post: StoredItem {
  let id: Int
  var text: String
  var isLiked = false
}

struct Offline: Error {}

/// A server in the program: posts by number, the newest first, and a connection that can be cut.
final class Server: Sendable {
  private let state = Mutex((newest: 60, isDown: false, liked: Set<Int>()))

  func publish(_ count: Int) { state.withLock { $0.newest += count } }
  func cutConnection() { state.withLock { $0.isDown = true } }
  func mendConnection() { state.withLock { $0.isDown = false } }

  /// A like, which counts once however often it is sent with one key.
  func like(_ id: Int, key: String) throws -> Post {
    try state.withLock { state in
      if state.isDown { throw Offline() }
      state.liked.insert(id)
      return Post(id: id, text: "Post \(id)", isLiked: true)
    }
  }

  /// The app's API as a page source: posts below a number.
  var feed: CursorPageSource<Int, Post> {
    CursorPageSource { params in
      let (newest, liked) = try self.state.withLock { state in
        if state.isDown { throw Offline() }
        return (state.newest, state.liked)
      }
      let first = params.key.map { $0 - 1 } ?? newest
      let last = max(1, first - params.loadSize + 1)
      let posts = stride(from: first, through: last, by: -1).map {
        Post(id: $0, text: "Post \($0)", isLiked: liked.contains($0))
      }
      return Page(posts, nextKey: last > 1 ? last : nil)
    }
  }
}
