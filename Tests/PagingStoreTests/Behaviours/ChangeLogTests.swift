import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// A remote's log of changes, and how far the store says that it has read it.
@Suite struct ChangeLogTests {
  private struct Logged: ChangeLogSource {
    let server: NoticeServer
    let log: NoticeLog

    @concurrent func load(_ params: LoadParams<String>) async throws -> Page<String, Notice> {
      try await server.downward.load(params)
    }
    @concurrent func changes(since token: String?) async throws -> ChangeLogPage<Notice> { log.changes(since: token) }
  }

  private static let policy = ListPolicy(order: .keyed, gaps: .catchUp(maxPages: 20))

  @Test func B88_INV11_theLogsTokenIsNeverAheadOfWhatItBrought() async throws {
    let folder = try CoreFolder()
    let server = NoticeServer(from: 50, to: 1)
    let source = Logged(server: server, log: NoticeLog())
    let store = try ListStore(at: folder.file)
    let list = store.list("home", policy: Self.policy, remote: source)
    let pager = list.pager(config: twenty)
    await pager.settled()
    // Each page of the log changes one item, deletes one, and brings a new one.
    for step in 0..<8 {
      server.publish((51 + step)...(51 + step))
      server.delete(31 + step)
      let items = [Notice(51 + step), Notice(45, "step \(step + 1)", version: Int64(step + 1))]
      server.update(items[1])
      source.log.note(upserts: items, deletions: [31 + step])
    }
    let copies = Locked<[URL]>([])
    let killed = store.core.hub.subscribe { _ in
      let number = copies.value.count
      if let copy = try? folder.copy(as: "killed \(number)") { copies.change { $0.append(copy) } }
    }
    try await pager.refresh(from: .start).finished()
    killed.cancel()
    let whole = try await list.picture()
    #expect(whole == "58-39")
    try #require(copies.value.count >= 8)
    var tokens: Set<Int> = []
    for copy in copies.value {
      let reopened = try ListStore(at: copy).list("home", policy: Self.policy, remote: source)
      let token = try #require(try reopened.changeToken().flatMap { Int($0) })
      tokens.insert(token)
      let stored = try await reopened.rows().compactMap(\.item)
      for page in 0..<token { #expect(!stored.contains { $0.id == 31 + page }, "deletion \(page), token \(token)") }
      if token > 0 {
        #expect((stored.first { $0.id == 45 }?.version ?? 0) >= token, "the change of page \(token)")
      }
      // Going on from there loses nothing.
      let again = reopened.pager(config: twenty)
      await again.settled()
      try await again.refresh(from: .start).finished()
      #expect(try await reopened.picture() == whole)
      #expect(try await reopened.rows().first { $0.item?.id == 45 }?.item?.text == "step 8")
    }
    #expect(tokens.count >= 8, "a process died after each page")
  }

  @Test func B88_INV11_aFaultWhileAPageOfTheLogIsAppliedLeavesItsTokenBehind() async throws {
    let source = Logged(server: NoticeServer(from: 50, to: 1), log: NoticeLog())
    let store = try ListStore.inMemory()
    let list = store.list("home", policy: Self.policy, remote: source)
    let pager = list.pager(config: twenty)
    await pager.settled()
    source.log.note(upserts: [Notice(45, "new", version: 1)])
    source.server.update(Notice(45, "new", version: 1))
    try store.core.database.write { transaction throws(ListStoreError) in
      _ = try transaction.connection.run(
        SQL("CREATE TRIGGER fault BEFORE UPDATE ON item BEGIN SELECT RAISE(ABORT, 'fault'); END"))
    }
    let request = try list.request(.head)
    let page = source.log.changes(since: "0")
    let changes = RemoteChanges(
      upserts: page.upserts, deletions: page.deletions, token: page.nextToken, request: request)
    #expect(throws: ListStoreError.self) { try list.apply(changes) }
    #expect(try list.changeToken() == "0")
    try store.core.database.write { transaction throws(ListStoreError) in
      _ = try transaction.connection.run(SQL("DROP TRIGGER fault"))
    }
    try await pager.refresh(from: .start).finished()
    #expect(try list.changeToken() == "1")
    #expect(try store.item(45, of: Notice.self)?.text == "new")
  }

  @Test func B85_aDeletionInTheLogFailsWhatWasNotSent() async throws {
    let source = Logged(server: NoticeServer(from: 50, to: 1), log: NoticeLog())
    let store = try ListStore.inMemory()
    let list = store.list("home", policy: Self.policy, remote: source)
    let pager = list.pager(config: twenty)
    await pager.settled()
    try store.edit(40, of: Notice.self, intent: "rename") { $0.text = "mine" }
    source.server.delete(40)
    source.log.note(deletions: [40, 7])
    // One that isn't stored is noted too: a page that left before doesn't bring it.
    let early = try list.request(.olderThanAll)
    try await pager.refresh(from: .start).finished()
    #expect(try store.pendingEdits().map(\.state) == [.failed])
    #expect(try await list.picture() == "50-41 39-30")
    try list.apply(RemotePage(Notice.from(30, to: 1), reachedEnd: true), for: early)
    #expect(try store.item(7, of: Notice.self) == nil)
    #expect(try store.item(8, of: Notice.self) != nil)
  }
}
