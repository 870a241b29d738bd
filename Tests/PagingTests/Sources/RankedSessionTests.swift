import Foundation
import Paging
import PagingTesting
import Testing

/// P34: what is particular to servers that keep sessions, and to those that take exclusions.
@Suite(.timeLimit(.minutes(10))) struct RankedSessionTests {
  @Test func P34_anEndedSessionGoesOnInANewOneWithoutWhatWasDelivered() async throws {
    let server = RankServer(0..<50)
    let pager = try server.pager(.session)
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<20) && pager.snapshot.placeholdersAfter == 30)
    server.endSessions()
    server.rank { $0 = [100, 101, 102] + $0.shuffled().sorted { $0 % 2 < $1 % 2 } }
    try await pager.scrollToEnd()
    let ids = pager.snapshot.ids
    #expect(ids.starts(with: 0..<20) && ids.dropFirst(20).starts(with: [100, 101, 102]))
    #expect(Set(ids) == Set(0..<50).union(100..<103) && ids.count == 53)
    #expect(pager.snapshot.states.append.isAtEnd && pager.snapshot.count == 53)
    #expect(server.starts == 2)
  }

  @Test func P34_aLongListFindsWhatIsNewInTheNewSession() async throws {
    let server = RankServer(0..<300)
    let pager = try server.pager(.session)
    try await pager.scrollToEnd()
    server.rank { $0 += Array(300..<310) }
    try await pager.refresh(from: .start).finished()
    for row in stride(from: 0, to: 250, by: 10) { try await pager.see(row..<row + 10) }
    #expect(pager.snapshot.ids.count < 300)
    server.endSessions()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<310))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P34_aSecondExpiryInARowIsAFailure() async throws {
    let server = RankServer(0..<50)
    let source = server.bySession
    let first = try await source.load(LoadParams(.refresh, loadSize: 20))
    server.fail(PagingError.cursorExpired)
    let error = await #expect(throws: PagingError.self) {
      try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    }
    #expect(error?.code == .cursorExpired)
    #expect(server.asked.map(\.key) == [nil, first.nextKey.map { RankedKey(session: $0.session, offset: 20) }, nil])
    server.fail(nil)
    #expect(try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10)).ids == Array(20..<30))
    let pager = try server.pager(.session)
    await pager.settled()
    server.fail(PagingError.cursorExpired)
    try await pager.see(15..<20)
    #expect(pager.snapshot.source.failures.compactMap { ($0.error as? PagingError)?.code } == [.cursorExpired])
    #expect(pager.snapshot.ids == Array(0..<20))
    server.fail(nil)
    try await pager.retry().finished()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<50))
    // A session that can't even begin is asked for once.
    server.fail(PagingError.cursorExpired)
    let before = server.asked.count
    _ = await #expect(throws: PagingError.self) { try await server.bySession.load(LoadParams(.refresh, loadSize: 5)) }
    #expect(server.asked.count == before + 1)
  }

  @Test func P14_pagesOfBothSessionsComeAgain() async throws {
    let server = RankServer(0..<40)
    let source = server.bySession
    let first = try await source.load(LoadParams(.refresh, loadSize: 10))
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    server.endSessions()
    let third = try await source.load(LoadParams(.append, key: second.nextKey, loadSize: 10))
    #expect(third.ids == Array(20..<30), "two pages of delivered rows were passed over")
    #expect(third.itemsBefore == nil && third.itemsAfter == nil, "the counts of a session that is shown in part")
    let fourth = try await source.load(LoadParams(.append, key: third.nextKey, loadSize: 10))
    #expect(fourth.ids == Array(30..<40))
    let starts = server.starts
    let again = try await source.load(LoadParams(.append, key: second.nextKey, loadSize: 10))
    #expect(again.ids == third.ids && again.nextKey == third.nextKey && server.starts == starts)
    // What the ended session had given can't be had again: a new one would put other rows in its place.
    let error = await #expect(throws: PagingError.self) {
      try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    }
    #expect(error?.code == .cursorExpired && server.starts == starts)
  }

  @Test func P34_rowsThatMovedDownAreLeftOutAndFreshOnesTaken() async throws {
    let server = RankServer(0..<30, isSnapshot: false)
    let source = server.bySession
    let first = try await source.load(LoadParams(.refresh, loadSize: 10))
    server.rank { $0 = [90, 91, 92] + $0 }
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    #expect(second.ids == Array(10..<17) && second.nextKey?.offset == 20)
    // Read again, the first page shows neither what came to it anew nor less than it had, where the server has it.
    let again = try await source.load(LoadParams(.append, key: nil, loadSize: 10))
    #expect(again.ids == Array(0..<7))
  }

  @Test func P34_aServerWithoutNamesForItsSessionsWorksToo() async throws {
    let server = RankServer(0..<45, namesSessions: false)
    let pager = try server.pager(.session, maxSize: 50)
    try await pager.scrollToEnd()
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids.starts(with: 0..<40) && server.starts == 1)
    #expect(server.asked.allSatisfy { $0.key?.session == nil })
  }

  @Test func aKeyOutlivesTheProgramByItsSession() async throws {
    let server = RankServer(0..<50)
    let first = try await server.bySession.load(LoadParams(.refresh, loadSize: 10))
    let saved = try JSONEncoder().encode(first.nextKey)
    let key = try JSONDecoder().decode(RankedKey.self, from: saved)
    #expect(key == RankedKey(session: "s1", offset: 10) && key != first.nextKey)
    // A new process: another source.
    let restored = try server.pager(.session, key)
    await restored.settled()
    #expect(restored.snapshot.ids == Array(10..<30) && server.starts == 1)
    try await restored.scrollToEnd()
    #expect(restored.snapshot.ids == Array(10..<50))
    // The session is over by then: a new one begins at its top.
    server.endSessions()
    let late = try server.pager(.session, key)
    try await late.scrollToEnd()
    #expect(late.snapshot.ids == Array(0..<50))
    // A key of no session, or one of a list that went by what was shown, leads nowhere: the list begins.
    for flavour in RankFlavour.allCases {
      let pager = try server.pager(flavour, RankedKey(session: nil, offset: 20))
      try await pager.scrollToEnd()
      #expect(pager.snapshot.ids == Array(0..<50))
    }
    let error = await #expect(throws: PagingError.self) {
      try await server.byExclusion.load(LoadParams(.append, key: key, loadSize: 5))
    }
    #expect(error?.code == .invalidated)
    let anew = try server.pager(.exclusion, RankedKey(session: "s1", offset: 20))
    await anew.settled()
    #expect(anew.snapshot.ids == Array(0..<20))
  }

  @Test func aWalkGoesOnFromWhereItStopped() async throws {
    for flavour in RankFlavour.allCases {
      let server = RankServer(0..<40)
      let source = server.source(flavour)
      var ids: [Int] = []
      var resumeKey: RankedKey?
      do {
        for try await page in source.pages(pageSize: 10) {
          ids += page.ids
          if ids.count == 20 { server.fail(Refused()) }
        }
      } catch {
        resumeKey = error.resumeKey
      }
      server.fail(nil)
      server.rank { $0.swapAt(0, 15) }
      for try await page in source.pages(from: resumeKey, pageSize: 10) { ids += page.ids }
      #expect(ids == Array(0..<40), "\(flavour)")
    }
  }

  // MARK: - Exclusions

  @Test func P34_aPlaceBeyondAllNumbersIsTheLastOne() async throws {
    let source = RankedPageSource<Row>(excluding: { shown, _ in rows(shown.count..<shown.count + 5) })
    var key = try #require(try await source.load(LoadParams(.refresh, loadSize: 5)).nextKey)
    key.offset = .max - 2
    let page = try await source.load(LoadParams(.append, key: key, loadSize: 5))
    #expect(page.ids == Array(5..<10) && page.nextKey?.offset == .max)
    let far = LoadParams(.append, key: RankedKey(session: nil, offset: .max), loadSize: 5)
    #expect(try await source.load(excluding: [], far).nextKey?.offset == .max)
  }

  @Test func P34_anAnswerWithNothingNewEndsTheList() async throws {
    let source = RankedPageSource<Row>(excluding: { _, _ in rows(0..<5) })
    #expect(try await source.walkedIDs() == Array(0..<5))
  }

  @Test func P34_whatIsExcludedIsBounded() async throws {
    let server = RankServer(0..<7_000)
    let source = server.byExclusion
    let first = try await source.load(LoadParams(.refresh, loadSize: 500))
    var key = first.nextKey
    var ids = first.ids
    for _ in 0..<13 {
      let page = try await source.load(LoadParams(.append, key: key, loadSize: 500))
      // Beyond the bound the server gives its best rows again: it isn't told any more that they were shown.
      ids += page.ids
      key = page.nextKey
    }
    let shown = server.state.value.shown
    #expect(shown.map(\.count) == Array(stride(from: 0, through: 5_000, by: 500)) + [5_000, 5_000, 5_000])
    #expect(shown.last == Array(ids.dropLast(500).suffix(5_000)), "the latest, the last of them last")
  }

  @Test func P14_aPageReadAgainIsAskedForWithoutItsOwnRows() async throws {
    let server = RankServer(0..<40)
    let source = server.byExclusion
    let first = try await source.load(LoadParams(.refresh, loadSize: 10))
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    _ = try await source.load(LoadParams(.append, key: second.nextKey, loadSize: 10))
    let again = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 3))
    #expect(again.ids == Array(10..<20) && again.nextKey == second.nextKey)
    #expect(server.state.value.shown.last == Array(0..<10) + Array(20..<30))
    #expect(server.asked.last?.loadSize == 10, "as many as the first time")
  }
}
