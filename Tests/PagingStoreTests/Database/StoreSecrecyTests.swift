import Foundation
import Testing

@testable import PagingStore

private struct SecrecyPost: StoredItem, Equatable {
  let id: String
  var text: String
}

/// Who can read a store, and whether what an app calls things can do more than be a name.
@Suite struct StoreSecrecyTests {
  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func S13_aNewStoreAndItsLogAreTheirOwnersOnly() throws {
    let folder = try DatabaseFolder()
    let store = try ListStore(at: URL(filePath: folder.file()))
    let list = store.list("home", of: SecrecyPost.self)
    try list.apply(RemotePage([SecrecyPost(id: "1", text: "secret")]), for: list.request(.head))
    #expect(try permissions(folder.file()) == 0o600)
    #expect(try permissions(folder.file("store.db-wal")) == 0o600)
    #expect(try permissions(folder.file("store.db-shm")) == 0o600)
  }

  @Test func S13_aFileThatIsThereKeepsItsPermissions() throws {
    let folder = try DatabaseFolder()
    _ = try Database(at: folder.file())
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file())
    _ = try Database(at: folder.file())
    #expect(try permissions(folder.file()) == 0o640)
  }

  @Test func S13_aRecoveredCopyIsItsOwnersOnlyToo() async throws {
    let folder = try DatabaseFolder()
    let store = try ListStore(at: URL(filePath: folder.file()))
    let list = store.list("home", of: SecrecyPost.self)
    try list.apply(RemotePage([SecrecyPost(id: "1", text: "secret")]), for: list.request(.head))
    try await store.recover(to: URL(filePath: folder.file("copy.db")))
    #expect(try permissions(folder.file("copy.db")) == 0o600)
  }

  @Test(arguments: [
    "'; DROP TABLE item; --", "\"); DELETE FROM item; --", "a'b\"c`d", "%_*?", "\0", "x\0y", "../../etc/passwd", "",
    "\u{1B}[2J",
    "ключ 🦜", String(repeating: "long'", count: 2_000),
  ])
  func S13_namesIDsTextsAndIntentsAreNoSQL(_ hostile: String) throws {
    let folder = try DatabaseFolder()
    let post = SecrecyPost(id: hostile, text: hostile)
    do {
      let store = try ListStore(at: URL(filePath: folder.file()))
      for name in ["home", hostile] {
        let list = store.list(name, of: SecrecyPost.self)
        let other = SecrecyPost(id: "other", text: "stays")
        try list.apply(RemotePage([post, other], olderToken: hostile), for: list.request(.head))
      }
      try store.edit(hostile, of: SecrecyPost.self, intent: hostile) { $0.text = "edited " + hostile }
    }
    let store = try ListStore(at: URL(filePath: folder.file()))
    #expect(try store.item(hostile, of: SecrecyPost.self)?.text == "edited " + hostile)
    #expect(try store.item("other", of: SecrecyPost.self)?.text == "stays")
    #expect(try store.pendingEdits().map(\.intent) == [hostile])
    #expect(try store.list(hostile, of: SecrecyPost.self).request(.olderThanAll).token == hostile)
    #expect(try Database(at: folder.file()).problems().isEmpty)
  }
}
