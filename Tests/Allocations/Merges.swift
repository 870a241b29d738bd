import Foundation
import PagingStore

struct Post: StoredItem {
  let id: Int
  var text: String
}

/// A page that is written into a store.
enum Merges {
  static func counts() throws -> [(name: String, count: Int)] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("allocations-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let list = try ListStore(at: folder.appendingPathComponent("lists.db")).list("home", of: Post.self)
    var next = 0
    let count = try Allocations.count {
      let posts = (next..<next + 50).map { Post(id: $0, text: "A post") }
      next += 50
      try list.apply(RemotePage(posts, olderToken: "from \(next)"), for: try list.request(.olderThanAll))
    }
    return [("a merge of 50 new rows", count)]
  }
}
