import Loading
import Paging
import PagingTesting
import Testing

/// P29: a mediator at the ends of what its source holds.
@Suite(.timeLimit(.minutes(10))) struct MediatorEdgeContracts {
  private let config = PagingConfig(pageSize: 10)

  private func pager(
    _ table: Table, _ mediator: TestMediator, _ config: PagingConfig? = nil, log: EventLog = EventLog()
  ) -> Pager<Int, Row> {
    Pager(config: config ?? self.config, mediator: mediator, observer: log.observer, source: table.source)
  }

  // MARK: - When

  @Test func P29_anAppendStartsWhenTheSourceHasEndedAndTheViewportIsNear() async throws {
    let table = Table(60)
    let mediator = TestMediator { _ in MediatorResult(endReached: true) }
    let pager = pager(table, mediator)
    await pager.settled()
    #expect(mediator.types.isEmpty, "no viewport was reported")
    try await pager.see(20..<25)
    try await pager.see(30..<35)
    try await pager.see(35..<41)
    #expect(pager.snapshot.count == 60 && pager.snapshot.source.append.isAtEnd)
    #expect(mediator.types.isEmpty, "ten rows and more lie beyond the viewport")
    try await pager.see(45..<51)
    #expect(mediator.types == [.append], "nine do")
    #expect(mediator.requests[0].state.pages.last?.items.last?.id == 59)
    #expect(mediator.requests[0].state.anchorItem?.id == 45)
  }

  @Test func P29_itDoesNotStartBeforeTheSourceHasEnded() async throws {
    let (table, mediator) = (Table(60), TestMediator { _ in MediatorResult(endReached: true) })
    let hold = table.hold(2)
    let pager = pager(table, mediator)
    await pager.settled()
    pager.look(at: 20..<30)
    await hold.reached()
    #expect(mediator.types.isEmpty && pager.snapshot.source.append == .loading)
    #expect(pager.snapshot.mediator.append == .notLoading(endReached: false))
    hold.open()
    await pager.settled()
    #expect(mediator.types.isEmpty)
  }

  @Test func P29_oneAtATimeAndWhatIsOnScreenFirst() async throws {
    let (table, hands) = (Table(30), MediatorHands())
    let mediator = TestMediator { try await hands.load($0) }
    let pager = pager(table, mediator)
    await pager.settled()
    // The first row is on screen, and five rows lie behind the last one.
    pager.look(at: 0..<25)
    await hands.begun(1)
    #expect(mediator.types == [.prepend])
    #expect(pager.snapshot.mediator.append == .notLoading(endReached: false))
    table.prepend(3)
    hands.succeed(0, endReached: true)
    await hands.begun(2)
    #expect(mediator.types == [.prepend, .append])
    hands.succeed(1, endReached: true)
    await pager.settled()
    #expect(hands.mostRunning == 1 && hands.count == 2)
    #expect(pager.snapshot.ids == Array(-3..<30))
  }

  @Test func P29_ofTwoThatAreEqualTheAppendIsFirst() async throws {
    let (table, hands) = (Table(3), MediatorHands())
    let mediator = TestMediator { try await hands.load($0) }
    let pager = pager(table, mediator)
    await pager.settled()
    pager.look(at: 0..<3)
    await hands.begun(1)
    #expect(mediator.types == [.append])
    pager.close()
  }

  @Test func P29_anEmptyListThatIsWatchedAsks() async throws {
    let table = Table(0)
    let mediator = TestMediator { request in
      if request.type == .append { table.append(30) }
      return MediatorResult(endReached: true)
    }
    let pager = pager(table, mediator)
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<30))
    #expect(mediator.types == [.append])
  }

  @Test func P29_aDistanceOfZeroIsManual() async throws {
    let table = Table(30)
    let mediator = TestMediator { _ in
      table.append(1)
      return MediatorResult(endReached: false)
    }
    let pager = pager(table, mediator, PagingConfig(pageSize: 10, prefetchDistance: 0))
    try await pager.see(0..<30)
    try await pager.see(0..<30)
    #expect(mediator.types.isEmpty)
    try await pager.load(.append).finished()
    #expect(mediator.types == [.append])
    #expect(pager.snapshot.mediator.append == .notLoading(endReached: false))
    // The generation that followed read 30 rows; the new one is a page of the source's.
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(0..<31) && mediator.types == [.append])
  }

  @Test func P29_aLoadByCommandIsOneLoad() async throws {
    let (table, hands) = (Table(5), MediatorHands())
    let pager = pager(table, TestMediator { try await hands.load($0) }, PagingConfig(pageSize: 10, prefetchDistance: 0))
    await pager.settled()
    let commands = [pager.load(.append), pager.load(.append), pager.load(.prepend)]
    await hands.begun(1)
    #expect(pager.snapshot.mediator.append == .loading)
    hands.succeed(0)
    try await commands[0].finished()
    try await commands[1].finished()
    await hands.begun(2)
    #expect(pager.snapshot.mediator.prepend == .loading, "the other side's turn")
    hands.fail(1)
    await #expect(throws: Offline()) { try await commands[2].finished() }
    await pager.settled()
    #expect(hands.count == 2)
  }

  @Test func P36_constrainedStartsWhatIsOnScreenOnly() async throws {
    let table = Table(30)
    let mediator = TestMediator { _ in MediatorResult(endReached: true) }
    let pager = pager(table, mediator)
    pager.conditions = .constrained
    await pager.settled()
    try await pager.see(15..<25)
    #expect(mediator.types.isEmpty)
    try await pager.see(20..<30)
    #expect(mediator.types == [.append])
  }

  // MARK: - One generation follows

  @Test func P25_whatAMediatorBroughtShowsWithTheGenerationItCauses() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    await pager.settled()
    pager.look(at: 20..<30)
    await hands.begun(1)
    #expect(pager.snapshot.mediator.append == .loading && pager.snapshot.states.append == .loading)
    table.append(5)
    let hold = table.hold(2)
    hands.succeed(0, endReached: true)
    await hold.reached()
    #expect(pager.snapshot.mediator.append == .loading)
    #expect(pager.snapshot.ids == Array(0..<30))
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<35))
    #expect(pager.snapshot.mediator.append.isAtEnd && pager.snapshot.states.append.isAtEnd)
    try await log.caughtUp(with: pager)
    #expect(log.named("generation").map(\.reason) == ["mediator"])
    #expect(pager.snapshot.anchor?.kind == .kept)
  }

  @Test func P29_itsOwnWriteStartsTheGenerationAndDoesNotCancelIt() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    let stream = pager.snapshots().makeAsyncIterator()
    await pager.settled()
    pager.look(at: 20..<30)
    await hands.begun(1)
    table.append(5)
    let hold = table.hold(2)
    table.signal()
    await hold.reached()
    #expect(!hands.isCancelled(0))
    hands.succeed(0, endReached: true)
    try await log.mediated(1)
    #expect(pager.snapshot.mediator.append == .loading, "the generation isn't there yet")
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<35) && pager.snapshot.states.append.isAtEnd)
    try await log.caughtUp(with: pager)
    #expect(log.named("generation").map(\.reason) == ["invalidation"], "it is the one that follows")
    withExtendedLifetime(stream) {}
  }

  @Test func P29_aGenerationOfItsOwnWriteMayBeThereBeforeItEnds() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    let stream = pager.snapshots().makeAsyncIterator()
    await pager.settled()
    pager.look(at: 20..<30)
    await hands.begun(1)
    table.append(5)
    table.signal()
    try await pager.first { $0.count > 30 || $0.source.append == .notLoading(endReached: false) }
    try await pager.first { $0.count == 35 && !$0.source.append.isLoading }
    #expect(pager.snapshot.mediator.append == .loading && !hands.isCancelled(0))
    hands.succeed(0, endReached: true)
    await pager.settled()
    #expect(pager.snapshot.states.append.isAtEnd)
    try await log.caughtUp(with: pager)
    #expect(table.generations == 2 && log.named("generation").count == 1)
    withExtendedLifetime(stream) {}
  }

  @Test func P11_whatTheSourceSaysAfterwardsIsNotLost() async throws {
    let (table, hands, log) = (Table(30), MediatorHands(), EventLog())
    let pager = pager(table, TestMediator { try await hands.load($0) }, log: log)
    let stream = pager.snapshots().makeAsyncIterator()
    await pager.settled()
    pager.look(at: 20..<30)
    await hands.begun(1)
    let hold = table.hold(2)
    table.signal()
    await hold.reached()
    // Said while the generation of the first word runs: it may have read too early.
    table.append(5)
    table.signal()
    table.whisper("heard", of: 3)
    try await pager.first { $0.items.contains { $0.title == "heard" } }
    hands.succeed(0, endReached: true)
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<35) && pager.snapshot.states.append.isAtEnd)
    #expect(table.generations == 3)
    try await log.caughtUp(with: pager)
    #expect(log.named("generation").map(\.reason) == ["invalidation", "mediator"])
    withExtendedLifetime(stream) {}
  }

  @Test func P29_aGenerationThatFailsDoesNotLoadForEver() async throws {
    let (table, hands) = (Table(30), MediatorHands())
    let mediator = TestMediator { request in
      request.type == .append ? try await hands.load(request) : MediatorResult(endReached: true)
    }
    let pager = pager(table, mediator)
    await pager.settled()
    table.fail(2)
    let command = pager.load(.append)
    await hands.begun(1)
    table.append(5)
    hands.succeed(0, endReached: true)
    await #expect(throws: Offline(number: 2)) { try await command.finished() }
    await pager.settled()
    let shown = pager.snapshot
    #expect(shown.mediator.append == .notLoading(endReached: false), "nor does it speak of rows that aren't there")
    #expect(shown.source.refresh.failure != nil && shown.states.refresh.failure != nil)
    #expect(shown.ids == Array(0..<30))
    try await pager.see(20..<30)
    #expect(mediator.types == [.append], "what it brought is to be shown before more is fetched")
    await #expect(throws: Offline(number: 2)) { try await pager.load(.append).finished() }
    try await pager.retry().finished()
    #expect(pager.snapshot.mediator.append.isAtEnd)
    try await pager.see(20..<30)
    #expect(pager.snapshot.ids == Array(0..<35) && hands.count == 1)
  }

  // MARK: - The budget

  @Test func P29_loadsThatAddNoRowAreCounted() async throws {
    let table = Table(30)
    let mediator = TestMediator { MediatorResult(endReached: $0.type == .prepend) }
    var config = config
    config.emptyPageBudget = 3
    let pager = pager(table, mediator, config)
    await pager.settled()
    try await pager.see(20..<30)
    #expect(mediator.types == [.append, .append, .append])
    #expect(code(pager.snapshot.mediator.append) == .emptyPages)
    #expect(code(pager.snapshot.states.append) == .emptyPages && pager.snapshot.ids == Array(0..<30))
    try await pager.see(20..<30)
    #expect(mediator.types.count == 3)
    try await pager.retry().finished()
    await pager.settled()
    #expect(mediator.types.count == 6)
    #expect(code(pager.snapshot.mediator.append) == .emptyPages)
  }

  @Test func P29_loadsThatAddRowsAreNotCounted() async throws {
    let table = Table(30)
    let mediator = TestMediator { request in
      if request.type == .append { table.append(1) }
      return MediatorResult(endReached: request.type == .prepend || table.server.all.count >= 45)
    }
    var config = config
    config.emptyPageBudget = 2
    let pager = pager(table, mediator, config)
    await pager.settled()
    for _ in 0..<30 where !pager.snapshot.states.append.isAtEnd {
      try await pager.see(pager.snapshot.count - 10..<pager.snapshot.count)
    }
    #expect(pager.snapshot.ids.last == 44 && pager.snapshot.states.append.isAtEnd)
    #expect(mediator.types.count { $0 == .append } == 15)
  }

  @Test func P29_anEmptyListEndsTooWhereNothingComes() async throws {
    let table = Table(0)
    let mediator = TestMediator { MediatorResult(endReached: $0.type == .prepend) }
    let pager = pager(table, mediator)
    await pager.settled()
    #expect(mediator.types.count { $0 == .append } == 8)
    #expect(code(pager.snapshot.states.append) == .emptyPages)
    guard case .failed = pager.snapshot.phase else {
      Issue.record("\(pager.snapshot.phase)")
      return
    }
  }
}
