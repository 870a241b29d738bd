import Loading
import Paging
import PagingTesting
import Testing

/// P29 and P30: how loads of a mediator end, and what ends them.
@Suite(.timeLimit(.minutes(10))) struct MediatorEndContracts {
  private let config = PagingConfig(pageSize: 10)

  private struct List {
    let table: Table
    let hands: MediatorHands
    let mediator: TestMediator
    let log = EventLog()
    let pager: Pager<Int, Row>

    /// A list of 30 rows that is loaded, and whose mediator's loads are in the test's hands.
    init(
      _ config: PagingConfig, _ action: InitializeAction = .skip, clock: ManualClock = ManualClock(),
      ignoresCancellation: Bool = false
    ) async {
      (table, hands) = (Table(30), MediatorHands(ignoresCancellation: ignoresCancellation))
      mediator = TestMediator(action) { [hands] in try await hands.load($0) }
      pager = Pager(
        config: config, mediator: mediator, clock: clock, observer: log.observer, source: table.source)
      if action == .skip { await pager.settled() }
    }
  }

  // MARK: - What cancels a load

  @Test func P29_onlyARemoteRefreshCancelsALoadThatRuns() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    try await list.pager.jump(toKey: 10).finished()
    try await list.pager.first { !$0.source.refresh.isLoading }
    list.pager.invalidate()
    try await list.pager.first { _ in list.table.generations == 3 }
    let observer = Task { [pager = list.pager] in try await pager.first { _ in false } }
    observer.cancel()
    _ = try? await observer.value
    #expect(!list.hands.isCancelled(0))
    let refresh = list.pager.refresh()
    await list.hands.cancelled(0)
    await list.hands.begun(2)
    #expect(list.mediator.types == [.append, .refresh])
    list.hands.succeed(1, endReached: true)
    try await refresh.finished()
    #expect(list.pager.snapshot.states.append.isAtEnd)
  }

  @Test func P24_closingCancels() async throws {
    let list = await List(config)
    let command = list.pager.load(.append)
    await list.hands.begun(1)
    list.pager.close()
    await list.hands.cancelled(0)
    let error = await #expect(throws: PagingError.self) { try await command.finished() }
    #expect(error?.code == .closed)
    #expect(list.pager.snapshot.mediator.append == .notLoading(endReached: false))
    let refused = await #expect(throws: PagingError.self) { try await list.pager.refresh().finished() }
    #expect(refused?.code == .closed)
    #expect(list.hands.count == 1)
  }

  @Test func P24_closingCancelsTheQuestion() async throws {
    let hold = Hold()
    let mediator = TestMediator(.refresh, holding: hold) { _ in MediatorResult(endReached: true) }
    let table = Table(30)
    let pager = Pager(config: config, mediator: mediator, source: table.source)
    let refresh = pager.refresh()
    await hold.reached()
    pager.close()
    try await hold.cancelled()
    let error = await #expect(throws: PagingError.self) { try await refresh.finished() }
    #expect(error?.code == .closed)
    await pager.settled()
    #expect(mediator.types.isEmpty && table.loads.value.isEmpty)
    #expect(!pager.snapshot.states.refresh.isLoading)
  }

  @Test func P24_releasingTheLastReferenceCancels() async throws {
    let (table, hands) = (Table(30), MediatorHands())
    var pager: Pager<Int, Row>? = Pager(
      config: config, mediator: TestMediator { try await hands.load($0) }, source: table.source)
    await pager?.settled()
    pager?.refresh()
    await hands.begun(1)
    weak let released = pager
    pager = nil
    await hands.cancelled(0)
    #expect(released == nil)
  }

  @Test func P24_whenNobodyHasObservedForTheGraceItIsCancelledToo() async throws {
    let clock = ManualClock()
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let list = await List(config, .refresh, clock: clock)
    let observer = Task { [pager = list.pager] in try await pager.first { _ in false } }
    await list.hands.begun(1)
    observer.cancel()
    _ = try? await observer.value
    await clock.sleepers(atLeast: 1)
    #expect(!list.hands.isCancelled(0))
    await clock.advance(by: .seconds(5))
    await list.hands.cancelled(0)
    #expect(list.hands.count == 1)
    let settling = Task { [pager = list.pager] in await pager.settled() }
    await list.hands.begun(2)
    list.hands.succeed(1, endReached: true)
    await settling.value
    #expect(list.mediator.types == [.refresh, .refresh])
    #expect(list.pager.snapshot.states.append.isAtEnd)
  }

  @Test func P29_lateAnswersAreDiscarded() async throws {
    let list = await List(config, ignoresCancellation: true)
    list.pager.refresh()
    await list.hands.begun(1)
    let second = list.pager.refresh()
    await list.hands.begun(2)
    list.hands.succeed(0, endReached: true)
    // Its answer is in by the time that another load of the same executor has come and gone.
    for _ in 0..<100 { await Task.yield() }
    #expect(list.pager.snapshot.mediator.refresh == .loading && !list.pager.snapshot.mediator.append.isAtEnd)
    list.hands.succeed(1)
    try await second.finished()
    #expect(!list.pager.snapshot.mediator.append.isAtEnd)
    try await list.log.caughtUp(with: list.pager)
    #expect(list.log.mediated.map(\.outcome) == ["cancelled", "ok"])
  }

  // MARK: - Cancellation is no failure

  @Test func P21_aLoadThatThrowsCancellationLeavesAllAsItWas() async throws {
    let list = await List(config)
    let command = list.pager.load(.append)
    await list.hands.begun(1)
    list.hands.throwCancellation(0)
    await #expect(throws: CancellationError.self) { try await command.finished() }
    await list.pager.settled()
    #expect(list.pager.snapshot.states.mediator == .idle)
    #expect(list.table.generations == 1 && list.hands.count == 1)
    list.pager.look(at: 20..<30)
    await list.hands.begun(2)
    list.hands.throwCancellation(1)
    await list.pager.settled()
    list.pager.invalidate()
    await list.pager.settled()
    #expect(list.hands.count == 2, "only after a fresh report")
    list.pager.look(at: 20..<30)
    await list.hands.begun(3)
    #expect(list.mediator.types == [.append, .append, .append])
    list.pager.close()
  }

  @Test func P21_aRequiredRefreshThatThrowsCancellationIsDoneAfterASign() async throws {
    let list = await List(config, .refresh)
    let settling = Task { [pager = list.pager] in await pager.settled() }
    await list.hands.begun(1)
    list.hands.throwCancellation(0)
    await settling.value
    #expect(list.pager.snapshot.count == 30 && list.pager.snapshot.states.mediator == .idle)
    #expect(list.hands.count == 1)
    list.pager.look(at: 0..<5)
    await list.hands.begun(2)
    list.hands.succeed(1, endReached: true)
    await list.pager.settled()
    #expect(list.mediator.types == [.refresh, .refresh])
  }

  @Test func P36_whatDiesWhileSuspendedWasCancelled() async throws {
    let list = await List(config)
    let refresh = list.pager.refresh()
    await list.hands.begun(1)
    list.pager.conditions = .suspended
    list.hands.fail(0)
    await list.pager.settled()
    #expect(list.pager.snapshot.states.mediator == .idle)
    try await list.log.caughtUp(with: list.pager)
    #expect(list.log.mediated.map(\.outcome) == ["cancelled"])
    list.pager.conditions = .normal
    await list.hands.begun(2)
    list.hands.succeed(1)
    try await refresh.finished()
    #expect(list.table.generations == 2)
  }

  @Test func P36_suspendedStartsNothing() async throws {
    let table = Table(30)
    let mediator = TestMediator(.refresh) { _ in MediatorResult(endReached: true) }
    let pager = Pager(config: config, mediator: mediator, source: table.source)
    pager.conditions = .suspended
    await pager.settled()
    let refresh = pager.refresh()
    #expect(mediator.asked == 0 && mediator.types.isEmpty && table.loads.value.isEmpty)
    pager.conditions = .normal
    try await refresh.finished()
    #expect(mediator.asked == 1 && mediator.types == [.refresh], "the command is the refresh that was asked for")
  }

  // MARK: - P30

  @Test func P30_anErrorStaysWithItsTypeUntilItIsRepeated() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    list.hands.fail(0, Offline(number: 1))
    await list.pager.settled()
    #expect(list.pager.snapshot.states.append.failure?.error as? Offline == Offline(number: 1))
    #expect(list.pager.snapshot.source.failures.isEmpty && list.pager.snapshot.ids == Array(0..<30))
    try await list.pager.see(21..<30)
    list.pager.invalidate()
    await list.pager.settled()
    #expect(list.hands.count == 1, "neither a report nor a generation repeats it")
    #expect(list.pager.snapshot.mediator.append.failure?.number == 1)
    list.pager.look(at: 0..<5)
    await list.hands.begun(2)
    #expect(list.mediator.types == [.append, .prepend], "the other side goes on")
    list.hands.succeed(1, endReached: true)
    await list.pager.settled()
    try await list.pager.retry(.prepend).finished()
    #expect(list.hands.count == 2)
    let retry = list.pager.retry(.append)
    await list.hands.begun(3)
    #expect(list.pager.snapshot.mediator.append == .loading)
    #expect(list.mediator.types.last == .append)
    list.hands.succeed(2, endReached: true)
    try await retry.finished()
    #expect(list.pager.snapshot.states.append.isAtEnd)
  }

  @Test func P30_aRefreshThatSucceedsClearsTheErrors() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    list.hands.fail(0)
    await list.pager.settled()
    var refresh = list.pager.refresh()
    await list.hands.begun(2)
    list.hands.fail(1)
    await #expect(throws: Offline()) { try await refresh.finished() }
    #expect(list.pager.snapshot.mediator.append.failure != nil && list.pager.snapshot.mediator.refresh.failure != nil)
    refresh = list.pager.refresh()
    await list.hands.begun(3)
    #expect(list.pager.snapshot.mediator.refresh == .loading)
    #expect(list.pager.snapshot.mediator.append.failure != nil)
    list.hands.succeed(2, endReached: true)
    try await refresh.finished()
    #expect(list.pager.snapshot.mediator.failures.isEmpty)
  }

  @Test func P19_retryRepeatsAFailedRefreshAlone() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    list.hands.fail(0)
    await list.pager.settled()
    list.pager.refresh()
    await list.hands.begun(2)
    list.hands.fail(1)
    await list.pager.settled()
    let retry = list.pager.retry()
    await list.hands.begun(3)
    #expect(list.mediator.types == [.append, .refresh, .refresh])
    list.hands.succeed(2, endReached: true)
    try await retry.finished()
    await list.pager.settled()
    #expect(list.hands.count == 3 && list.pager.snapshot.mediator.failures.isEmpty)
  }

  @Test func P19_retryRepeatsWhatFailedOfBothParties() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    list.hands.fail(0)
    await list.pager.settled()
    list.table.fail(2)
    list.pager.invalidate()
    try await list.pager.first { $0.source.refresh.failure != nil }
    let retry = list.pager.retry()
    await list.hands.begun(2)
    list.hands.succeed(1, endReached: true)
    try await retry.finished()
    await list.pager.settled()
    #expect(list.pager.snapshot.source.failures.isEmpty && list.pager.snapshot.mediator.failures.isEmpty)
  }

  @Test func P20_theRetryPolicyIsTheMediatorsToo() async throws {
    let (clock, table, isDown) = (ManualClock(), Table(30), Box(2))
    var config = config
    config.retry = .exponential(maxAttempts: 3, base: .seconds(1), jitter: 0) { _ in .transient }
    let mediator = TestMediator { _ in
      if isDown.change({ left -> Int in
        defer { left -= 1 }
        return left
      }) > 0 {
        throw Offline()
      }
      return MediatorResult(endReached: true)
    }
    let log = EventLog()
    let pager = Pager(
      config: config, mediator: mediator, clock: clock, observer: log.observer, source: table.source)
    await pager.settled()
    let refresh = pager.refresh()
    await clock.sleepers(atLeast: 1)
    #expect(pager.snapshot.mediator.refresh == .loading)
    await clock.advance(by: .seconds(1))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(2))
    try await refresh.finished()
    #expect(mediator.types == [.refresh, .refresh, .refresh])
    try await log.caughtUp(with: pager)
    #expect(log.mediated.count == 1 && log.mediated[0].duration == .seconds(3))
  }

  // MARK: - P35

  @Test func P35_loadsOfTheMediatorAreToldOnTheirOwn() async throws {
    let list = await List(config)
    list.pager.look(at: 20..<30)
    await list.hands.begun(1)
    list.hands.fail(0)
    await list.pager.settled()
    let refresh = list.pager.refresh()
    await list.hands.begun(2)
    list.hands.succeed(1, endReached: true)
    try await refresh.finished()
    try await list.log.caughtUp(with: list.pager)
    let events = list.log.events.filter { $0.name == "mediatorLoad" }
    #expect(events.map(\.phase) == [.begin, .end, .begin, .end])
    #expect(events.map(\.loadType) == [.append, .append, .refresh, .refresh])
    #expect(events.map(\.reason) == ["viewport", "viewport", "refresh", "refresh"])
    #expect(events.map(\.outcome) == [nil, "failed", nil, "ok"])
    #expect(events[0].purpose == .visible && events[0].id == events[1].id && events[1].duration == .zero)
    let statistics = list.pager.statistics
    #expect(statistics.mediator.count == 2 && statistics.mediator.failures == 1 && statistics.mediator.items == 0)
    #expect(statistics.append.count == 0 && statistics.refresh.count == 2 && statistics.refresh.failures == 0)
    #expect(statistics.generations == 1)
    #expect(list.log.ended(.refresh).last?.reason == "mediator")
  }
}
