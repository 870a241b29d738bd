import Foundation
import Paging
import PagingStore

@main
struct OfflineList {
  static func main() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "offline-list-\(UUID().uuidString).db")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path() + end) } }
    let server = Server()
    try await yesterday(try ListStore(at: file), server)
    server.cutConnection()
    try await today(try ListStore(at: file), server)
  }

  static func yesterday(_ store: ListStore, _ server: Server) async throws {
    // The whole offline list, in one line.
    let pager = store.list("home", remote: server.feed).pager()
    await pager.settled()
    print("first start: \(rows(of: pager))")

    server.publish(100)
    try await pager.refresh(from: .start).finished()
    await scrollToEnd(pager)
    print("100 posts later: \(rows(of: pager))")

    let list = store.list("home", remote: server.feed)
    while let gap = pager.snapshot.items.lazy.compactMap(\.gap).first {
      try await list.fill(gap, from: gap.fillableSides.first ?? .above)
      await pager.settled()
      await scrollToEnd(pager)
    }
    print("gap filled: \(rows(of: pager))")
  }

  static func today(_ store: ListStore, _ server: Server) async throws {
    let pager = store.list("home", remote: server.feed).pager()
    await pager.settled()
    print(
      "restarted offline: \(rows(of: pager)); \(pager.snapshot.states.refresh.failure == nil ? "fresh" : "not refreshed")"
    )

    try store.edit(150, of: Post.self, intent: "like") { $0.isLiked = true }
    await pager.settled()
    let edited = try store.item(150, of: Post.self)
    print("liked offline: \(edited?.isLiked == true); to be sent: \(try store.pendingEdits().map(\.intent))")

    server.mendConnection()
    server.publish(5)
    try await pager.retry().finished()
    await pager.settled()
    print("online again: \(rows(of: pager)); liked: \(try store.item(150, of: Post.self)?.isLiked == true)")
  }

  /// As a screen does that shows the last rows.
  static func scrollToEnd(_ pager: StoredPager<Post>) async {
    var count = -1
    while pager.snapshot.count != count, pager.snapshot.items.last?.item?.id != 1 {
      count = pager.snapshot.count
      pager.viewportChanged(to: max(0, count - 5)..<count, of: pager.snapshot)
      await pager.settled()
    }
  }

  /// `100-81 gap 60-41`.
  static func rows(of pager: StoredPager<Post>) -> String {
    var stretches: [[Int]] = [[]]
    for row in pager.snapshot.items {
      if let post = row.item { stretches[stretches.count - 1].append(post.id) } else { stretches.append([]) }
    }
    return stretches.map { "\($0.first ?? 0)-\($0.last ?? 0)" }.joined(separator: " gap ")
  }
}
