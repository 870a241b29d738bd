import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Where a reader stands while he, and others, make the list longer.
@Suite struct ReaderPlaceTests {
  /// Whether "to the newest" is worth a button: the first row that is stored isn't loaded, or something is missing on the way there.
  private func isAwayFromNewest(_ pager: StoredPager<Notice>) -> Bool {
    let snapshot = pager.snapshot
    return !snapshot.states.source.prepend.isAtEnd || snapshot.items.contains { $0.gap != nil }
  }

  @Test func B46_aPlaceInTheHeadRunNeedsNoJump() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.anchored)
    try await list.head(20)
    let pager = list.pager(config: twenty, at: .item(45))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(45))
    try await pager.read(upTo: 50)
    #expect(!isAwayFromNewest(pager))
    // Behind a gap it does.
    server.publish(51...150)
    try await list.head(20)
    let old = list.pager(config: twenty, at: .item(45))
    await old.settled()
    #expect(old.snapshot.notes.contains(45))
    #expect(isAwayFromNewest(old))
    try list.jumpToNewest()
    await old.settled()
    #expect(old.snapshot.picture == "150-131")
    #expect(!isAwayFromNewest(old))
  }

  @Test func B48_onlyOnesOwnWordLeadsToTheNewest() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try ListStore.inMemory().list("chat", remote: server.downward)
    let pager = list.pager(config: twenty)
    await pager.settled()
    try await pager.read(downTo: 11)
    await pager.see(20)
    server.publish(51...150)
    let session = try list.liveSession()
    try await list.head(20)
    await pager.settled()
    #expect(try await list.picture() == "150-131 gap 50-11")
    let sending = try list.insert(Notice(1_000, "mine"), intent: "send")
    await pager.settled()
    #expect(pager.snapshot.notes.contains(20))
    #expect(!pager.snapshot.notes.contains(1_000), "the store moves nobody")
    try list.jumpToNewest()
    await pager.settled()
    #expect(pager.snapshot.notes.first == 1_000, "whoever sends asks for it")
    // What is one's own and comes by other ways, from another device say, moves nobody either.
    try sending.confirm(as: Notice(151, "mine"))
    try await pager.jump(toItem: try #require(try list.rowID(of: 20))).finished()
    await pager.see(20)
    try session.receive([Notice(152, "mine")])
    await pager.settled()
    #expect(pager.snapshot.notes.contains(20))
    #expect(!pager.snapshot.notes.contains(152))
    #expect(try await list.rows().first?.item?.id == 152)
    session.end()
  }
}
