import Foundation
import Paging
import Synchronization

struct Offline: Error {}

/// A server in the program: posts by number, the newest first, and a connection that can be cut.
final class Server: Sendable {
  private let state: Mutex<(newest: Int, isDown: Bool, pagesFail: Bool, asked: [Feed.Key?])>
  let delay: Duration

  init(posts: Int = 5_000, delay: Duration = .milliseconds(15)) {
    state = Mutex((posts, false, false, []))
    self.delay = delay
  }

  var newest: Int { state.withLock(\.newest) }
  /// What pages were asked for, for the script.
  var asked: [Feed.Key?] { state.withLock(\.asked) }
  func publish(_ count: Int) { state.withLock { $0.newest += count } }
  func cutConnection() { state.withLock { $0.isDown = true } }
  /// Whether pages fail, and pictures don't.
  func failPages(_ fail: Bool) { state.withLock { $0.pagesFail = fail } }
  func mendConnection() { state.withLock { $0.isDown = false } }

  var feed: Feed { Feed(server: self) }

  /// A picture as its small PNG file.
  func picture(_ name: String) async throws -> Data {
    try await travel()
    guard let id = Int(name.drop { !$0.isNumber }) else { throw URLError(.fileDoesNotExist) }
    return PostPicture.png(of: id)
  }

  func checkPages() throws {
    if state.withLock(\.pagesFail) { throw Offline() }
  }

  func note(_ key: Feed.Key?) { state.withLock { $0.asked.append(key) } }

  /// The way there and back.
  func travel() async throws {
    try await Task.sleep(for: delay)
    if state.withLock(\.isDown) { throw Offline() }
  }
}

/// The app's API as a page source: pages of posts older or newer than one, and how many are newer.
struct Feed: HeadSource {
  /// Where a page begins.
  enum Key: Hashable, Codable, Sendable {
    case older(than: Int)
    case newer(than: Int)
  }

  let server: Server

  @concurrent func load(_ params: LoadParams<Key>) async throws -> Page<Key, Post> {
    server.note(params.key)
    try await server.travel()
    try server.checkPages()
    let newest = server.newest
    let (first, last) =
      switch params.key {
      case nil: (max(1, newest - params.loadSize + 1), newest)
      case .older(let id): (max(1, id - params.loadSize), id - 1)
      case .newer(let id): (id + 1, min(newest, id + params.loadSize))
      }
    guard first <= last else { return Page([]) }
    return Page(
      (first...last).reversed().map(Post.init), previousKey: last < newest ? .newer(than: last) : nil,
      nextKey: first > 1 ? .older(than: first) : nil)
  }

  @concurrent func newer(than item: Post, limit: Int) async throws -> Page<Key, Post> {
    var page = try await load(LoadParams(.prepend, key: .newer(than: item.id), loadSize: limit))
    page.nextKey = nil  // it reaches down to the item
    return page
  }
}
