import Loading
import Paging
import PagingTesting
import Testing

/// P28: how a mediator begins, and what a refresh is with one.
@Suite(.timeLimit(.minutes(10))) struct MediatorRefreshContracts {
  private let config = PagingConfig(pageSize: 10)

  private func pager(
    _ table: Table, _ mediator: TestMediator, _ config: PagingConfig? = nil, log: EventLog = EventLog()
  ) -> Pager<Int, Row> {
    Pager(config: config ?? self.config, mediator: mediator, observer: log.observer, source: table.source)
  }

  // MARK: - The beginning

  @Test func P28_theMediatorIsAskedBeforeAnyLoad() async throws {
    let (table, hold) = (Table(30), Hold())
    let mediator = TestMediator(.skip, holding: hold) { _ in MediatorResult(endReached: true) }
    let pager = pager(table, mediator)
    #expect(mediator.asked == 0, "nothing begins before a stream or a command")
    let jump = pager.jump(toIndex: 5)
    await hold.reached()
    #expect(pager.snapshot.phase == .loading)
    #expect(pager.snapshot.mediator.refresh == .loading)
    #expect(pager.snapshot.states.refresh == .loading)
    #expect(table.loads.value.isEmpty && mediator.types.isEmpty)
    hold.open()
    try await jump.finished()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(5..<30))
    #expect(pager.snapshot.states.mediator == .idle)
    #expect(mediator.types.isEmpty)
  }

  @Test func P28_itIsAskedOnce() async throws {
    let table = Table(30)
    let mediator = TestMediator { _ in MediatorResult(endReached: true) }
    let pager = pager(table, mediator)
    for _ in 0..<3 {
      await pager.settled()
      try await pager.refresh().finished()
      pager.invalidate()
    }
    await pager.settled()
    #expect(mediator.asked == 1)
    #expect(mediator.types == [.refresh, .refresh, .refresh])
  }

  @Test func P28_theStoresRowsShowWhileTheFirstRefreshRuns() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let mediator = TestMediator(.refresh) { try await hands.load($0) }
    let pager = pager(table, mediator, log: log)
    try await pager.first { $0.count == 30 && !$0.source.refresh.isLoading }
    await hands.begun(1)
    pager.look(at: 20..<30)
    let shown = pager.snapshot
    #expect(shown.phase == .content && shown.source.append.isAtEnd)
    #expect(shown.mediator.refresh == .loading && shown.states.refresh == .loading)
    #expect(mediator.types == [.refresh], "the append waits, though the viewport is at the end")
    #expect(mediator.requests[0].state.pages.isEmpty)
    table.append(5)
    hands.succeed(0)
    try await pager.first { $0.count == 35 }
    await hands.begun(2)
    #expect(mediator.types == [.refresh, .append])
    #expect(try await log.reasons(1) == ["mediator"])
    hands.succeed(1, endReached: true)
    await pager.settled()
    #expect(pager.snapshot.states.append.isAtEnd)
    #expect(pager.snapshot.mediator.refresh == .notLoading(endReached: false))
  }

  @Test func P28_appendsWaitUntilTheRefreshHasSucceededThroughRetries() async throws {
    let (table, isDown) = (Table(30), Box(true))
    let mediator = TestMediator(.refresh) { _ in
      if isDown.value { throw Offline() }
      return MediatorResult(endReached: false)
    }
    let pager = pager(table, mediator)
    await pager.settled()
    try await pager.see(20..<30)
    #expect(pager.snapshot.ids == Array(0..<30))
    #expect(pager.snapshot.mediator.refresh.failure?.error as? Offline == Offline())
    #expect(pager.snapshot.states.refresh.failure != nil && pager.snapshot.source.failures.isEmpty)
    await #expect(throws: Offline()) { try await pager.retry().finished() }
    await #expect(throws: Offline(), "a load by command can't go before the refresh") {
      try await pager.load(.append).finished()
    }
    #expect(mediator.types == [.refresh, .refresh])
    isDown.change { $0 = false }
    try await pager.retry().finished()
    #expect(mediator.types.prefix(3) == [.refresh, .refresh, .refresh])
    try await pager.see(20..<30)
    #expect(mediator.types.dropFirst(3).first == .append)
  }

  // MARK: - A user's refresh

  @Test func P28_aRefreshIsARemoteRefreshFirst() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    await pager.settled()
    let command = pager.refresh()
    await hands.begun(1)
    #expect(table.generations == 1)
    #expect(pager.snapshot.mediator.refresh == .loading && !pager.snapshot.source.refresh.isLoading)
    let hold = table.hold(2)
    table.append(1)
    hands.succeed(0)
    await hold.reached()
    #expect(pager.snapshot.mediator.refresh == .loading, "until the generation is shown")
    #expect(pager.snapshot.count == 30)
    hold.open()
    try await command.finished()
    #expect(pager.snapshot.count == 30 && pager.snapshot.source.append == .notLoading(endReached: false))
    #expect(pager.snapshot.mediator.refresh == .notLoading(endReached: false))
    #expect(table.generations == 2)
    #expect(try await log.reasons(1) == ["mediator"])
  }

  @Test func P28_aRefreshThatFailsLeavesTheList() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    await pager.settled()
    let before = pager.snapshot
    let command = pager.refresh()
    await hands.begun(1)
    hands.fail(0)
    await #expect(throws: Offline()) { try await command.finished() }
    await pager.settled()
    #expect(pager.snapshot.ids == before.ids && table.generations == 1)
    #expect(pager.snapshot.mediator.refresh.failure?.error as? Offline == Offline())
    try await log.caughtUp(with: pager)
    #expect(pager.snapshot.source == before.source && log.named("generation").isEmpty)
  }

  @Test func P28_theGenerationThatFollowsStartsWhereTheRefreshWasToStart() async throws {
    let table = Table(100)
    let pager = pager(table, TestMediator { _ in MediatorResult(endReached: true) })
    await pager.settled()
    for row in [20, 30, 40, 50] { try await pager.see(row..<row + 5) }
    try await pager.refresh().finished()
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.snapshot.firstOnScreen == 50)
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.ids.first == 0 && pager.snapshot.position.rowsBefore == 0)
    try await pager.see(20..<25)
    try await pager.load(.refresh).finished()
    #expect(pager.snapshot.firstOnScreen == 20)
  }

  @Test func P28_aLaterRefreshReplacesOneThatRuns() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    await pager.settled()
    let first = pager.refresh()
    await hands.begun(1)
    let second = pager.refresh(from: .start)
    await hands.begun(2)
    await hands.cancelled(0)
    await #expect(throws: CancellationError.self) { try await first.finished() }
    hands.succeed(1, endReached: true)
    try await second.finished()
    await pager.settled()
    #expect(hands.count == 2 && table.generations == 2)
    try await log.caughtUp(with: pager)
    #expect(log.mediated.map(\.outcome) == ["cancelled", "ok"])
  }

  @Test func P12_aRefreshDuringTheGenerationOfAnotherEndsBoth() async throws {
    let (table, hands) = (Table(30), MediatorHands())
    let pager = pager(table, TestMediator { try await hands.load($0) })
    await pager.settled()
    let hold = table.hold(2)
    let first = pager.refresh()
    await hands.begun(1)
    hands.succeed(0)
    await hold.reached()
    let second = pager.refresh()
    await hands.begun(2)
    #expect(pager.snapshot.source.refresh == .loading, "what the first one brought is still loading")
    hands.succeed(1)
    try await first.finished()
    try await second.finished()
    #expect(table.generations == 3, "the second generation took the place of the first")
  }

  @Test func P28_neitherAnInvalidationNorAJumpAsksTheMediator() async throws {
    let table = Table(500)
    let mediator = TestMediator { _ in MediatorResult(endReached: true) }
    var config = config
    config.jumpThreshold = 50
    let pager = pager(table, mediator, config)
    await pager.settled()
    pager.invalidate()
    await pager.settled()
    try await pager.jump(toIndex: 300).finished()
    try await pager.jump(toKey: 100).finished()
    table.signal()
    // Not that it loads: a stream may be read too late for that.
    try await pager.first { _ in table.generations == 5 }
    await pager.settled()
    #expect(mediator.types.isEmpty && table.generations == 5)
  }

  @Test func P12_aJumpDuringARemoteRefreshKeepsItsPlace() async throws {
    let (table, hands) = (Table(500), MediatorHands())
    let pager = pager(table, TestMediator { try await hands.load($0) })
    await pager.settled()
    let refresh = pager.refresh(from: .start)
    await hands.begun(1)
    try await pager.jump(toKey: 300).finished()
    #expect(pager.snapshot.ids.first == 300 && pager.snapshot.mediator.refresh == .loading)
    #expect(!hands.isCancelled(0))
    pager.look(at: 5..<10)
    hands.succeed(0)
    try await refresh.finished()
    #expect(pager.snapshot.firstOnScreen == 305)
  }

  @Test func P28_theRequestTellsWhatIsLoaded() async throws {
    let table = Table(100)
    let mediator = TestMediator { _ in MediatorResult(endReached: true) }
    let pager = pager(table, mediator)
    await pager.settled()
    try await pager.refresh().finished()
    #expect(mediator.requests[0].state.anchorIndex == nil)
    try await pager.see(22..<28)
    try await pager.refresh().finished()
    let request = mediator.requests[1]
    #expect(request.type == .refresh)
    #expect(request.state.pages.flatMap(\.items).map(\.id) == Array(0..<40))
    #expect(request.state.pages.last?.nextKey == 40)
    #expect(request.state.anchorIndex == 22 && request.state.anchorItem?.id == 22)
    #expect(request.state.config.pageSize == 10)
  }

  @Test func P28_aRefreshSaysWhetherThereIsMoreAtTheEnds() async throws {
    let (table, isEnd) = (Table(30), Box(true))
    let mediator = TestMediator { _ in MediatorResult(endReached: isEnd.value) }
    let pager = pager(table, mediator)
    await pager.settled()
    try await pager.refresh().finished()
    #expect(pager.snapshot.mediator.append.isAtEnd && pager.snapshot.mediator.prepend.isAtEnd)
    #expect(pager.snapshot.states.append.isAtEnd && pager.snapshot.states.prepend.isAtEnd)
    try await pager.see(20..<30)
    #expect(mediator.types == [.refresh])
    isEnd.change { $0 = false }
    try await pager.refresh().finished()
    #expect(!pager.snapshot.mediator.append.isAtEnd && !pager.snapshot.states.append.isAtEnd)
    isEnd.change { $0 = true }
    try await pager.see(20..<30)
    #expect(mediator.types.dropFirst(2).first == .append, "the ends are open again")
  }

  @Test func P22_emptyIsWhatBothKnow() async throws {
    let (table, hands) = (Table(0), MediatorHands())
    let pager = pager(table, TestMediator { try await hands.load($0) }, PagingConfig(pageSize: 10, prefetchDistance: 0))
    await pager.settled()
    #expect(pager.snapshot.source.append.isAtEnd && pager.snapshot.source.prepend.isAtEnd)
    #expect(pager.snapshot.phase == .initial, "the mediator may have rows")
    let command = pager.refresh()
    await hands.begun(1)
    #expect(pager.snapshot.phase == .loading)
    hands.succeed(0, endReached: true)
    try await command.finished()
    #expect(pager.snapshot.phase == .empty)
  }
}
