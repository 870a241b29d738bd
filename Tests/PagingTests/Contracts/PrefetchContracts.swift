import Loading
import Paging
import PagingTesting
import Testing

/// P3 and `settled()`.
@Suite(.timeLimit(.minutes(10))) struct PrefetchContracts {
  private let server = ListServer(count: 1_000)

  private func pager(
    _ config: PagingConfig = PagingConfig(pageSize: 10), at key: Int? = nil, counts: Bool = false
  ) -> (Pager<Int, Row>, RowSource, EventLog) {
    let source = server.source(counts: counts)
    let log = EventLog()
    return (Pager(config: config, initialKey: key, observer: log.observer, source: source), source, log)
  }

  @Test func P3_nothingLoadsBeforeAStreamACommandOrSettled() async throws {
    let (pager, source, log) = pager()
    _ = (pager.snapshot[0], pager.snapshot.count, pager.snapshots(), pager.statistics, pager.conditions)
    pager.look(at: 0..<10)
    pager.invalidate()
    pager.conditions = .constrained
    pager.conditions = .normal
    #expect(log.events.isEmpty)
    #expect(pager.snapshot.phase == .initial)
    let stream = pager.snapshots().makeAsyncIterator()
    #expect(log.begun() == 1)
    withExtendedLifetime(stream) {}
    await pager.settled()
    #expect(source.calls.count == 1)
  }

  @Test func P3_aCommandOrSettledStartsTheFirstLoad() async throws {
    let starts: [@Sendable (Pager<Int, Row>) async throws -> Void] = [
      { await $0.settled() },
      { try await $0.refresh().finished() },
      { try await $0.retry().finished() },
      { try await $0.load(.append).finished() },
    ]
    for start in starts {
      let (pager, source, _) = pager()
      try await start(pager)
      await pager.settled()
      #expect(source.calls.first?.type == .refresh)
      #expect(source.calls.first?.key == nil)
      #expect(pager.snapshot.ids.prefix(30) == Array(0..<30)[...])
    }
  }

  @Test func P3_readingASnapshotNeverLoadsAndNeverTraps() async throws {
    let (pager, _, log) = pager(counts: true)
    await pager.settled()
    let snapshot = pager.snapshot
    #expect(snapshot.count == 1_000)
    for index in [Int.min, Int.min + 1, -1, 999, 1_000, 5_000, Int.max - 1, Int.max] {
      #expect(snapshot[index].item == nil)
      _ = snapshot[index].id
    }
    #expect(snapshot.map(\.id).count == 1_000)
    #expect(Set(snapshot.map(\.id)).count == 1_000)
    await pager.settled()
    #expect(log.begun() == 1)
  }

  @Test func P3_loadsOnWhileFewerRowsThanTheDistanceLieBeyond() async throws {
    let (pager, source, _) = pager()
    await pager.settled()
    try await pager.see(0..<20)
    #expect(source.calls.count == 1, "ten rows beyond are enough")
    try await pager.see(0..<21)
    #expect(source.calls.count == 2, "nine are not")
    #expect(pager.snapshot.count == 40)
    try await pager.see(20..<30)
    #expect(source.calls.count == 2)
    try await pager.see(30..<40)
    #expect(source.calls.count == 3)
    #expect(pager.snapshot.count == 50)
  }

  @Test func P3_severalPagesFollowUntilTheDistanceIsThere() async throws {
    let (pager, _, _) = pager(PagingConfig(pageSize: 10, prefetchDistance: 45), at: 500)
    await pager.settled()
    try await pager.see(10..<20)
    // 10 before and 10 after to begin with; four pages on each side bring 50.
    #expect(pager.snapshot.ids == Array(460..<570))
  }

  @Test func P3_withoutAReportNothingIsFetchedAhead() async throws {
    let (pager, source, _) = pager(PagingConfig(pageSize: 10, prefetchDistance: 50, initialLoadSize: 5))
    try await pager.first { $0.count > 0 }
    await pager.settled()
    #expect(source.calls.count == 1)
    #expect(pager.snapshot.count == 5)
  }

  @Test func P3_anObservedContentWithoutRowsLoadsOn() async throws {
    let source = RowSource(clock: ManualClock()) { params in
      let page = params.key ?? 0
      return .page(page < 4 ? Page([], nextKey: page + 1) : Page([Row(id: page)], nextKey: page + 1))
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), source: source)
    await pager.settled()
    #expect(pager.snapshot.ids == [4])
    #expect(source.calls.map(\.key) == [nil, 1, 2, 3, 4])
  }

  @Test func P3_placeholdersDoNotCountAsLoaded() async throws {
    let (pager, source, _) = pager(counts: true)
    await pager.settled()
    #expect(pager.snapshot.count == 1_000)
    try await pager.see(0..<21)
    #expect(source.calls.count == 2)
    // Rows wholly inside placeholders: the edge next to them loads on until it has come that far.
    try await pager.see(75..<80)
    #expect(pager.snapshot.slots[75..<80].allSatisfy { $0 != nil })
    #expect(pager.snapshot.items.count == 90)
  }

  @Test func P3_aReportInAnOlderSnapshotIsCarriedOver() async throws {
    let (pager, source, _) = pager(at: 500)
    await pager.settled()
    let old = pager.snapshot
    try await pager.see(0..<10)
    #expect(pager.snapshot.ids == Array(490..<530))
    // Row 0 of then is row 10 of now, with ten rows before it.
    pager.viewportChanged(to: 0..<10, of: old)
    await pager.settled()
    #expect(source.calls.count == 2)
    #expect(pager.snapshot.position.rowsBefore == 10)
    pager.viewportChanged(to: 0..<10, of: pager.snapshot)
    await pager.settled()
    #expect(source.calls.count == 3)
  }

  @Test func P3_aReportInASnapshotOfAnOlderGenerationIsCarriedOverByIdentity() async throws {
    let (pager, source, _) = pager()
    await pager.settled()
    try await pager.see(0..<10)
    let old = pager.snapshot
    server.edit { $0.insert(contentsOf: (2_000..<2_015).map { Row(id: $0) }, at: 0) }
    try await pager.refresh(from: .start).finished()
    await pager.settled()
    let calls = source.calls.count
    #expect(pager.snapshot.count == 30)
    // Row 5 of then is row 20 of now: nine rows are left beyond 5..<6, so one page follows.
    pager.viewportChanged(to: 5..<6, of: old)
    await pager.settled()
    #expect(source.calls.count == calls + 1)
  }

  @Test func P3_rangesAreClamped() async throws {
    let (pager, source, _) = pager(at: 500)
    await pager.settled()
    try await pager.see(10_000..<20_000)
    #expect(source.calls.last?.type == .append)
    #expect(source.calls.count == 2)
    try await pager.see(-500..<(-400))
    #expect(source.calls.last?.type == .prepend)
    #expect(source.calls.count == 3)
    try await pager.see(Int.max - 5..<Int.max)
    try await pager.see(Int.min..<Int.min + 5)
    try await pager.see(Int.min..<Int.max)
    try await pager.see(15..<15)
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(pager.snapshot.ids == Array(pager.snapshot.ids[0]..<pager.snapshot.ids[0] + pager.snapshot.count))
  }

  @Test func P3_aReportOfAnotherPagersSnapshotIsIgnored() async throws {
    let (pager, source, _) = pager()
    let (other, _, _) = self.pager()
    await pager.settled()
    await other.settled()
    pager.viewportChanged(to: 29..<30, of: other.snapshot)
    await pager.settled()
    #expect(source.calls.count == 1)
  }

  @Test func P3_distanceZeroIsManual() async throws {
    let (pager, source, log) = pager(PagingConfig(pageSize: 10, prefetchDistance: 0), at: 500)
    await pager.settled()
    try await pager.see(0..<30)
    #expect(source.calls.count == 1)
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(500..<540))
    try await pager.see(0..<40)
    try await log.caughtUp(with: pager)
    #expect(log.begun() == 2, "one page, and no more")
    try await pager.load(.prepend).finished()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(490..<540))
    #expect(source.calls.map(\.type) == [.refresh, .append, .prepend])
  }

  @Test func P3_loadAtAnEndHasNothingToDo() async throws {
    let source = ListServer(count: 5).source()
    let pager = Pager(source: source)
    await pager.settled()
    try await pager.load(.append).finished()
    try await pager.load(.prepend).finished()
    #expect(source.calls.count == 1)
  }

  // MARK: - settled()

  @Test func settled_returnsOnlyWhenAllThatIsWantedIsThere() async throws {
    let (hold, server) = (Hold(), server)
    let source = TraitedSource<Int> { params in
      if params.type != .refresh { try await hold.pass() }
      return server.page(at: params.key, size: params.loadSize)
    }
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 45), source: source)
    await pager.settled()
    pager.look(at: 0..<30)
    let isBack = Box(false)
    let waiting = Task {
      await pager.settled()
      isBack.change { $0 = true }
      return pager.snapshot.count
    }
    await hold.reached()
    #expect(!isBack.value)
    hold.open()
    #expect(await waiting.value == 80)
  }

  @Test func settled_failedAndSuspendedCountAsSettled() async throws {
    let failing = Pager(source: RowSource(clock: ManualClock()) { _ in .failure(Offline()) })
    await failing.settled()
    #expect(failing.snapshot.phase != .loading)
    let (pager, source, _) = pager()
    pager.conditions = .suspended
    await pager.settled()
    #expect(source.calls.isEmpty)
    pager.conditions = .normal
    await pager.settled()
    #expect(source.calls.count == 1)
  }

  @Test func settled_returnsWhenItsTaskIsCancelledAndWhenThePagerIsClosed() async throws {
    let pager = Pager(source: RowSource(clock: ManualClock()) { _ in .hang })
    let waiting = Task { await pager.settled() }
    try await pager.first { $0.phase == .loading }
    waiting.cancel()
    await waiting.value
    #expect(pager.snapshot.phase == .loading, "the load goes on")
    let another = Task { await pager.settled() }
    await Task.yield()
    pager.close()
    await another.value
    await pager.settled()
  }
}
