import Paging
import Synchronization

/// The app's own table: posts by ID, newest first.
final class PostTable: PageSource {
  private let posts = Mutex<[Int: Post]>([:])
  private let signal = ChangeSignal<Post>()
  func store(_ new: [Post]) {
    posts.withLock { table in for post in new { table[post.id] = post } }
    signal.send(.everything)
  }
  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Post> {
    let all = posts.withLock { $0.values.sorted { $0.id > $1.id } }
    let page = all.drop { $0.id >= params.key ?? .max }.prefix(params.loadSize)
    return Page(Array(page), nextKey: page.count < params.loadSize ? nil : page.last?.id)
  }
  func changes() -> AsyncStream<SourceChange<Post>>? { signal.stream() }
}

struct FeedMediator: Mediator {
  let api: API
  let table: PostTable
  func load(_ request: MediatorRequest<Int, Post>) async throws -> MediatorResult {
    let last = request.type == .append ? request.state.pages.last?.items.last?.id : nil
    let posts = try await request.type == .prepend ? [] : api.posts(before: last, limit: 20)
    table.store(posts)
    return MediatorResult(endReached: posts.isEmpty)
  }
}
