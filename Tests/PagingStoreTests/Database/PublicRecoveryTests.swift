import Foundation
import Testing

@testable import PagingStore

/// Saving what can be read, as an app does it.
@Suite struct PublicRecoveryTests {
  private let folder: CoreFolder

  init() throws { folder = try CoreFolder() }

  private func fill() throws {
    let store = try ListStore(at: folder.file)
    let list: StoredList<Note> = store.list("list", policy: ListPolicy(order: .keyed))
    try list.take(notePage(400, 201, text: String(repeating: "text ", count: 20)))
    try list.take(notePage(150, 1, text: String(repeating: "text ", count: 20), end: true), for: .olderThanAll)
    try store.edit(300, of: Note.self, intent: "x") { $0.text = "edited" }
  }

  private func list(at url: URL) throws -> StoredList<Note> {
    try ListStore(at: url).list("list", policy: ListPolicy(order: .keyed))
  }

  @Test func S13_anOpenStoreIsSavedWhole() async throws {
    try fill()
    let store = try ListStore(at: folder.file)
    let target = folder.url.appending(path: "saved.db")
    let report = try await store.recover(to: target)
    #expect(report.isComplete)
    #expect(report.items == 350)
    #expect(report.rows == 350)
    #expect(report.edits == 1)
    #expect(try list(at: target).shape() == list(at: folder.file).shape())
    #expect(try ListStore(at: target).item(300, of: Note.self)?.text == "edited")
  }

  @Test func S13_aFileThatCannotBeOpenedIsSavedInPart() async throws {
    try fill()
    let sound = try Data(contentsOf: folder.file)
    var refused = 0
    var losses = 0
    for page in 1..<(sound.count / 4096) {
      var bytes = sound
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
      let file = folder.url.appending(path: "bad \(page).db")
      try bytes.write(to: file)
      guard storeCode({ _ = try ListStore(at: file) }) == .damaged else { continue }
      refused += 1
      let target = folder.url.appending(path: "saved \(page).db")
      let report = try await ListStore.recover(file, to: target)
      let isWhole = report.items == 350 && report.rows == 350 && report.edits == 1
      #expect(isWhole || !report.isComplete, "page \(page)")
      if !isWhole { losses += 1 }
      _ = try list(at: target).shape()
    }
    #expect(refused > losses && losses > 0)
  }

  @Test func S13_whatCannotBeSavedSaysWhy() async throws {
    try fill()
    let target = folder.url.appending(path: "saved.db")
    func code(_ body: () async throws -> Void) async -> ListStoreError.Code? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? ListStoreError)?.code
      }
    }
    let web = try #require(URL(string: "https://example.com/lists.db"))
    let missing = folder.url.appending(path: "missing.db")
    #expect(await code { try await ListStore.inMemory().recover(to: target) } == .inputOutput)
    #expect(await code { try await ListStore.recover(web, to: target) } == .inputOutput)
    #expect(await code { try await ListStore.recover(folder.file, to: web) } == .inputOutput)
    #expect(await code { try await ListStore.recover(missing, to: target) } == .inputOutput)
    #expect(await code { try await ListStore.recover(folder.file, to: folder.file) } == .inputOutput)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }
}
