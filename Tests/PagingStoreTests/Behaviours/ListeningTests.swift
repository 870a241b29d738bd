import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Who is heard, and for how long.
@Suite struct ListeningTests {
  @Test func S12_listenersThatComeAndGoAtOnceLeaveSomebodyWhoLooks() async throws {
    let folder = try CoreFolder()
    for _ in 0..<60 {
      let clock = ManualClock()
      let core = try ListStore(at: folder.file, clock: clock).core
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<25 { core.hub.subscribe { _ in }.cancel() } }
        }
        await group.waitForAll()
      }
      async let first = Task.detached { core.hub.subscribe { _ in }.cancel() }.value
      let last = await Task.detached { core.hub.subscribe { _ in } }.value
      await first
      #expect(core.hub.isListenedTo)
      await clock.sleepers(atLeast: 1)
      last.cancel()
    }
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
