import Foundation
import PagingTesting
import Testing

@testable import PagingStore

/// Where readers were, over a file.
@Suite(.timeLimit(.minutes(10))) struct SavedPositionTests {
  private let clock = ManualClock()
  private let time = Locked(Date(timeIntervalSince1970: 1_000_000))

  private func store(at url: URL? = nil) throws -> ListStore {
    let now: @Sendable () -> Date = { [time] in time.value }
    if let url { return try ListStore(at: url, now: now, clock: clock) }
    return try ListStore.inMemory(now: now, clock: clock)
  }

  private func filled(_ order: ListPolicy.Order = .cursor) throws -> StoredList<Note> {
    let list = try store().list("home", of: Note.self, policy: ListPolicy(order: order))
    try list.take(notePage(50, 31))
    return list
  }

  @Test func B55_aPlaceOutlivesTheProcess() throws {
    let folder = try CoreFolder()
    let list = try store(at: folder.file).list("home", of: Note.self)
    try list.take(notePage(50, 31))
    try list.savePosition(ListPosition(item: 40, offset: 12.5, fraction: 0.25, neighbours: [39]))
    let copy = try store(at: folder.copy(as: "killed.db")).list("home", of: Note.self)
    let expected = ListPosition(item: 40, offset: 12.5, fraction: 0.25, neighbours: [39])
    #expect(try copy.savedPosition() == RestoredPosition(position: expected))
  }

  @Test func B57_theNeighbourBelowStandsInForARowThatIsGone() throws {
    let list = try filled()
    try list.savePosition(ListPosition(item: 40, offset: 12.5))
    let session = try list.liveSession()
    try session.receiveDeletions([40])
    #expect(try list.savedPosition() == RestoredPosition(position: ListPosition(item: 39), isExact: false))
    try session.receiveDeletions([39])
    #expect(try list.savedPosition()?.position.item == 41)
    try session.receiveDeletions([41])
    #expect(try list.savedPosition()?.position.item == 38)
  }

  @Test func B57_withoutNeighboursTheNearestKeyDecides() throws {
    let list = try filled(.keyed)
    try list.savePosition(ListPosition(item: 40, offset: 1))
    let session = try list.liveSession()
    try session.receiveDeletions(Array(32...48))
    #expect(try list.savedPosition()?.position.item == 31)
    #expect(try list.savedPosition()?.isExact == false)
  }

  @Test func B58_whoFollowsTheNewestReturnsToItAndWhoDoesNotStays() throws {
    let list = try filled()
    try list.savePosition(ListPosition(item: 50, offset: 3, followsNewest: true))
    try list.flushPosition()
    #expect(try list.savedPosition()?.position.offset == 3, "nothing newer has come")
    try list.take(notePage(52, 43))
    #expect(try list.savedPosition()?.position == ListPosition(item: 52, followsNewest: true))
    try list.savePosition(ListPosition(item: 50, offset: 3))
    #expect(try list.savedPosition()?.position == ListPosition(item: 50, offset: 3))
  }

  @Test func B59_aRefreshKeepsThePlaceOfARowThatIsStillThere() throws {
    let list = try filled()
    try list.savePosition(ListPosition(item: 40, offset: 5))
    try list.replace(with: RemotePage(notes(60, 40)), for: list.request(.head))
    #expect(try list.savedPosition() == RestoredPosition(position: ListPosition(item: 40, offset: 5)))
    try list.replace(with: RemotePage(notes(60, 42)), for: list.request(.head))
    #expect(try list.savedPosition()?.position.item == 42)
  }

  @Test func B61_sixtySavesASecondAreFourWritesAndNobodyReadsAnew() async throws {
    let list = try filled()
    let changes = Locked(0)
    let subscription = list.core.hub.subscribe { _ in changes.change { $0 += 1 } }
    let before = try sequence(list)
    try list.savePosition(ListPosition(item: 50))
    for item in 0..<15 { try list.savePosition(ListPosition(item: 49 - item)) }
    #expect(try sequence(list) - before == 1, "the first one at once")
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(250))
    // The one that waited writes on a thread of its own.
    while try sequence(list) - before < 2 { await Task.yield() }
    #expect(try sequence(list) - before == 2, "the newest one later")
    #expect(try list.savedPosition()?.position.item == 35)
    #expect(changes.value == 0)
    subscription.cancel()
  }

  @Test func S8_aFlushWritesWhatWaits() throws {
    let list = try filled()
    let before = try sequence(list)
    try list.savePosition(ListPosition(item: 50))
    try list.savePosition(ListPosition(item: 44))
    try list.flushPosition()
    #expect(try sequence(list) - before == 2)
    try list.flushPosition()
    #expect(try sequence(list) - before == 2)
  }

  @Test func S8_aReaderWhoReturnsLateStartsAtTheNewestAndIsTold() throws {
    var policy = ListPolicy()
    policy.staleAfter = .seconds(3600)
    let list = try store().list("home", of: Note.self, policy: policy)
    try list.take(notePage(50, 31))
    try list.savePosition(ListPosition(item: 40, offset: 5))
    time.change { $0 += 3600 }
    #expect(try list.savedPosition()?.isStale == false)
    time.change { $0 += 1 }
    let late = try #require(try list.savedPosition())
    #expect(late.isStale && late.isExact && late.position.item == 40)
    #expect(try list.shape() == "50…31", "its rows are kept")
  }

  @Test func S8_noPlaceWithoutASaveOrWithoutARow() throws {
    let list = try store().list("home", of: Note.self)
    #expect(try list.savedPosition() == nil)
    try list.savePosition(ListPosition(item: 1, offset: .nan))
    #expect(try list.savedPosition() == nil, "the list holds no row")
    try list.take(notePage(2, 1))
    #expect(try list.savedPosition() == RestoredPosition(position: ListPosition(item: 1)))
  }

  private func sequence(_ list: StoredList<Note>) throws -> Int64 {
    try list.core.database.read { connection throws(ListStoreError) in try WriteTransaction.lastSequence(connection) }
  }
}
