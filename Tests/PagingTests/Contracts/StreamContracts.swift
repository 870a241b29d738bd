import Loading
import Paging
import PagingTesting
import Testing

/// P23 to P26.
@Suite(.timeLimit(.minutes(10))) struct StreamContracts {
  private let server = ListServer(count: 300)
  private let config = PagingConfig(pageSize: 10)

  // MARK: - P23

  @Test func P23_aStreamStartsWithTheNewestAtOnceAndKeepsTheNewestOnly() async throws {
    let pager = Pager(config: config, source: server.source())
    await pager.settled()
    var slow = pager.snapshots().makeAsyncIterator()
    #expect(await slow.next()?.version == pager.snapshot.version)
    // A command ends when the streams have been offered what it led to; a pager is settled a moment before.
    for _ in 0..<4 { try await pager.load(.append).finished() }
    #expect(pager.snapshot.items.count == 70)
    var late = pager.snapshots().makeAsyncIterator()
    #expect(await slow.next()?.version == pager.snapshot.version)
    #expect(await late.next()?.version == pager.snapshot.version)
  }

  @Test func P23_aStreamKeepsItsPagerAliveAndEndingItFreesIt() async throws {
    weak var pager: Pager<Int, Row>?
    var iterator: PagingSnapshots<Row>.AsyncIterator?
    do {
      let strong = Pager(config: config, source: server.source())
      await strong.settled()
      pager = strong
      iterator = strong.snapshots().makeAsyncIterator()
    }
    #expect(pager != nil)
    #expect(await iterator?.next()?.items.count == 30)
    iterator = nil
    #expect(pager == nil)
  }

  @Test func P23_closeEndsAllStreams() async throws {
    let pager = Pager(config: config, source: server.source())
    let reading = (0..<3).map { _ in Task { for await _ in pager.snapshots() {} } }
    await pager.settled()
    pager.close()
    for task in reading { await task.value }
    #expect(pager.snapshot.items.count == 30, "the last snapshot can still be read")
  }

  @Test func P23_cancellingTheTaskThatReadsEndsItsStream() async throws {
    weak var released: Pager<Int, Row>?
    let reading: Task<Void, Never>
    do {
      let pager = Pager(config: config, source: server.source())
      released = pager
      let snapshots = pager.snapshots()
      reading = Task { for await _ in snapshots {} }
      await pager.settled()
    }
    reading.cancel()
    await reading.value
    // Whoever ends the task may hold what it captured a moment longer.
    while released != nil {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  // MARK: - P24

  @Test(arguments: [true, false]) func P24_closingOrReleasingCancelsAllLoadsAtOnce(closes: Bool) async throws {
    let (hold, server) = (Hold(), server)
    weak var released: Pager<Int, Row>?
    do {
      let pager = Pager(
        config: config,
        source: TraitedSource<Int> { params in
          if params.type == .append { try await hold.pass() }
          return server.page(at: params.key, size: params.loadSize)
        })
      await pager.settled()
      pager.look(at: 20..<30)
      await hold.reached()
      released = pager
      if closes {
        pager.close()
        try await hold.cancelled()
      }
    }
    try await hold.cancelled()
    #expect(released == nil)
  }

  @Test func P24_whileObservedReleasesAllButTheViewportsPages() async throws {
    let (clock, server, hold) = (ManualClock(), server, Hold())
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let log = EventLog()
    let isHeld = Box(false)
    let pager = Pager(
      config: config, clock: clock, observer: log.observer,
      source: TraitedSource<Int> { params in
        if isHeld.value { try await hold.pass() }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    for row in stride(from: 20, through: 100, by: 10) { try await pager.see(row..<row + 10) }
    try await pager.see(70..<80)
    isHeld.change { $0 = true }
    let command = pager.load(.append)
    await hold.reached()
    let before = pager.snapshot
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(4_999))
    #expect(pager.snapshot.items.count == before.items.count)
    await clock.advance(by: .milliseconds(1))
    try await hold.cancelled()
    await #expect(throws: CancellationError.self) { try await command.finished() }
    let kept = pager.snapshot
    #expect(kept.items.count == 10)
    #expect(kept.slots[70..<80].map { $0 } == Array(70..<80))
    #expect(log.named("pagesDropped").map(\.reason) == ["retention"])
    await clock.advance(by: .seconds(1_000_000))
    var stream = pager.snapshots().makeAsyncIterator()
    let first = try #require(await stream.next())
    #expect(first.slots[70..<80].map { $0 } == Array(70..<80), "the same rows, however long it took")
  }

  @Test func P24_aStreamWithinTheGraceKeepsThePages() async throws {
    let clock = ManualClock()
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let pager = Pager(config: config, clock: clock, source: server.source())
    await pager.settled()
    for row in [20, 30, 40] { try await pager.see(row..<row + 10) }
    let count = pager.snapshot.items.count
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(4))
    let stream = pager.snapshots().makeAsyncIterator()
    await clock.advance(by: .seconds(100))
    #expect(pager.snapshot.items.count == count)
    withExtendedLifetime(stream) {}
  }

  // MARK: - P25 and P26

  @Test(arguments: [1, 2, 3] as [UInt64]) func P25_P26_inARandomRunStatesAndRowsAgreeAndChangesApply(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let server = ListServer(count: 120)
    var config = try PagingConfig(pageSize: 10, prefetchDistance: 10, maxSize: seed == 1 ? 1_000 : 40)
    config.placeholders = seed != 3
    let isBad = Box(false)
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        if isBad.change({ bad in
          defer { bad = false }
          return bad
        }) {
          throw Offline()
        }
        return server.page(at: params.key, size: params.loadSize, counts: true)
      })
    let seen = Box<[PagingSnapshot<Row>]>([])
    let reading = Task { for await snapshot in pager.snapshots() { seen.change { $0.append(snapshot) } } }
    await pager.settled()
    for step in 0..<150 {
      let lower = Int.random(in: 0..<max(1, pager.snapshot.count), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: pager.refresh()
      case 1: isBad.change { $0 = true }
      case 2: pager.retry()
      case 3:
        server.edit { rows in
          rows.insert(Row(id: 1_000 + step), at: min(lower, rows.count))
          rows[min(lower, rows.count - 1)].title += "+"
          if rows.count > 130 { rows.removeFirst(3) }
        }
      default: pager.look(at: lower..<lower + 8)
      }
      if Bool.random(using: &random) { await pager.settled() }
    }
    await pager.settled()
    pager.close()
    await reading.value
    let all = seen.value
    #expect(all.count > 20)
    for snapshot in all {
      if snapshot.source.append.isAtEnd { #expect(snapshot.placeholdersAfter == 0) }
      if snapshot.source.prepend.isAtEnd { #expect(snapshot.placeholdersBefore == 0) }
      #expect(Set(snapshot.map(\.id)).count == snapshot.count)
      #expect(snapshot.count == snapshot.placeholdersBefore + snapshot.items.count + snapshot.placeholdersAfter)
      if snapshot.count > 0 { #expect(snapshot.phase == .content) }
    }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.version < $1.version })
    for _ in 0..<300 {
      guard let a = all.randomElement(using: &random), let b = all.randomElement(using: &random) else { break }
      func shown(_ snapshot: PagingSnapshot<Row>) -> [Shown] {
        snapshot.map { Shown(id: $0.item?.id, text: $0.item?.title ?? "") }
      }
      #expect(apply(b.changes(from: a), to: shown(a), new: shown(b)) == shown(b))
    }
  }
}
