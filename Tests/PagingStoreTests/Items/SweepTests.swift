import Foundation
import Testing

@testable import PagingStore

/// What a sweep gives up, and what it never does.
@Suite(.timeLimit(.minutes(10))) struct SweepTests {
  private let time = Locked(Date(timeIntervalSince1970: 1_000_000))

  private func store(maxItems: Int) throws -> ListStore {
    var config = ListStoreConfig()
    config.maxItems = maxItems
    return try ListStore.inMemory(config: config, now: { [time] in time.value })
  }

  private func count(_ store: ListStore) throws -> Int {
    try store.core.database.read { connection throws(ListStoreError) in
      try connection.sweeping.items(after: .min, limit: .max).count
    }
  }

  @Test func S1_itemsInNoListGoTheOneNotUsedForLongestFirst() async throws {
    let store = try store(maxItems: 3)
    let list = store.list("home", of: Note.self)
    for id in 1...5 {
      time.change { $0 += 1 }
      try list.replace(with: RemotePage(notes(id, id)), for: list.request(.head))
    }
    try await store.sweep()
    #expect(try count(store) == 3)
    #expect(try (1...5).map { try store.item($0, of: Note.self) != nil } == [false, false, true, true, true])
    try await store.sweep()
    #expect(try count(store) == 3)
  }

  @Test func B90_itemsThatAreEditedOrObservedStay() async throws {
    let store = try store(maxItems: 1)
    let list = store.list("home", of: Note.self)
    try list.replace(with: RemotePage(notes(4, 1)), for: list.request(.head))
    _ = try store.edit(1, of: Note.self, intent: "rename") { $0.text = "z" }
    var sights = store.observe(2, of: Note.self).makeAsyncIterator()
    _ = try await sights.next()
    try list.replace(with: RemotePage(notes(9, 9)), for: list.request(.head))
    try await store.sweep()
    #expect(try (1...4).map { try store.item($0, of: Note.self) != nil } == [true, true, false, false])
    #expect(try store.item(9, of: Note.self) != nil, "it is in a list")
    _ = sights
  }

  @Test(arguments: [ListPolicy.Order.cursor, .keyed])
  func B89_theTailGoesAtAJointAndCanBeAskedForAgain(order: ListPolicy.Order) async throws {
    let store = try store(maxItems: 300)
    let list = store.list("home", of: Note.self, policy: ListPolicy(order: order))
    try list.take(notePage(1_000, 901))
    for top in [900, 800, 700, 600] { try list.take(notePage(top, top - 99), for: .olderThanAll) }
    #expect(try list.shape() == "1000…501")
    try await store.sweep()
    #expect(try list.shape() == "1000…701")
    let request = try list.request(.olderThanAll)
    #expect(request.token == "<701" && request.boundary == 701)
    try list.apply(notePage(700, 601), for: request)
    #expect(try list.shape() == "1000…601", "no hole")
    #expect(try count(store) == 400)
  }

  @Test func B89_nothingIsCutWhereTheTokenWouldLeadPastARow() async throws {
    let store = try store(maxItems: 1)
    let list = store.list("home", of: Note.self, policy: ListPolicy(order: .keyed))
    let session = try list.liveSession()
    for (newest, oldest) in [(500, 410), (400, 310), (300, 210)] {
      let rows = stride(from: newest, through: oldest, by: -10).map { Note(id: $0) }
      try list.take(RemotePage(rows, olderToken: "<\(oldest)"), for: newest == 500 ? .head : .olderThanAll)
    }
    // The row above the lower joint goes, and two come late that stand above it on the server, one of them below its old place here.
    try session.receiveDeletions([310])
    try session.receive([Note(id: 315)])
    try session.receive([Note(id: 311)])
    try await store.core.sweep(maxItems: try count(store) - 1, keptRows: 2)
    #expect(try list.request(.olderThanAll).token == "<410", "from <310 on 311 would not come again")
    #expect(try list.runs().count == 1)
    session.end()
  }

  @Test func S5_aWindowBesideItsListGoesWhenNobodyShowsIt() async throws {
    let store = try store(maxItems: 25)
    let list = store.list("home", of: Note.self)
    try list.take(notePage(200, 181))
    var window: DetachedWindow<Note>? = DetachedWindow(around: 100, key: try ItemKey(100), of: list)
    try window?.open(with: notePage(110, 91))
    try await store.sweep()
    #expect(try store.item(100, of: Note.self) != nil, "a pager stands there")
    window = nil
    try await store.sweep()
    #expect(try store.item(100, of: Note.self) == nil)
    #expect(try list.shape() == "200…181")
    #expect(try count(store) == 20)
    let again = DetachedWindow(around: 100, key: try ItemKey(100), of: list)
    #expect(!again.isOpen, "it is asked for anew")
  }

  @Test func B90_rowsAroundASavedPlaceStay() async throws {
    let store = try store(maxItems: 1)
    let list = store.list("home", of: Note.self)
    try list.take(notePage(2_000, 1_901))
    for top in stride(from: 1_900, through: 1_100, by: -100) {
      try list.take(notePage(top, top - 99), for: .olderThanAll)
    }
    try list.savePosition(ListPosition(item: 1_501))
    try await store.sweep()
    #expect(try list.shape() == "2000…1301")
    #expect(try list.savedPosition()?.isExact == true)
  }

  @Test func S1_aDeletionIsRememberedForAWeek() async throws {
    let store = try store(maxItems: 1_000)
    let list = store.list("home", of: Note.self)
    try list.liveSession().receiveDeletions([7])
    time.change { $0 += 7 * 24 * 3600 }
    try await store.sweep()
    #expect(try count(store) == 1)
    time.change { $0 += 1 }
    try await store.sweep()
    #expect(try count(store) == 0)
  }
}
