import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Who is heard, and for how long.
@Suite(.timeLimit(.minutes(10))) struct ListeningTests {
  @Test func S12_aLateWordOfTheLastListenersEndStopsNobodyFromLooking() async throws {
    let folder = try CoreFolder()
    let clock = ManualClock()
    let hub = ChangeHub()
    let foreign = ForeignCommits(
      database: try Database(at: folder.file.path(percentEncoded: false)), hub: hub, interval: .seconds(1),
      clock: clock,
      report: { _ in })
    #expect(clock.sleepers.isEmpty)
    let subscription = hub.subscribe { _ in }
    await clock.sleepers(atLeast: 1)
    // What another thread says that let go of the listener before.
    foreign.listeningChanged()
    try #require(clock.sleepers.count == 1)
    await clock.advance(by: .seconds(1))
    await clock.sleepers(atLeast: 1)
    subscription.cancel()
    // And of one that came and has gone again.
    foreign.listeningChanged()
    await clock.advance(by: .seconds(5))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func S7_aRuleIsAskedOnceForEachItemThatWaits() async throws {
    let list: StoredList<Note> = try ListStore.inMemory().list("home", policy: ListPolicy(freshness: .newItemsControl))
    let asked = Locked<[Int]>([])
    let ruled = list.showing { note in
      asked.change { $0.append(note.id) }
      return note.id % 2 == 0
    }
    let session = try list.liveSession()
    try list.take(notePage(50, 41))
    var counts = ruled.pendingCount().makeAsyncIterator()
    #expect(await counts.next() == PendingCount.none)
    for id in 51...56 {
      try session.receive([Note(id: id)])
      if id % 2 == 0 { #expect(await counts.next() == PendingCount(count: (id - 50) / 2)) }
    }
    #expect(asked.value.sorted() == Array(51...56))
    try list.showPending()
    #expect(await counts.next() == PendingCount.none)
    try session.receive([Note(id: 58)])
    #expect(await counts.next() == PendingCount(count: 1))
    #expect(asked.value.sorted() == Array(51...56) + [58])
    session.end()
  }
}
