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
    try await tomorrow(try ListStore(at: file), server)
  }

  static func yesterday(_ store: ListStore, _ server: Server) async throws {
    let list = store.list("home", remote: server.feed)
    let pager = list.pager()
    await pager.settled()
    print("first start: \(text(of: pager.snapshot.items))")

    server.publish(100)
    try await pager.refresh(from: .start).finished()
    await scrollToEnd(pager)
    print("100 posts later: \(text(of: pager.snapshot.items))")

    while let gap = try await rows(of: list).lazy.compactMap(\.gap).first {
      try await list.fill(gap, from: gap.fillableSides.first ?? .above)
    }
    print("gap filled: \(text(of: try await rows(of: list)))")
  }

  static func today(_ store: ListStore, _ server: Server) async throws {
    // The whole offline list, in one line.
    let pager = store.list("home", remote: server.feed).pager()
    await pager.settled()
    print(
      "restarted offline: \(text(of: pager.snapshot.items)); \(pager.snapshot.states.refresh.failure == nil ? "fresh" : "not refreshed")"
    )

    try store.edit(150, of: Post.self, intent: "like") { $0.isLiked = true }
    await pager.settled()
    let edited = try store.item(150, of: Post.self)
    print("liked offline: \(edited?.isLiked == true); to be sent: \(try store.pendingEdits().map(\.intent))")

    server.mendConnection()
    server.publish(5)
    try await pager.retry().finished()
    await pager.settled()
    print(
      "online again: \(text(of: pager.snapshot.items)); liked: \(try store.item(150, of: Post.self)?.isLiked == true)")
  }

  static func tomorrow(_ store: ListStore, _ server: Server) async throws {
    for edit in try store.pendingEdits() where edit.intent == "like" {
      let sending = try edit.markSending()
      do {
        try sending.confirm(as: try server.like(try edit.itemID(of: Post.self), key: edit.idempotencyKey))
      } catch is Offline {
        try sending.fail()
      }
    }
    print("sent; still to be sent: \(try store.pendingEdits().map(\.intent))")

    let list = store.list("home", remote: server.feed)
    try list.savePosition(ListPosition(item: 120, offset: -12))
    try list.flushPosition()

    // At the next start the list opens there.
    let pager = list.pager()
    await pager.settled()
    let place = try list.savedPosition()
    print("opened at \(place?.position.item ?? 0), \(place?.isExact == true ? "which is still there" : "or beside it")")
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

  /// All that is stored, without a pager.
  static func rows(of list: StoredList<Post>) async throws -> [ListRow<Post>] {
    try await list.pageSource().load(LoadParams(.refresh, loadSize: 1_000)).items
  }

  /// `100-81 gap 60-41`.
  static func text(of rows: some Sequence<ListRow<Post>>) -> String {
    var stretches: [[Int]] = [[]]
    for row in rows {
      if let post = row.item { stretches[stretches.count - 1].append(post.id) } else { stretches.append([]) }
    }
    return stretches.map { "\($0.first ?? 0)-\($0.last ?? 0)" }.joined(separator: " gap ")
  }
}
