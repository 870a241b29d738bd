import Foundation
import Paging
import PagingStore
import Synchronization
import Testing

@testable import pages

/// `--into lists.db`.
@Suite(.timeLimit(.minutes(10))) struct WalkStoreTests {
  private static func line(_ number: Int) -> String { "{\"id\":\(number),\"price\":1.10}" }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path + "/lists.db")
  }

  /// The rows of a list of the store, and whether there is a gap.
  private func rows(_ name: String, in path: String) async throws -> (lines: [String], hasGap: Bool) {
    let store = try ListStore(at: URL(fileURLWithPath: path))
    var rows: [ListRow<StoredRow>] = []
    for try await page in store.list(name, of: StoredRow.self).pageSource().pages(pageSize: 70) { rows += page.items }
    return (rows.compactMap { $0.item?.json }, rows.contains { $0.gap != nil })
  }

  /// Serves what `numbers` holds by cursors that are the ID of the row before.
  private func server(
    _ numbers: @escaping @Sendable () -> [Int], fails: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws
    -> LoopbackServer
  {
    try LoopbackServer { request in
      let all = numbers()
      let after = request.number("cursor")
      if fails(after ?? 0) { return .refusal(500, "out of order") }
      let start = after.flatMap { after in all.firstIndex(of: after).map { $0 + 1 } } ?? 0
      let page = all[start..<min(all.count, start + 25)]
      let next = start + 25 < all.count ? "\"\(page.last ?? 0)\"" : "null"
      return .json("{\"items\": [\(page.map(Self.line).joined(separator: ","))], \"next_cursor\": \(next)}")
    }
  }

  @Test func aListIsKeptInItsOrderAndNoted() async throws {
    try await inFolder { path in
      let server = try server { Array((1...180).reversed()) }
      let url = server.url("/feed/items")
      let run = try await Tool.run(["walk", url, "--into", path, "--header", "X-Key: secret", "--param", "cursor"])
      #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
      let name = url.dropFirst(7)
      let stored = try await rows(String(name), in: path)
      #expect(stored.lines == (1...180).reversed().map(Self.line) && !stored.hasGap)
      let notes = try await StoredListNote.all(in: ListStore(at: URL(fileURLWithPath: path)))
      #expect(notes.map(\.id) == [String(name)] && notes.first?.url == url)
      #expect(notes.first?.options == ["--param", "cursor"])
      for suffix in ["", "-wal"] {
        let data = FileManager.default.contents(atPath: path + suffix) ?? Data()
        #expect(data.range(of: Data("secret".utf8)) == nil)
      }
    }
  }

  @Test func listsOfOneStoreKeepApart() async throws {
    try await inFolder { path in
      let few = try server { [3, 2, 1] }
      let many = try server { Array(1...60) }
      _ = try await Tool.run(["walk", few.url("/"), "--into", path, "--list", "few"])
      _ = try await Tool.run(["walk", many.url("/"), "--into", path, "--list", "many"])
      #expect(try await rows("few", in: path).lines == [3, 2, 1].map(Self.line))
      #expect(try await rows("many", in: path).lines == (1...60).map(Self.line))
      let notes = try await StoredListNote.all(in: ListStore(at: URL(fileURLWithPath: path)))
      #expect(notes.map(\.id) == ["many", "few"])
    }
  }

  @Test func aWalkThatBrokeOffGoesOnBelow() async throws {
    try await inFolder { path in
      let isBroken = Mutex(true)
      let server = try server({ Array((1...180).reversed()) }) { after in after == 81 && isBroken.withLock { $0 } }
      let first = try await Tool.run(["walk", server.url("/"), "--into", path, "--list", "feed"])
      #expect(first.status == 1 && first.errors.contains("out of order"))
      #expect(try await rows("feed", in: path).lines == (81...180).reversed().map(Self.line))
      isBroken.withLock { $0 = false }
      let count = server.requestCount
      let line = try #require(first.offeredLine)
      let rest = try await Tool.shell(line)
      #expect(rest.status == 0, "\(rest.errors)")
      #expect(server.requestCount == count + 4)
      let stored = try await rows("feed", in: path)
      #expect(stored.lines == (1...180).reversed().map(Self.line) && !stored.hasGap)
      let again = try await Tool.shell(line)
      #expect(again.status == 0 && again.errors.contains("the whole list already"))
      #expect(server.requestCount == count + 4)
    }
  }

  @Test func anotherWalkMakesTheListWhatItsServerHasNow() async throws {
    try await inFolder { path in
      let numbers = Mutex(Array((1...180).reversed()))
      let server = try server { numbers.withLock { $0 } }
      let words = ["walk", server.url("/"), "--into", path, "--list", "feed"]
      _ = try await Tool.run(words)
      // Above, in the middle and below; a whole page and more goes, and another row moves up.
      let changed =
        Array((181...240).reversed()) + Array((120...180).reversed()) + [7, 500, 501] + Array((8...80).reversed())
        + Array((-20...5).reversed())
      numbers.withLock { $0 = changed }
      let run = try await Tool.run(words)
      #expect(run.status == 0, "\(run.errors)")
      let stored = try await rows("feed", in: path)
      #expect(stored.lines == changed.map(Self.line))
      #expect(!stored.hasGap)
    }
  }

  @Test func rowsWithoutIDsAreToldByTheirContents() async throws {
    try await inFolder { path in
      let server = try LoopbackServer { _ in .json("[{\"a\": 1}, {\"a\": 2}, {\"a\": 1}]") }
      for _ in 0..<2 {
        #expect(try await Tool.run(["walk", server.url("/"), "--into", path, "--list", "a"]).status == 0)
      }
      #expect(try await rows("a", in: path).lines == ["{\"a\":1}", "{\"a\":2}"])
    }
  }

  @Test func whatIsNoStoreIsLeftAlone() async throws {
    try await inFolder { path in
      let server = try server { [1] }
      try Data("not a database, but somebody's notes\n".utf8).write(to: URL(fileURLWithPath: path))
      let run = try await Tool.run(["walk", server.url("/"), "--into", path])
      #expect(run.status == 1 && run.errors.contains("pages: "))
      #expect(FileManager.default.contents(atPath: path)?.starts(with: Data("not a".utf8)) == true)
      let nowhere = try await Tool.run(["walk", server.url("/"), "--into", "/nowhere/lists.db"])
      #expect(nowhere.status == 1 && !nowhere.errors.isEmpty)
    }
  }
}
