import Loading
import Paging
import PagingTesting
import Testing

/// What a source answers and how it says that its data changed: the SRC scenarios, and SNP-47.
@Suite(.timeLimit(.minutes(10))) struct SourceScenarioTests {
  private let rows = ArrayPageSource((0..<100).map { Row(id: $0) })

  @Test func SRC_02_oneRowAroundItself() async throws {
    let source = ArrayPageSource([Row(id: 7)])
    let page = try await source.load(LoadParams(.refresh, key: source.key(around: 7), loadSize: 20))
    #expect(page == Page([Row(id: 7)], itemsBefore: 0, itemsAfter: 0, total: .exact(1)))
  }

  @Test func SRC_04_withoutAKeyFromTheStart() async throws {
    let page = try await rows.load(LoadParams(.refresh, loadSize: 10))
    #expect(page.items.map(\.id) == Array(0..<10))
    #expect([page.itemsBefore, page.itemsAfter] == [0, 90])
    #expect(page.previousKey == nil && page.nextKey == 10)
  }

  @Test func beforeAndAfterAKey() async throws {
    let after = try await rows.load(LoadParams(.append, key: 50, loadSize: 10))
    #expect(after.items.map(\.id) == Array(50..<60))
    #expect([after.itemsBefore, after.itemsAfter] == [50, 40])
    let before = try await rows.load(LoadParams(.prepend, key: 50, loadSize: 10))
    #expect(before.items.map(\.id) == Array(40..<50))
    #expect([before.itemsBefore, before.itemsAfter] == [40, 50])
    let first = try await rows.load(LoadParams(.prepend, key: 5, loadSize: 10))
    #expect(first.items.map(\.id) == Array(0..<5))
    #expect(first.previousKey == nil)
  }

  @Test func SRC_07_anEmptyList() async throws {
    let page = try await ArrayPageSource<Row>([]).load(LoadParams(.refresh, key: 3, loadSize: 10))
    #expect(page == Page([], itemsBefore: 0, itemsAfter: 0, total: .exact(0)))
  }

  /// In place of SRC-01 and SRC-05: a refresh has its anchor in the middle, and a place past the end is the last page.
  @Test func aRefreshIsCentredOnItsAnchor() async throws {
    let pages = [try await rows.load(LoadParams(.refresh, key: 45, loadSize: 10))]
    let config = PagingConfig(pageSize: 10, initialLoadSize: 10)
    let key = rows.refreshKey(for: PagingState(pages: pages, anchorIndex: 4, config: config))
    let page = try await rows.load(LoadParams(.refresh, key: key, loadSize: 10))
    #expect(page.items.map(\.id) == Array(44..<54))
    #expect([page.itemsBefore, page.itemsAfter] == [44, 46])
    let last = try await rows.load(LoadParams(.refresh, key: 1000, loadSize: 10))
    #expect(last.items.map(\.id) == Array(90..<100))
    #expect([last.itemsBefore, last.itemsAfter] == [90, 0])
  }

  @Test func SRC_09_aChangeBeforeAnybodyListensIsHeardOnce() async throws {
    let (changes, say) = AsyncStream<SourceChange<Row>>.makeStream()
    let log = EventLog()
    let source = ListServer(count: 30).source()
    let pager = Pager(
      config: PagingConfig(pageSize: 10), observer: log.observer,
      source: TraitedSource(source) { $0.changes = { changes } })
    say.yield(.everything)
    let stream = Task { for await _ in pager.snapshots() {} }
    #expect(try await log.reasons(1) == ["invalidation"])
    await pager.settled()
    #expect(source.calls.count == 2)
    try await log.caughtUp(with: pager)
    #expect(log.named("generation").count == 1)
    stream.cancel()
  }

  @Test func SRC_10_aSourceThatSaysSoAgainAndAgainIsNotAskedWithoutEnd() async throws {
    // Every load says three times that the data has changed: what is said while a generation loads is one more of them.
    let (changes, say) = AsyncStream<SourceChange<Row>>.makeStream()
    let loads = Box(0)
    let server = ListServer(count: 30)
    let pager = Pager(
      config: PagingConfig(pageSize: 10),
      source: TraitedSource(
        RowSource(clock: ManualClock()) { params in
          if loads.change({
            $0 += 1
            return $0
          }) <= 5 {
            for _ in 0..<3 { say.yield(.everything) }
          }
          return .page(server.page(at: params.key, size: params.loadSize))
        }
      ) { $0.changes = { changes } })
    let stream = Task { for await _ in pager.snapshots() {} }
    try await pager.first { _ in loads.value >= 2 }
    say.finish()
    await pager.settled()
    #expect(loads.value <= 16, "never more than one generation for each time that it was said")
    #expect(pager.snapshot.ids == Array(0..<30))
    stream.cancel()
  }

  @Test func SRC_11_pagesAreReadInOrder() async throws {
    let first = try await rows.load(LoadParams(.refresh, loadSize: 3))
    let second = try await rows.load(LoadParams(.append, key: first.nextKey, loadSize: 3))
    #expect([first, second].flatMap(\.items).map(\.id) == [0, 1, 2, 3, 4, 5])
    let pager = Pager(config: PagingConfig(pageSize: 3, initialLoadSize: 3), source: rows)
    try await pager.load(.append).finished()
    #expect(pager.snapshot.pages.flatMap { $0 }.map(\.id) == [0, 1, 2, 3, 4, 5])
    #expect(pager.snapshot.ids == [0, 1, 2, 3, 4, 5])
  }

  @Test func SNP_47_keysMayRepeatWhereTheSourceSaysSo() async throws {
    let calls = Box(0)
    let pages = RowSource(clock: ManualClock()) { params in
      let call = calls.change {
        $0 += 1
        return $0
      }
      if call == 1 { return .page(Page([Row(id: 0)], previousKey: 0, nextKey: 0)) }
      return .page(Page([], previousKey: call < 4 ? 0 : nil, nextKey: call < 4 ? 0 : nil))
    }
    for type in [LoadType.append, .prepend] {
      calls.change { $0 = 0 }
      let pager = Pager(source: TraitedSource(pages) { $0.allowsRepeatedKeys = true })
      try await pager.load(type).finished()
      #expect(calls.value == 4)
      #expect(pager.snapshot.source[type].isAtEnd)
    }
    // Without that it is a fault of the source, which fails the edge and nothing else.
    for type in [LoadType.append, .prepend] {
      calls.change { $0 = 0 }
      let pager = Pager(source: pages)
      await #expect(throws: PagingError.self) { try await pager.load(type).finished() }
      #expect(code(pager.snapshot.source[type]) == .keyCycle)
      #expect(pager.snapshot.ids == [0])
    }
  }
}
