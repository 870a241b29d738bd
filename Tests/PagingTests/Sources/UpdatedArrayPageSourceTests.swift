import Paging
import PagingTesting
import Testing

/// `ArrayPageSource(updates:)`.
@Suite(.timeLimit(.minutes(10))) struct UpdatedArrayPageSourceTests {
  /// A list that a test keeps, and whether somebody still listens.
  private final class Feed: Sendable {
    let updates: AsyncStream<[Row]>
    private let continuation: AsyncStream<[Row]>.Continuation
    private let ended = Gate()

    init() {
      (updates, continuation) = AsyncStream<[Row]>.makeStream()
      continuation.onTermination = { [ended] _ in ended.open() }
    }

    func send(_ ids: some Sequence<Int>, title: String = "") {
      continuation.yield(ids.map { Row(id: $0, title: title) })
    }
    func finish() { continuation.finish() }
    var hasEnded: Bool { ended.isOpen }
    func untilEnded() async throws { try await ended.pass() }
  }

  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func pager(_ source: ArrayPageSource<Row>) -> Pager<Int, Row> {
    Pager(config: config, clock: ManualClock(), source: source)
  }

  @Test func P22_aScreenLoadsUntilTheFirstArrayAndIsThenFilled() async throws {
    let feed = Feed()
    let pager = pager(ArrayPageSource(updates: feed.updates))
    try await pager.first { $0.phase == .loading }
    let shown = Task { try await pager.first { $0.phase == .content || $0.phase == .empty } }
    feed.send(0..<25)
    #expect(try await shown.value.slots == (0..<25).map { $0 < 10 ? $0 : nil })
    #expect(pager.statistics.refresh.count == 1, "the first array makes nothing out of date")
  }

  @Test func P22_anEmptyFirstArrayIsAnEmptyList() async throws {
    let feed = Feed()
    feed.send([])
    let pager = pager(ArrayPageSource(updates: feed.updates))
    await pager.settled()
    #expect(pager.snapshot.phase == .empty)
    feed.send(0..<3)
    let shown = try await pager.first { $0.phase == .content }
    #expect(shown.ids == [0, 1, 2])
  }

  @Test func P11_eachArrayStartsAGenerationAroundTheRowOnScreen() async throws {
    let feed = Feed()
    feed.send(0..<100)
    let pager = pager(ArrayPageSource(updates: feed.updates))
    await pager.settled()
    try await pager.jump(toItem: 50).finished()
    try await pager.see(50..<55)
    feed.send(Array(200..<230) + Array(0..<100))
    let shown = try await pager.first { $0.count == 130 }
    #expect(shown.anchor?.kind == .kept && shown.anchor?.index == 80)
    #expect(shown[80].item?.id == 50)
    feed.send(Array(0..<10))
    try await pager.first { $0.count == 10 }
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<10))
  }

  @Test func P9_aGenerationReadsOneArrayThroughout() async throws {
    let feed = Feed()
    let source = ArrayPageSource(updates: feed.updates)
    feed.send(0..<30)
    var changes = try #require(source.changes()).makeAsyncIterator()
    let first = try await source.load(LoadParams(.refresh, key: 10, loadSize: 10))
    feed.send(5..<20)
    #expect(await changes.next() != nil, "the newer array has come")
    let after = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    let before = try await source.load(LoadParams(.prepend, key: first.previousKey, loadSize: 10))
    #expect(before.ids + first.ids + after.ids == Array(0..<30), "no row is skipped and none comes twice")
    #expect(source.key(around: 5) == 0 && source.key(around: 25) == nil && source.key(forIndex: 20) == nil)
    let config = PagingConfig(pageSize: 2, initialLoadSize: 2)
    #expect(source.refreshKey(for: PagingState(pages: [first], anchorIndex: 3, config: config)) == 7)
    let newer = try await source.load(LoadParams(.refresh, key: 0, loadSize: 10))
    #expect(newer.ids == Array(5..<15) && newer.total == .exact(15))
    #expect(try await source.load(LoadParams(.append, key: newer.nextKey, loadSize: 10)).ids == Array(15..<20))
  }

  @Test func arraysInBetweenArePassedOver() async throws {
    let (asked, isRead) = (Box(0), Gate())
    let updates = AsyncStream<[Row]>(unfolding: {
      let count = asked.change { count -> Int in
        count += 1
        return count
      }
      if count <= 500 { return rows(0..<count) }
      // Who asks for more has told of all that came before.
      isRead.open()
      return nil
    })
    let source = ArrayPageSource(updates: updates)
    var changes = try #require(source.changes()).makeAsyncIterator()
    try await isRead.pass()
    #expect(try await source.load(LoadParams(.refresh, loadSize: 1)).total == .exact(500))
    #expect(told(await changes.next()) == "all")
    let more = Task { await changes.next() }
    more.cancel()
    #expect(told(await value(of: more)) == nil, "499 changes were one")
  }

  @Test func P24_closingTheLastPagerEndsTheIteration() async throws {
    let feed = Feed()
    let source = ArrayPageSource(updates: feed.updates)
    let pagers = [pager(source), pager(source)]
    feed.send(0..<5)
    for pager in pagers { await pager.settled() }
    pagers[0].close()
    feed.send(0..<6)
    try await pagers[1].first { $0.count == 6 }
    #expect(!feed.hasEnded)
    pagers[1].close()
    try await feed.untilEnded()
    #expect(try await source.load(LoadParams(.refresh, loadSize: 10)).ids == Array(0..<6), "the newest array stays")
  }

  @Test func P24_releasingAPagerWithItsSourceEndsTheIteration() async throws {
    let feed = Feed()
    feed.send(0..<5)
    do {
      let pager = pager(ArrayPageSource(updates: feed.updates))
      await pager.settled()
    }
    try await feed.untilEnded()
  }

  @Test func aSourceThatOnlyLoadsReadsOnUntilItIsReleased() async throws {
    let feed = Feed()
    feed.send(0..<5)
    do {
      let source = ArrayPageSource(updates: feed.updates)
      #expect(try await source.walkedIDs(pageSize: 2) == Array(0..<5))
      feed.send(0..<9)
      try await until { try await source.load(LoadParams(.refresh, loadSize: 10)).ids.count == 9 }
      #expect(!feed.hasEnded)
    }
    try await feed.untilEnded()
  }

  @Test func P21_aWaitForTheFirstArrayCanBeCancelledAndTheOthersGoOn() async throws {
    let feed = Feed()
    let source = ArrayPageSource(updates: feed.updates)
    let cancelled = Task { try await source.load(LoadParams(.refresh, loadSize: 3)) }
    let waiting = Task { try await source.load(LoadParams(.append, key: 1, loadSize: 3)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    feed.send(0..<5)
    #expect(try await waiting.value.ids == [1, 2, 3])
  }

  @Test func P24_closingAPagerThatWaitsForTheFirstArrayEndsTheIteration() async throws {
    let feed = Feed()
    let source = ArrayPageSource(updates: feed.updates)
    let pager = pager(source)
    try await pager.first { $0.phase == .loading }
    pager.close()
    try await feed.untilEnded()
    withExtendedLifetime(source) {}
    feed.send(0..<5)
    #expect(pager.snapshot.isEmpty)
  }

  @Test func aSequenceThatEndsLeavesItsNewestArrayOrAnEmptyList() async throws {
    let (silent, speaking) = (Feed(), Feed())
    silent.finish()
    let empty = pager(ArrayPageSource(updates: silent.updates))
    await empty.settled()
    #expect(empty.snapshot.phase == .empty)
    speaking.send(0..<25)
    speaking.finish()
    let full = pager(ArrayPageSource(updates: speaking.updates))
    try await full.scrollToEnd()
    try await full.refresh().finished()
    #expect(full.snapshot.count == 25 && full.snapshot.source.failures.isEmpty)
  }

  @Test func P8_aSequenceThatThrowsFailsRefreshesAndTheRowsStay() async throws {
    let (stream, continuation) = AsyncThrowingStream<[Row], any Error>.makeStream()
    let pager = Pager(config: config, clock: ManualClock(), source: ArrayPageSource(updates: stream))
    continuation.yield(rows(0..<25))
    await pager.settled()
    continuation.finish(throwing: Refused())
    let failed = try await pager.first { $0.source.refresh.failure != nil }
    #expect(failed.source.refresh.failure?.error is Refused)
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<25))
    let (other, end) = AsyncThrowingStream<[Row], any Error>.makeStream()
    end.finish(throwing: Refused())
    let none = Pager(config: config, clock: ManualClock(), source: ArrayPageSource(updates: other))
    await none.settled()
    #expect(none.snapshot.source.refresh.failure?.error is Refused)
    #expect(none.snapshot.phase != .empty)
  }

  @Test func P11_everyLengthOfListIsReadWithoutHolesWhileItChanges() async throws {
    let feed = Feed()
    let pager = pager(ArrayPageSource(updates: feed.updates))
    feed.send(0..<40)
    try await pager.scrollToEnd()
    for round in 1...30 {
      // Rows come in above and go below.
      feed.send((-round * 3)..<(40 - round), title: "\(round)")
      let shown = try await pager.first { $0.items.first?.title == "\(round)" }
      #expect(shown.count == 40 + 2 * round)
      let ids = shown.ids
      #expect(ids == Array((ids.first ?? 0)..<((ids.last ?? -1) + 1)), "loaded rows are neighbours")
      await pager.settled()
    }
  }
}
