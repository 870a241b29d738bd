import Paging
import PagingTesting
import Testing

/// P16 and P17.
@Suite(.timeLimit(.minutes(10))) struct PlaceholderContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func source(
    _ page: @escaping @Sendable (LoadParams<Int>) -> Page<Int, Row>
  ) -> RowSource {
    RowSource(clock: ManualClock()) { .page(page($0)) }
  }

  private static func rows(_ range: Range<Int>) -> [Row] { range.map { Row(id: $0) } }

  // MARK: - P16

  @Test func P16_placeholdersNeedCounts() async throws {
    let server = ListServer(count: 100)
    for (counts, before, after) in [(true, 40, 50), (false, 0, 0)] {
      let pager = Pager(config: config, initialKey: 40, source: server.source(counts: counts))
      await pager.settled()
      #expect(pager.snapshot.placeholdersBefore == before)
      #expect(pager.snapshot.placeholdersAfter == after)
      #expect(pager.snapshot.count == before + 10 + after)
    }
  }

  @Test func P16_withPlaceholdersOffThereAreNoneAndTheSourceIsTold() async throws {
    var config = config
    config.placeholders = false
    let source = ListServer(count: 100).source(counts: true)
    let pager = Pager(config: config, initialKey: 40, source: source)
    await pager.settled()
    #expect(pager.snapshot.count == 10)
    #expect(source.calls.allSatisfy { !$0.placeholdersEnabled })
    let other = ListServer(count: 100).source(counts: true)
    await Pager(source: other).settled()
    #expect(other.calls.allSatisfy { $0.placeholdersEnabled })
  }

  @Test func P16_aNilCountKeepsTheSidesNumberMinusWhatCame() async throws {
    let source = source { params in
      switch params.key {
      case nil: Page(Self.rows(0..<10), previousKey: -1, nextKey: 1, itemsBefore: 15, itemsAfter: 25)
      case 1: Page(Self.rows(10..<20), nextKey: 2)
      case 2: Page(Self.rows(20..<32), nextKey: 3)
      case 3: Page(Self.rows(32..<40), nextKey: 4)
      case -1: Page(Self.rows(-10..<0), previousKey: -2)
      default: Page(Self.rows(-20 ..< -10), previousKey: -3)
      }
    }
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: source)
    await pager.settled()
    func counts() -> [Int] { [pager.snapshot.placeholdersBefore, pager.snapshot.placeholdersAfter] }
    #expect(counts() == [15, 25])
    try await pager.load(.append).finished()
    #expect(counts() == [15, 15])
    try await pager.load(.append).finished()
    #expect(counts() == [15, 3])
    try await pager.load(.append).finished()
    #expect(counts() == [15, 0], "never below zero")
    try await pager.load(.prepend).finished()
    #expect(counts() == [5, 0])
    try await pager.load(.prepend).finished()
    #expect(counts() == [0, 0])
  }

  @Test func P16_aReachedEndRemovesItsPlaceholders() async throws {
    let source = source { params in
      params.key == nil
        ? Page(Self.rows(0..<10), previousKey: -1, nextKey: 1, itemsBefore: 100, itemsAfter: 100)
        : params.key == 1
          ? Page(Self.rows(10..<20), itemsAfter: 50) : Page(Self.rows(-10..<0), itemsBefore: 50)
    }
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: source)
    await pager.settled()
    #expect(pager.snapshot.count == 210)
    try await pager.load(.append).finished()
    #expect(pager.snapshot.placeholdersAfter == 0)
    #expect(pager.snapshot.placeholdersBefore == 100)
    try await pager.load(.prepend).finished()
    #expect(pager.snapshot.count == 30)
    let short = Pager(source: self.source { _ in Page(Self.rows(0..<3), itemsBefore: 7, itemsAfter: 7) })
    await short.settled()
    #expect(short.snapshot.count == 3, "a first page that is the whole list")
  }

  @Test(arguments: [true, false]) func P16_noRowMovesWhenPagesAreDropped(counts: Bool) async throws {
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 10, maxSize: 40)
    let pager = Pager(config: config, source: ListServer(count: 300).source(counts: counts))
    await pager.settled()
    var identities: [Int: PagingRow<Row>.ID] = [:]
    for row in Array(stride(from: 0, through: 290, by: 10)) + stride(from: 290, through: 0, by: -10) {
      try await pager.see(row..<row + 10)
      let shown = pager.snapshot
      for (index, slot) in shown.slots.enumerated() { if let slot { #expect(slot == index) } }
      #expect(Set(shown.map(\.id)).count == shown.count)
      if counts { #expect(shown.count == 300) }
      // A placeholder keeps its identity while no item takes its place.
      for index in shown.indices where shown[index].item == nil {
        if let known = identities[index] { #expect(shown[index].id == known) }
        identities[index] = shown[index].id
      }
    }
    #expect(pager.snapshot.count == 300, "dropped rows leave placeholders whether counts are known or not")
    #expect(pager.statistics.droppedPages > 20)
  }

  @Test func P16_withPlaceholdersOffDroppedRowsAreRemovals() async throws {
    var config = try PagingConfig(pageSize: 10, prefetchDistance: 10, maxSize: 40)
    config.placeholders = false
    let pager = Pager(config: config, source: ListServer(count: 300).source(counts: true))
    await pager.settled()
    var old = pager.snapshot
    var removed = 0
    while !pager.snapshot.source.append.isAtEnd {
      try await pager.see(pager.snapshot.count - 5..<pager.snapshot.count)
      let shown = pager.snapshot
      #expect(shown.count == shown.items.count)
      let changes = shown.changes(from: old)
      #expect(changes.removals == Array(0..<changes.removals.count))
      #expect(changes.moves.isEmpty)
      removed += changes.removals.count
      old = shown
    }
    #expect(removed == 300 - old.count)
  }

  @Test func P16_aPlaceholderThatIsFilledIsAnUpdateAtItsIndex() async throws {
    let pager = Pager(
      config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: ListServer(count: 100).source(counts: true))
    await pager.settled()
    let before = pager.snapshot
    try await pager.load(.append).finished()
    #expect(pager.snapshot.changes(from: before) == ListChanges(updates: Array(30..<40)))
  }

  @Test func P16_onlyAnExactTotalOfAKnownPositionMakesPlaceholders() async throws {
    let totals: [(Total, before: Int?, count: Int)] = [
      (.exact(100), 0, 100), (.exact(100), nil, 10), (.atLeast(100), 0, 10), (.about(100), 0, 10), (.exact(4), 0, 10),
    ]
    for (total, before, count) in totals {
      let pager = Pager(
        config: config, source: source { _ in Page(Self.rows(0..<10), nextKey: 1, itemsBefore: before, total: total) })
      await pager.settled()
      #expect(pager.snapshot.count == count, "\(total)")
      #expect(pager.snapshot.total == total)
    }
  }

  @Test func P16_aCountBelowZeroIsUnknown() async throws {
    let pager = Pager(
      config: config,
      source: source { _ in
        Page(Self.rows(0..<10), previousKey: -1, nextKey: 1, itemsBefore: -5, itemsAfter: .min, total: .exact(-3))
      })
    await pager.settled()
    #expect(pager.snapshot.count == 10)
    #expect(pager.snapshot.total == .exact(0))
  }

  // MARK: - P17

  /// Two pages that overlap, and each of which holds a row twice.
  private func overlapping(_ policy: DuplicatePolicy) async throws -> (Pager<Int, Row>, EventLog) {
    let source = source { params in
      params.key == nil
        ? Page(
          [Row(id: 1, title: "a"), Row(id: 2, title: "a"), Row(id: 1, title: "b"), Row(id: 3, title: "a")], nextKey: 1)
        : Page(
          [Row(id: 3, title: "c"), Row(id: 4, title: "c"), Row(id: 2, title: "c"), Row(id: 4, title: "d")])
    }
    var config = PagingConfig(pageSize: 4, prefetchDistance: 0)
    config.duplicates = policy
    let log = EventLog()
    let pager = Pager(config: config, observer: log.observer, source: source)
    await pager.settled()
    try await pager.load(.append).finished()
    try await log.caughtUp(with: pager)
    return (pager, log)
  }

  @Test func P17_theCopyThatCameLaterIsDropped() async throws {
    let (pager, log) = try await overlapping(.dropLater)
    #expect(pager.snapshot.ids == [1, 2, 3, 4])
    #expect(pager.snapshot.items.map(\.title) == ["a", "a", "a", "c"])
    #expect(log.named("duplicatesDropped").map(\.droppedDuplicates) == [1, 3])
    #expect(pager.statistics.droppedDuplicates == 4)
  }

  @Test func P17_orTakesThePlaceOfTheOneThatWasThere() async throws {
    let (pager, log) = try await overlapping(.replaceEarlier)
    #expect(pager.snapshot.ids == [1, 2, 3, 4])
    #expect(pager.snapshot.items.map(\.title) == ["b", "c", "c", "d"])
    #expect(log.named("duplicatesDropped").map(\.droppedDuplicates) == [1, 3])
  }

  @Test(arguments: [DuplicatePolicy.dropLater, .replaceEarlier])
  func P17_rowsAlwaysHaveDistinctIdentities(policy: DuplicatePolicy) async throws {
    let source = source { params in
      let page = params.key ?? 0
      return Page(
        (0..<10).map { Row(id: (page * 7 + $0 * 3) % 90, title: "\(page)") }, previousKey: page > -20 ? page - 1 : nil,
        nextKey: page < 20 ? page + 1 : nil, itemsBefore: 50, itemsAfter: 50)
    }
    var config = try PagingConfig(pageSize: 5, prefetchDistance: 5, maxSize: 25)
    config.duplicates = policy
    let pager = Pager(config: config, source: source)
    await pager.settled()
    for step in 0..<60 {
      let start = step * 7 % max(1, pager.snapshot.count)
      try await pager.see(start..<start + 5)
      _ = try? await pager.retry().finished()
      #expect(Set(pager.snapshot.map(\.id)).count == pager.snapshot.count)
      #expect(Set(pager.snapshot.ids).count == pager.snapshot.items.count)
    }
  }
}
