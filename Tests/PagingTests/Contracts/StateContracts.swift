import Loading
import Paging
import PagingTesting
import Testing

/// P18 to P22.
@Suite(.timeLimit(.minutes(10))) struct StateContracts {
  private let server = ListServer(count: 100)
  private let config = PagingConfig(pageSize: 10)

  // MARK: - P18

  @Test func P18_combinedStates() {
    let failure = LoadState.failed(LoadFailure(number: 1, error: Offline()))
    let other = LoadState.failed(LoadFailure(number: 2, error: Offline()))
    let (rest, end) = (LoadState.notLoading(endReached: false), LoadState.notLoading(endReached: true))
    func combined(_ a: LoadState, _ b: LoadState) -> LoadState {
      CombinedLoadStates(
        source: LoadStates(refresh: a, prepend: a, append: a), mediator: LoadStates(refresh: b, prepend: b, append: b)
      ).append
    }
    for state in [rest, end, failure, .loading] {
      #expect(combined(state, .loading) == .loading)
      #expect(combined(.loading, state) == .loading)
    }
    #expect(combined(failure, end) == failure)
    #expect(combined(end, failure) == failure)
    #expect(combined(failure, other) == other)
    #expect(combined(end, end) == end)
    #expect(combined(end, rest) == rest)
    #expect(combined(rest, end) == rest)
    #expect(LoadFailure(number: 1, error: Offline()) == LoadFailure(number: 1, error: CancellationError()))
    #expect(LoadFailure(number: 1, error: Offline()) != LoadFailure(number: 2, error: Offline()))
  }

  @Test func P18_equalStatesAreEmittedOnce() async throws {
    let pager = Pager(config: config, source: server.source())
    await pager.settled()
    let version = pager.snapshot.version
    for row in 0..<10 { try await pager.see(row..<row + 5) }
    try await pager.retry().finished()
    pager.conditions = .constrained
    pager.conditions = .normal
    #expect(pager.snapshot.version == version)
  }

  // MARK: - P19

  @Test func P19_retryRepeatsWhatFailedAndNothingElse() async throws {
    let (server, isDown) = (server, Box(false))
    let source = RowSource(clock: ManualClock()) { params in
      isDown.value && params.type != .refresh
        ? .failure(Offline()) : .page(server.page(at: params.key, size: params.loadSize))
    }
    let pager = Pager(config: config, initialKey: 50, source: source)
    await pager.settled()
    isDown.change { $0 = true }
    try await pager.see(0..<30)
    #expect(pager.snapshot.source.failures.count == 2)
    #expect(pager.snapshot.ids == Array(50..<80))
    isDown.change { $0 = false }
    let failed = source.calls.suffix(2)
    let calls = source.calls.count
    try await pager.retry(.append).finished()
    #expect(source.calls.count == calls + 1)
    #expect(source.calls.last?.key == failed.first { $0.type == .append }?.key)
    #expect(pager.snapshot.source.prepend.failure != nil)
    try await pager.retry().finished()
    #expect(source.calls.last?.key == failed.first { $0.type == .prepend }?.key)
    #expect(pager.snapshot.source.failures.isEmpty)
    await pager.settled()
    let after = source.calls.count
    try await pager.retry().finished()
    #expect(source.calls.count == after, "nothing failed")
  }

  @Test func P19_refreshStartsOver() async throws {
    let (server, isDown) = (server, Box(false))
    let pager = Pager(
      config: config,
      source: RowSource(clock: ManualClock()) { params in
        isDown.value && params.type != .refresh
          ? .failure(Offline()) : .page(server.page(at: params.key, size: params.loadSize))
      })
    await pager.settled()
    isDown.change { $0 = true }
    try await pager.see(20..<30)
    #expect(pager.snapshot.source.append.failure != nil)
    isDown.change { $0 = false }
    try await pager.refresh().finished()
    await pager.settled()
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  // MARK: - P20

  @Test func P20_noRetryUnlessSetAndThenBoundedByPolicyAndClock() async throws {
    let (server, clock) = (server, ManualClock())
    for (isTransient, attempts) in [(true, 4), (false, 1)] {
      let source = RowSource(clock: clock) { params in
        params.type == .append ? .failure(Offline()) : .page(server.page(at: params.key, size: params.loadSize))
      }
      let policy = RetryPolicy.exponential(maxAttempts: 4, base: .seconds(1), seed: 5) { _ in
        isTransient ? .transient : .permanent
      }
      var config = config
      config.retry = policy
      let pager = Pager(config: config, clock: clock, source: source)
      await pager.settled()
      pager.look(at: 20..<30)
      var random = SeededGenerator(seed: 5)
      for attempt in 1..<attempts {
        await clock.sleepers(atLeast: 1)
        let delay = try #require(policy.delay(afterAttempt: attempt, error: Offline(), using: &random))
        #expect(clock.sleepers == [clock.now.advanced(by: delay)])
        #expect(pager.snapshot.source.append == .loading, "it waits to be tried again")
        await clock.advance(by: delay)
      }
      await pager.settled()
      #expect(source.calls.count == 1 + attempts)
      #expect(pager.snapshot.source.append.failure?.error as? Offline == Offline())
      #expect(pager.statistics.append.failures == 1)
    }
  }

  @Test func P20_closingEndsTheWait() async throws {
    let clock = ManualClock()
    var config = config
    config.retry = .exponential(maxAttempts: 3, seed: 1) { _ in .transient }
    let pager = Pager(config: config, clock: clock, source: RowSource(clock: clock) { _ in .failure(Offline()) })
    let command = pager.refresh()
    await clock.sleepers(atLeast: 1)
    pager.close()
    await #expect(throws: (any Error).self) { try await command.finished() }
    await letOthersRun()
    #expect(clock.sleepers.isEmpty)
  }

  // MARK: - P21

  @Test func P21_cancellationIsNoFailure() async throws {
    let (server, isCancelling) = (server, Box(true))
    let source = RowSource(clock: ManualClock()) { params in
      isCancelling.value ? .failure(CancellationError()) : .page(server.page(at: params.key, size: params.loadSize))
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    #expect(pager.snapshot.phase == .initial)
    #expect(source.calls.count == 1)
    isCancelling.change { $0 = false }
    await pager.settled()
    #expect(pager.snapshot.items.count == 30)
    isCancelling.change { $0 = true }
    try await pager.see(20..<30)
    #expect(pager.snapshot.source.append == .notLoading(endReached: false))
    let calls = source.calls.count
    isCancelling.change { $0 = false }
    await pager.settled()
    #expect(source.calls.count == calls, "only a fresh report or a command loads again")
    try await pager.see(20..<30)
    #expect(source.calls.last?.key == 30)
    isCancelling.change { $0 = true }
    await #expect(throws: CancellationError.self) { try await pager.refresh().finished() }
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(pager.snapshot.ids.starts(with: 0..<30))
  }

  // MARK: - P22

  @Test func P22_theFivePhases() async throws {
    let gate = Gate()
    let content = Pager(source: RowSource(clock: ManualClock()) { _ in .held(by: gate, .page(Page([Row(id: 1)]))) })
    #expect(content.snapshot.phase == .initial)
    let command = content.refresh()
    #expect(content.snapshot.phase == .loading)
    gate.open()
    try await command.finished()
    #expect(content.snapshot.phase == .content)
    let empty = Pager(source: RowSource(clock: ManualClock()) { _ in .page(Page([])) })
    await empty.settled()
    #expect(empty.snapshot.phase == .empty)
    let failing = Pager(source: RowSource(clock: ManualClock()) { _ in .failure(Offline()) })
    await failing.settled()
    #expect(failing.snapshot.phase == .failed(LoadFailure(number: 1, error: Offline())))
    let unsure = Pager(
      config: PagingConfig(pageSize: 10, prefetchDistance: 0),
      source: RowSource(clock: ManualClock()) { _ in .page(Page([], nextKey: 1)) })
    await unsure.settled()
    #expect(unsure.snapshot.phase != .empty, "there may be more")
  }
}
