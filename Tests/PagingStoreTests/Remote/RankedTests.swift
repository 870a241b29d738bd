import Foundation
import Paging
import PagingTesting
import Synchronization
import Testing

@testable import PagingStore

/// A ranking that a server keeps for a session, and lets go of when it is told to.
final class Ranking: Sendable {
  private let sessions = Mutex<(current: Int, orders: [Int: [Int]])>((0, [:]))
  let asked = Count()

  /// Ranks the notes anew.
  func rank(_ ids: [Int]) {
    sessions.withLock { $0 = ($0.current + 1, $0.orders.merging([$0.current + 1: ids]) { $1 }) }
  }
  func expire() { sessions.withLock { $0.orders = [:] } }

  func source(over line: Line = Line()) -> RankedPageSource<Notice> {
    RankedPageSource(session: { params in
      try await line.pass()
      self.asked.up()
      return try self.page(params)
    })
  }

  private func page(_ params: LoadParams<RankedKey>) throws -> Page<RankedKey, Notice> {
    try sessions.withLock { sessions in
      let name = params.key?.session.flatMap { Int($0) } ?? sessions.current
      guard let order = sessions.orders[name] else { throw PagingError.cursorExpired }
      let from = params.key?.offset ?? 0
      let rows = order.dropFirst(from).prefix(params.loadSize)
      let end = from + rows.count
      return Page(
        rows.map { Notice($0) }, nextKey: end < order.count ? RankedKey(session: "\(name)", offset: end) : nil)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct RankedTests {
  private static let session = ListPolicy(order: .ranked(.session))
  private static let excluding = ListPolicy(order: .ranked(.excludingShown))
  private static let ten = PagingConfig(pageSize: 10, prefetchDistance: 0, initialLoadSize: 10)

  @Test func B65_aNewSessionTakesThePlaceOfTheOldOneInOneStep() async throws {
    let ranking = Ranking()
    ranking.rank(Array(1...40))
    let list = try ListStore.inMemory().list("hot", policy: Self.session, remote: ranking.source())
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    try await pager.read(downTo: 20)
    #expect(try await list.rows().compactMap { $0.item?.id } == Array(1...20))
    let old = try list.core.runs(of: list.id)?.list

    ranking.rank(Array((1...40).reversed()))
    let recorder = PagerRecorder(pager)
    try await pager.refresh(from: .start).finished()
    #expect(try await list.rows().compactMap { $0.item?.id } == Array((31...40).reversed()))
    #expect(pager.snapshot.notes.first == 40)
    #expect(pager.snapshot.notes == Array(((41 - pager.snapshot.notes.count)...40).reversed()))
    #expect(recorder.snapshots.allSatisfy { !$0.items.isEmpty }, "no frame is empty")
    let feed = try list.core.database.read { connection throws(ListStoreError) in
      try list.core.feed(list.id, on: connection)
    }
    #expect(feed?.previous == old)
    #expect(feed?.current != old)
  }

  @Test func S9_theSessionBeforeCanBeShownAgain() async throws {
    let ranking = Ranking()
    ranking.rank(Array(1...40))
    let list = try ListStore.inMemory().list("hot", policy: Self.session, remote: ranking.source())
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    #expect(try !list.showPreviousSession(), "there is none yet")
    ranking.rank(Array((1...40).reversed()))
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.notes.first == 40)
    let asked = ranking.asked.value
    #expect(try list.showPreviousSession())
    await pager.shows { $0.notes.first == 1 }
    #expect(try await list.rows().compactMap { $0.item?.id } == Array(1...10))
    #expect(ranking.asked.value == asked)
    #expect(try list.showPreviousSession())
    #expect(try await list.rows().first?.item?.id == 40, "and back")
  }

  @Test func B67_oneTokenForAllPagesGoesOnAsLongAsNewRowsCome() throws {
    let list = try ListStore.inMemory().list("hot", of: Notice.self, policy: Self.excluding)
    func page(from first: Int) -> RemotePage<Notice> {
      RemotePage((first..<first + 5).map { Notice($0) }, olderToken: "more")
    }
    try list.apply(page(from: 1), for: list.request(.head))
    for first in stride(from: 6, through: 26, by: 5) {
      try list.apply(page(from: first), for: list.request(.olderThanAll))
    }
    #expect(try list.facts().tail?.older.state == .open)
    for _ in 0..<3 { try list.apply(page(from: 1), for: list.request(.olderThanAll)) }
    #expect(try list.facts().tail?.older.state == .reached, "the server has nothing more that wasn't shown")
  }

  @Test func S9_aSessionThatCannotBeBegunLeavesTheOldOne() async throws {
    let line = Line()
    let ranking = Ranking()
    ranking.rank(Array(1...40))
    let list = try ListStore.inMemory().list("hot", policy: Self.session, remote: ranking.source(over: line))
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    line.cut()
    await #expect(throws: Line.Down.self) { try await pager.refresh(from: .start).finished() }
    #expect(pager.snapshot.notes == Array(1...10))
  }

  @Test func B66_aRepeatWithinASessionKeepsItsFirstPlace() async throws {
    let source = ScriptedCursors { cursor in
      switch cursor {
      case nil: Page([Notice(1), Notice(2), Notice(3)], nextKey: "a")
      case "a": Page([Notice(2), Notice(4), Notice(1)], nextKey: "b")
      default: Page([Notice(5)])
      }
    }
    let list = try ListStore.inMemory().list("hot", policy: Self.session, remote: source)
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    try await pager.load(.append).finished()
    try await pager.load(.append).finished()
    #expect(pager.snapshot.notes == [1, 2, 3, 4, 5])
    #expect(pager.snapshot.states.append.isAtEnd)
  }

  @Test func B67_threePagesWithNothingNewEndTheList() async throws {
    let asked = Count()
    let source = ScriptedCursors { cursor in
      asked.up()
      let number = cursor.flatMap { Int($0) } ?? 0
      return Page((1...10).map { Notice($0) }, nextKey: "\(number + 1)")
    }
    let list = try ListStore.inMemory().list("hot", policy: Self.excluding, remote: source)
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    #expect(pager.snapshot.notes == Array(1...10))
    #expect(asked.value == 1)
    try await pager.load(.append).finished()
    #expect(asked.value == 4)
    #expect(pager.snapshot.notes == Array(1...10))
    #expect(pager.snapshot.states.append.isAtEnd)
    try await pager.load(.append).finished()
    #expect(asked.value == 4)
  }

  @Test func B67_aPageWithNothingNewIsPassedOver() async throws {
    let source = ScriptedCursors { cursor in
      switch cursor {
      case nil: Page((1...10).map { Notice($0) }, nextKey: "a")
      case "a": Page([Notice(2), Notice(1)], nextKey: "b")
      default: Page([Notice(30)], nextKey: "c")
      }
    }
    let list = try ListStore.inMemory().list("hot", policy: Self.excluding, remote: source)
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    await pager.see(10, rows: 1)
    try await pager.load(.append).finished()
    #expect(try await list.rows().compactMap { $0.item?.id } == Array(1...10) + [30])
  }

  @Test func S9_whatWasShownBeforeARestartIsToldToTheRemote() async throws {
    let folder = try CoreFolder()
    let told = Mutex<[[Int]]>([])
    func source() -> RankedPageSource<Notice> {
      RankedPageSource(excluding: { shown, params in
        told.withLock { $0.append(shown) }
        return Array(Notice.from(100, to: 1).filter { !shown.contains($0.id) }.prefix(params.loadSize))
      })
    }
    do {
      let list = try ListStore(at: folder.file).list("hot", policy: Self.excluding, remote: source())
      let pager = list.pager(config: Self.ten)
      await pager.settled()
      try await pager.read(downTo: 81)
      #expect(try await list.picture() == "100-81")
      pager.close()
    }
    let list = try ListStore(at: folder.file).list("hot", policy: Self.excluding, remote: source())
    let pager = list.pager(config: Self.ten)
    await pager.settled()
    #expect(pager.snapshot.picture == "80-71", "a new session gives what wasn't shown")
    #expect(told.withLock { $0 }.map(\.count) == [0, 10, 20])
    #expect(told.withLock { $0 }.last == Array((81...100).reversed()))
  }

  @Test func S9_whatWasShownIsARingOf5000() async throws {
    let list = try ListStore.inMemory().list("hot", of: Notice.self, policy: Self.excluding)
    let keys = try (0..<6_000).map { try ItemKey($0) }
    try list.core.show(Array(keys.prefix(3_000)), by: list.id)
    try list.core.show(Array(keys.dropFirst(3_000)), by: list.id)
    #expect(try list.shown() == Array(1_000..<6_000))
    #expect(try list.known([999, 1_000, 5_999, 6_000]) == [1_000, 5_999])
  }

  @Test func B68_anExpiredSessionShowsItsRowsAndAsksForARefresh() async throws {
    let folder = try CoreFolder()
    let ranking = Ranking()
    ranking.rank(Array(1...40))
    let line = Line()
    do {
      let list = try ListStore(at: folder.file).list("hot", policy: Self.session, remote: ranking.source(over: line))
      let pager = list.pager(config: Self.ten)
      await pager.settled()
      try await pager.read(downTo: 20)
      pager.close()
    }
    line.cut()
    let list = try ListStore(at: folder.file).list("hot", policy: Self.session, remote: ranking.source(over: line))
    let pager = list.pager(config: PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 20))
    await pager.settled()
    #expect(pager.snapshot.notes == Array(1...20))
    #expect(pager.snapshot.states.refresh.failure?.error is Line.Down)

    // The connection is back, and the session is gone: the edge is dead, and its rows stay.
    line.mend()
    ranking.expire()
    let error = await #expect(throws: PagingError.self) { try await list.tail(10) }
    #expect(error?.code == .cursorExpired)
    #expect(try list.facts().tail?.older.state == .dead)
    ranking.rank(Array(21...60))
    try await pager.retry().finished()
    await pager.settled()
    #expect(pager.snapshot.notes == Array(21...40))
  }
}
