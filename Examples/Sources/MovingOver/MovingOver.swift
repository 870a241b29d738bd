import Paging

struct Post: Identifiable {
  var id: Int
  var title: String
}

/// The app's API, which stays as it is.
struct API {
  func posts(page: Int) async throws -> (posts: [Post], isLast: Bool) {
    ((page * 20 - 20..<page * 20).map { Post(id: $0, title: "Post \($0)") }, page == 4)
  }
}

/// What a screen needs of a list, whoever loads it: the seam between the old way and the new one.
@MainActor protocol PostFeed {
  var posts: [Post] { get }
  var isLoading: Bool { get }
  var hasFailed: Bool { get }
  func rowAppeared(_ index: Int) async
}

/// The old way: by hand.
@MainActor final class OldFeed: PostFeed {
  private let api: API
  private(set) var posts: [Post] = []
  private(set) var isLoading = false
  private(set) var hasFailed = false
  private var page = 0
  private var isLast = false

  init(api: API) { self.api = api }

  func rowAppeared(_ index: Int) async {
    guard !isLoading, !isLast, index >= posts.count - 5 else { return }
    isLoading = true
    defer { isLoading = false }
    do {
      let reply = try await api.posts(page: page + 1)
      page += 1
      posts += reply.posts
      isLast = reply.isLast
    } catch {
      hasFailed = true
    }
  }
}

/// The new way, behind the same seam.
@MainActor final class NewFeed: PostFeed {
  private let pager: Pager<Int, Post>

  init(api: API) {
    pager = Pager(
      config: PagingConfig(pageSize: 20, prefetchDistance: 5),
      source: NumberedPageSource { params in
        let reply = try await api.posts(page: params.key ?? 1)
        return PageSlice(reply.posts, hasMore: !reply.isLast)
      })
  }

  var posts: [Post] { Array(pager.snapshot.items) }
  var isLoading: Bool { pager.snapshot.states.append.isLoading }
  var hasFailed: Bool { pager.snapshot.states.append.failure != nil }

  func rowAppeared(_ index: Int) async {
    pager.viewportChanged(to: index..<index + 1, of: pager.snapshot)
    await pager.settled()
  }
}

@main struct MovingOver {
  /// One flag a screen, from wherever the app has its flags.
  @MainActor static func makeFeed(_ api: API, usesPaging: Bool) -> any PostFeed {
    usesPaging ? NewFeed(api: api) : OldFeed(api: api)
  }

  @MainActor static func main() async {
    for usesPaging in [false, true] {
      let feed = makeFeed(API(), usesPaging: usesPaging)
      var index = 0
      await feed.rowAppeared(0)
      while index < feed.posts.count {
        await feed.rowAppeared(index)
        index += 1
      }
      print(
        "\(usesPaging ? "new" : "old"): \(feed.posts.count) posts, the last one is \(feed.posts.last?.title ?? "none")")
    }
  }
}
