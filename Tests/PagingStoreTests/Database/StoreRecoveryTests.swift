import Foundation
import Paging
import Testing

@testable import PagingStore

/// Recovery as an app calls it.
@Suite struct StoreRecoveryTests {
  private let folder: CoreFolder
  private var saved: URL { folder.url.appendingPathComponent("saved.db") }

  init() throws { folder = try CoreFolder() }

  /// Two lists of notes, an edit and a place. The store is closed when this returns.
  private func fill() throws {
    let store = try ListStore(at: folder.file)
    let home: StoredList<Note> = store.list("home")
    try home.take(notePage(90, 51))
    try home.take(notePage(50, 11, end: true), for: .olderThanAll)
    try store.list("other", of: Note.self).take(notePage(30, 21))
    try store.edit(60, of: Note.self, intent: "rename") { $0.text = "mine" }
    try home.savePosition(ListPosition(item: 55, offset: 12))
    try home.flushPosition()
  }

  private func damage(_ text: String) throws { try DatabaseFolder.script(folder.file.path, text) }

  private func check(_ store: ListStore) throws {
    let home: StoredList<Note> = store.list("home")
    #expect(try home.shape() == "90…11")
    #expect(try store.list("other", of: Note.self).shape() == "30…21")
    #expect(try store.item(60, of: Note.self)?.text == "mine")
    #expect(try store.pendingEdits().map(\.intent) == ["rename"])
    #expect(try home.savedPosition()?.position.item == 55)
    #expect(try home.savedPosition()?.position.offset == 12)
  }

  @Test func S13_anOpenStoreIsCopiedWhole() async throws {
    try fill()
    let store = try ListStore(at: folder.file)
    let report = try await store.recover(to: saved)
    #expect(report.isComplete && report.items == 80 && report.rows == 90 && report.edits == 1)
    try check(try ListStore(at: saved))
    // The old one goes on.
    try store.list("home", of: Note.self).take(notePage(95, 86))
  }

  @Test func S13_aListWhoseOrderIsMissingIsDamagedAndNeverEmpty() async throws {
    try fill()
    let store = try ListStore(at: folder.file)
    let home: StoredList<Note> = store.list("home")
    try damage("DELETE FROM list WHERE list_no = (SELECT current_list FROM feed WHERE name = 'home')")
    #expect(storeCode { _ = try home.shape() } == .damaged)
    #expect(storeCode { _ = try home.request(.head) } == .damaged)
    #expect(storeCode { try home.savePosition(ListPosition(item: 55)) } == .damaged)
    #expect(storeCode { _ = try home.currentPendingCount() } == .damaged)
    await #expect(throws: ListStoreError.self) {
      try await home.pageSource().load(LoadParams(.refresh, loadSize: 20))
    }
    #expect(try store.list("other", of: Note.self).shape() == "30…21")

    let report = try await store.recover(to: saved)
    #expect(!report.isComplete)
    let recovered = try ListStore(at: saved)
    #expect(try recovered.list("other", of: Note.self).shape() == "30…21")
    #expect(try recovered.item(60, of: Note.self)?.text == "mine")
    #expect(try recovered.pendingEdits().map(\.intent) == ["rename"])
    #expect(storeCode { _ = try recovered.list("home", of: Note.self).request(.head) } == nil)
  }

  @Test func S13_aFileThatCannotBeOpenedIsRecoveredByItsPath() async throws {
    try fill()
    try damage("DROP INDEX entry_item")
    #expect(storeCode { _ = try ListStore(at: folder.file) } == .damaged)
    let report = try await ListStore.recover(from: folder.file, to: saved)
    #expect(report.items == 80 && report.edits == 1)
    // As the documentation says.
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file.path + suffix) }
    try FileManager.default.moveItem(at: saved, to: folder.file)
    try check(try ListStore(at: folder.file))
  }

  @Test func S13_whatCannotBeRecoveredIsSaidAndLeavesNothingBehind() async throws {
    func code(_ body: () async throws -> Void) async -> ListStoreError.Code? {
      do { try await body() } catch { return (error as? ListStoreError)?.code }
      return nil
    }
    try fill()
    let store = try ListStore(at: folder.file)
    try Data("mine".utf8).write(to: saved)
    #expect(await code { try await store.recover(to: saved) } == .inputOutput)
    #expect(try Data(contentsOf: saved) == Data("mine".utf8))
    try FileManager.default.removeItem(at: saved)

    let memory = try ListStore.inMemory()
    #expect(await code { try await memory.recover(to: saved) } == .inputOutput)
    let web = try #require(URL(string: "https://example.org/lists.db"))
    #expect(await code { try await store.recover(to: web) } == .inputOutput)
    #expect(await code { try await ListStore.recover(from: web, to: saved) } == .inputOutput)
    let missing = folder.url.appendingPathComponent("missing.db")
    #expect(await code { try await ListStore.recover(from: missing, to: saved) } == .inputOutput)
    let foreign = folder.url.appendingPathComponent("foreign.db")
    try DatabaseFolder.script(foreign.path, "CREATE TABLE note (text TEXT)")
    #expect(await code { try await ListStore.recover(from: foreign, to: saved) } == .notADatabase)

    // The new file is begun, and its log can't be.
    let log = saved.path + "-wal"
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    #expect(await code { try await store.recover(to: saved) } == .inputOutput)
    #expect(!FileManager.default.fileExists(atPath: saved.path))
    try FileManager.default.removeItem(atPath: log)
    #expect(try await store.recover(to: saved).isComplete)
  }
}
