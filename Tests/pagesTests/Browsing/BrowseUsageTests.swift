import Foundation
import Paging
import PagingStore
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct BrowseUsageTests {
  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browse-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
  }

  /// A store with lists of those names, each of three rows.
  private func makeStore(_ path: String, lists: [String]) async throws {
    let store = try ListStore(at: URL(fileURLWithPath: path))
    for name in lists {
      try await StoredListNote(id: name, url: "http://127.0.0.1/", options: []).put(in: store)
      let list = store.list(name, of: StoredRow.self, policy: StoredBrowsing.policy)
      let rows = (0..<3).map { StoredRow(RawRow(id: .text("\($0)"), line: Array("{\"id\":\($0)}".utf8)), in: name) }
      try list.apply(RemotePage(rows, reachedEnd: true), for: list.request(.head))
    }
  }

  @Test func aStoreWithSeveralListsNamesThem() async throws {
    try await inFolder { folder in
      let path = folder + "/lists.db"
      try await makeStore(path, lists: ["one", "two"])
      let run = try await Tool.run(["browse", path])
      #expect(run.status == 2)
      #expect(run.errors.contains("holds 2 lists: two, one"))
      #expect(run.errors.contains("pages browse \(path) --list two"))
      let wrong = try await Tool.run(["browse", path, "--list", "three"])
      #expect(wrong.status == 2)
      #expect(wrong.errors.contains("there is no list 'three'"))
      // A list that is named is taken, and then there is no terminal.
      let right = try await Tool.run(["browse", path, "--list", "one"])
      #expect(right.status == 2)
      #expect(right.errors.contains("needs a terminal"))
    }
  }

  @Test func whatIsNoStoreOrFileIsNamed() async throws {
    try await inFolder { folder in
      let missing = try await Tool.run(["browse", folder + "/none.ndjson"])
      #expect(missing.status == 2)
      #expect(missing.errors.contains("there is no file"))
      try await makeStore(folder + "/empty.db", lists: [])
      let empty = try await Tool.run(["browse", folder + "/empty.db"])
      #expect(empty.status == 2)
      #expect(empty.errors.contains("holds no list"))
      try (Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 5000)).write(
        to: URL(fileURLWithPath: folder + "/damaged.db"))
      let damaged = try await Tool.run(["browse", folder + "/damaged.db"])
      #expect(damaged.status == 1)
      #expect(damaged.errors.contains("damaged.db: "))
    }
  }

  @Test(arguments: [["--image", "a.b", "--no-images"], ["--into", "lists.db"], ["--list", "one"]])
  func optionsThatDontGoTogetherAreRefused(_ options: [String]) async throws {
    try await inFolder { folder in
      try "{}\n".write(toFile: folder + "/rows.ndjson", atomically: true, encoding: .utf8)
      let run = try await Tool.run(["browse", folder + "/rows.ndjson"] + options)
      #expect(run.status == 2)
      #expect(run.errors.contains(options[0]))
    }
  }

  @Test func theHelpFitsAScreen() throws {
    let lines = BrowseCommand.table.help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func aFileIsSearchedByItsText() async throws {
    try await inFolder { folder in
      let path = folder + "/rows.ndjson"
      try (0..<500).map { "{\"id\":\($0),\"t\":\"text \($0)\"}\n" }.joined().write(
        toFile: path, atomically: true, encoding: .utf8)
      let source = FilePageSource(path)
      #expect(try await source.firstRow(with: "text 499") == 499)
      #expect(try await source.firstRow(with: "{\"id\":0,") == 0)
      #expect(try await source.firstRow(with: "text 500") == nil)
    }
  }

  @Test func aStoredListIsSearchedByIDByTextAndByNumber() async throws {
    try await inFolder { folder in
      let path = folder + "/lists.db"
      try await makeStore(path, lists: ["one", "two"])
      let store = try ListStore(at: URL(fileURLWithPath: path))
      let list = store.list("one", of: StoredRow.self, policy: StoredBrowsing.policy)
      let (browsed, pager) = StoredBrowsing.browsed(
        list, config: BrowseCommand.config(100), title: "one", pictures: .nowhere, explain: { "\($0)" })
      defer { pager.close() }
      let find = try #require(browsed.find)
      func isRow(_ target: BrowsePrompt.Target, _ own: String?) async throws -> Bool {
        guard case .item(let id)? = try await find(target) else { return own == nil }
        return try own.map { try list.rowID(of: StoredRow.id($0, in: "one")) } == id
      }
      #expect(try await isRow(.text("1"), "1"))
      #expect(try await isRow(.row(3), "2"))
      #expect(try await isRow(.row(4), nil))
      #expect(try await isRow(.text("nothing"), nil))
    }
  }
}
