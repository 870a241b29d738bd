import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Lists of IDs, whose items are fetched where they are looked at.
@Suite(.timeLimit(.minutes(10))) struct IDListTests {
  private static func list(_ server: NoticeServer, line: Line = Line()) throws -> StoredList<Notice> {
    let source = IDListPageSource<Notice> {
      try await line.pass()
      return server.ids()
    } items: { ids in
      try await line.pass()
      return server.items(ids)
    }
    return try ListStore.inMemory().list("top", policy: ListPolicy(order: .ids), remote: source)
  }

  /// How many items were fetched, request by request.
  private static func fetched(_ server: NoticeServer) -> [Int] {
    server.requests.filter { $0.view == .items }.map(\.limit)
  }

  @Test func B69_aListOf5000IDsHasItsFullLengthAndFetchesWindowsOnly() async throws {
    let server = NoticeServer(from: 5_000, to: 1)
    let pager = try Self.list(server).pager(config: twenty)
    await pager.settled()
    #expect(pager.snapshot.total == .exact(5_000))
    #expect(pager.snapshot.count == 5_000)
    #expect(pager.snapshot.notes == Array((4_981...5_000).reversed()))
    #expect(Self.fetched(server) == [20])

    try await pager.jump(toIndex: 3_000).finished()
    #expect(pager.snapshot.count == 5_000, "the scroll bar stands still")
    #expect(pager.snapshot[3_000].item?.item?.id == 2_000)
    #expect(pager.snapshot[10].item == nil)
    #expect(Self.fetched(server).reduce(0, +) <= 60)
    #expect(server.requests.count { $0.view == .ids } == 1)
  }

  @Test func B70_anItemThatTheServerLacksLeavesTheList() async throws {
    let server = NoticeServer(from: 100, to: 1)
    // It goes between the two questions.
    server.beforeRequest(2) { _ in server.delete(95) }
    let list = try Self.list(server)
    let pager = list.pager(config: twenty)
    await pager.settled()
    #expect(!pager.snapshot.notes.contains(95))
    #expect(pager.snapshot.notes.contains(94))
    #expect(pager.snapshot.count == 99)
    #expect(try list.rowIsKnown(95) == false)
  }

  @Test func B69_whatWasFetchedShowsWithoutAConnection() async throws {
    let line = Line()
    let server = NoticeServer(from: 100, to: 1)
    let list = try Self.list(server, line: line)
    let first = list.pager(config: twenty)
    await first.settled()
    line.cut()
    let second = list.pager(config: twenty)
    await second.settled()
    #expect(second.snapshot.notes == Array((81...100).reversed()))
    #expect(second.snapshot.states.refresh.failure?.error is Line.Down)
    // A window without a single item can't be shown; the failure says why, and a retry brings it.
    await #expect(throws: Line.Down.self) { try await second.jump(toIndex: 60).finished() }
    line.mend()
    try await second.jump(toIndex: 60).finished()
    #expect(second.snapshot.notes.contains(40))
  }

  @Test func B69_aRefreshReordersWithoutFetchingAgain() async throws {
    let server = NoticeServer(from: 100, to: 1)
    let list = try Self.list(server)
    let pager = list.pager(config: twenty)
    await pager.settled()
    server.move(81, to: 0)
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.notes.first == 81)
    #expect(Self.fetched(server) == [20])
  }

  // MARK: - Loads that are given up

  /// A list of 100 known IDs, whose fetches of items wait at a gate.
  private final class Held: Sendable {
    let gate = Gate()
    let begun = Count()
    let ended = Gate()

    func source() throws -> FetchingSource<Notice> {
      let server = NoticeServer(from: 100, to: 1)
      let remote = IDListPageSource<Notice> {
        server.ids()
      } items: { ids in
        self.begun.up()
        do { try await self.gate.pass() } catch {
          self.ended.open()
          throw error
        }
        return server.items(ids)
      }
      let list = try ListStore.inMemory().list("top", policy: ListPolicy(order: .ids), remote: remote)
      try list.supplant(withIDs: server.ids(), for: list.request(.head))
      return try #require(FetchingSource(list))
    }

    /// A load that is given up while its items are on their way.
    func abandoned(_ source: FetchingSource<Notice>) async {
      let load = Task { try await source.load(LoadParams(.refresh, loadSize: 20)) }
      await gate.waiting(atLeast: 1)
      load.cancel()
      await #expect(throws: CancellationError.self) { try await load.value }
    }
  }

  @Test func B69_aLoadThatIsGivenUpLeavesItsItemsToTheNext() async throws {
    let held = Held()
    let source = try held.source()
    await held.abandoned(source)
    let next = Task { try await source.load(LoadParams(.refresh, loadSize: 20)) }
    held.gate.open()
    #expect(try await next.value.items.compactMap { $0.item?.id } == Array((81...100).reversed()))
    #expect(held.begun.value == 1)
  }

  @Test func B69_aLoadOfOtherRowsEndsTheFetchThatNobodyWaitsFor() async throws {
    let held = Held()
    let source = try held.source()
    await held.abandoned(source)
    let next = Task { try await source.load(LoadParams(.refresh, loadSize: 30)) }
    try await held.ended.pass()
    held.gate.open()
    #expect(try await next.value.items.count == 30)
    #expect(held.begun.value == 2)
  }

  @Test func B69_theEndOfASourceEndsItsFetch() async throws {
    let held = Held()
    do {
      let source = try held.source()
      await held.abandoned(source)
    }
    try await held.ended.pass()
    #expect(held.begun.value == 1)
  }
}

extension StoredList where Item == Notice {
  /// Whether an item is a row of the list.
  fileprivate func rowIsKnown(_ id: Int) throws -> Bool { try !known([id]).isEmpty }
}
