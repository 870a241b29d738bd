import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// A list that was loaded yesterday and is opened without a connection.
@Suite(.timeLimit(.minutes(10))) struct OfflineTests {
  @Test func B55_yesterdaysListOpensOfflineAtItsPlaceAndGoesOnWhenTheConnectionIsBack() async throws {
    let folder = try CoreFolder()
    let server = NoticeServer(from: 200, to: 1)
    let line = Line()
    do {
      let list = try ListStore(at: folder.file).list("home", remote: server.anchored(over: line))
      let pager = list.pager(config: twenty)
      await pager.settled()
      try await pager.read(downTo: 121)
      await pager.see(150)
      try list.savePosition(ListPosition(item: 150, offset: -12))
      try list.flushPosition()
      pager.close()
    }

    line.cut()
    server.publish(201...203)
    let store = try ListStore(at: folder.file)
    let list = store.list("home", remote: server.anchored(over: line))
    let asked = server.asked
    #expect(try list.savedPosition()?.position.offset == -12)
    let pager = list.pager(config: twenty)
    let recorder = PagerRecorder(pager)
    await pager.settled()
    // Yesterday's rows, at the saved place, before and without any answer.
    #expect(pager.snapshot.notes.contains(150))
    #expect(!pager.snapshot.notes.contains(200))
    #expect(server.asked == asked)
    // The list says that it couldn't be refreshed, and is no less usable for it.
    #expect(pager.snapshot.phase == .content)
    #expect(pager.snapshot.states.refresh.failure?.error is Line.Down)
    try await pager.read(downTo: 121)
    #expect(pager.snapshot.notes.contains(121))
    await pager.see(121, rows: 1)
    #expect(!pager.snapshot.notes.contains(120))

    line.mend()
    try await pager.retry().finished()
    await pager.settled()
    #expect(pager.snapshot.states.refresh.failure == nil)
    try await pager.read(downTo: 101)
    #expect(pager.snapshot.notes.contains(101))
    #expect(try await list.picture() == "203-101")
    let first = try #require(recorder.snapshots.first(where: { !$0.notes.isEmpty }))
    #expect(first.notes.contains(150))
  }

  @Test func B54_whereTheSavedRowIsGoneItsNeighbourStandsIn() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward)
    try await list.head(40)
    try list.savePosition(ListPosition(item: 70))
    try list.flushPosition()
    server.delete(70)
    try await list.head(40)
    let pager = list.pager(config: twenty)
    await pager.settled()
    #expect(try list.savedPosition()?.isExact == false)
    #expect(pager.snapshot.notes.contains(69))
    #expect(!pager.snapshot.notes.contains(90))
  }

  @Test func S8_aListThatFollowsTheNewestOpensThere() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward)
    try await list.head(40)
    try list.savePosition(ListPosition(item: 60, followsNewest: true))
    try list.flushPosition()
    let pager = list.pager(config: twenty)
    await pager.settled()
    #expect(pager.snapshot.notes.first == 90)
  }

  @Test func S2_anAnswerThatIsThrownAwayLeavesNothing() async throws {
    let gate = Gate()
    let server = NoticeServer(from: 90, to: 1)
    let source = CursorPageSource<String, Notice> { params in
      if params.key != nil { try await gate.pass() }
      return try server.page(params)
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    let asking = Task { try await list.tail(20) }
    await gate.waiting(atLeast: 1)
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(try await list.picture() == "90-71")
    gate.open()
    try await list.tail(20)
    #expect(try await list.picture() == "90-51")
  }
}
