import Paging
import PagingTesting
import Testing

/// A server of IDs and of items by ID, which counts what it is asked.
private final class IDServer: Sendable {
  let ids: Box<[Int]>
  let missing = Box<Set<Int>>([])
  let readings = Box(0)
  let asked = Box<[[Int]]>([])
  /// What the next call of `items` fails with; how it answers else.
  let failure = Box<(any Error)?>(nil)
  let answer = Box<@Sendable ([Row]) -> [Row]>({ $0 })
  let hold = Box<Hold?>(nil)

  init(_ ids: some Sequence<Int>) {
    self.ids = Box(Array(ids))
  }

  func source(idsPerCall: Int = 100) -> IDListPageSource<Row> {
    IDListPageSource(idsPerCall: idsPerCall) { [self] in
      readings.change { $0 += 1 }
      return ids.value
    } items: { [self] ids in
      asked.change { $0.append(ids) }
      if let failure = failure.value { throw failure }
      if let hold = hold.value { try await hold.pass() }
      let missing = missing.value
      return answer.value(rows(ids.filter { !missing.contains($0) }))
    }
  }

  func pager(pageSize: Int = 10, maxSize: Int? = nil) throws -> Pager<IDListKey<Int>, Row> {
    let config =
      try maxSize.map { try PagingConfig(pageSize: pageSize, initialLoadSize: pageSize, maxSize: $0) }
      ?? PagingConfig(pageSize: pageSize, initialLoadSize: pageSize)
    return Pager(config: config, clock: ManualClock(), source: source())
  }
}

private typealias Params = LoadParams<IDListKey<Int>>

@Suite(.timeLimit(.minutes(10))) struct IDListPageSourceTests {
  @Test func theIDsAreReadOnceAndTheItemsPageByPage() async throws {
    let server = IDServer(100..<125)
    #expect(try await server.source().walkedIDs() == Array(100..<125))
    #expect(server.readings.value == 1)
    #expect(server.asked.value == [Array(100..<110), Array(110..<120), Array(120..<125)])
  }

  @Test func pagesJoinInBothDirectionsWhateverTheirSizes() async throws {
    let source = IDServer(0..<20).source()
    let middle = try await source.load(Params(.refresh, key: 8, loadSize: 4))
    #expect(middle.ids == [8, 9, 10, 11])
    #expect([middle.itemsBefore, middle.itemsAfter] == [8, 8] && middle.total == .exact(20))
    let before = try await source.load(Params(.prepend, key: middle.previousKey, loadSize: 3))
    #expect(before.ids == [5, 6, 7] && before.itemsBefore == 5)
    let first = try await source.load(Params(.prepend, key: before.previousKey, loadSize: 9))
    #expect(first.ids == [0, 1, 2, 3, 4] && first.previousKey == nil && first.itemsBefore == 0)
    let after = try await source.load(Params(.append, key: middle.nextKey, loadSize: 20))
    #expect(after.ids == Array(12..<20) && after.nextKey == nil && after.itemsAfter == 0)
    #expect(source.keyKind == .offset)
  }

  @Test func P16_countsAddUpAndNoKeyTraps() async throws {
    for count in 0...4 {
      let source = IDServer(0..<count).source(idsPerCall: 3)
      for type in LoadType.allCases {
        for position in [.min, -1, 0, 1, 2, 3, 4, 5, .max] {
          for key in [nil, IDListKey(position), IDListKey(position, around: 1), IDListKey(position, around: 99)] {
            for size in [.min, 0, 1, 2, 5, .max] {
              let page = try await source.load(Params(type, key: key, loadSize: size))
              let before = try #require(page.itemsBefore)
              #expect(before >= 0 && before + page.items.count + (page.itemsAfter ?? -1) == count)
              #expect(page.ids == Array(before..<before + page.items.count) && page.items.count <= 3)
              #expect((page.previousKey == nil) == (before == 0) && (page.nextKey == nil) == (page.itemsAfter == 0))
            }
          }
        }
      }
    }
  }

  @Test func noCallAsksForMoreThanTheServerGives() async throws {
    let server = IDServer(0..<25)
    var ids: [Int] = []
    for try await page in server.source(idsPerCall: 4).pages(pageSize: 10) { ids += page.ids }
    #expect(ids == Array(0..<25))
    #expect(server.asked.value.allSatisfy { $0.count <= 4 } && server.asked.value.count == 7)
  }

  @Test func itemsComeInTheOrderOfTheIDsWhateverTheServerSends() async throws {
    let server = IDServer([5, 3, 9, 3, 1, 5])
    server.answer.change {
      $0 = { rows in [Row(id: 77)] + rows.reversed() + rows.map { Row(id: $0.id, title: "again") } }
    }
    let page = try await server.source().load(Params(.refresh, loadSize: 10))
    #expect(page.items == rows([5, 3, 9, 1]), "once each, the first copy, and nothing else")
    #expect(page.total == .exact(4))
    #expect(server.asked.value == [[5, 3, 9, 1]])
  }

  @Test func P16_missingItemsAreLeftOutAndThePlaceholdersStayInStep() async throws {
    let server = IDServer(0..<40)
    server.missing.change { $0 = [2, 3, 15, 39] }
    let pager = try server.pager()
    await pager.settled()
    #expect(pager.snapshot.ids == [0, 1, 4, 5, 6, 7, 8, 9])
    #expect(pager.snapshot.placeholdersAfter == 30)
    try await pager.see(0..<7)
    #expect(pager.snapshot.items.count == 17 && pager.snapshot.placeholdersAfter == 20)
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == (0..<40).filter { ![2, 3, 15, 39].contains($0) })
    #expect(pager.snapshot.count == 36 && pager.snapshot.states.append.isAtEnd)
    // From the end back to the start: the counts before are those of the IDs too.
    let fromEnd = Pager(
      config: PagingConfig(pageSize: 10, initialLoadSize: 10), initialKey: 30, clock: ManualClock(),
      source: server.source())
    await fromEnd.settled()
    #expect(fromEnd.snapshot.placeholdersBefore == 30 && fromEnd.snapshot.items.count == 9)
    try await fromEnd.scrollToStart()
    #expect(fromEnd.snapshot.ids == pager.snapshot.ids && fromEnd.snapshot.placeholdersBefore == 0)
  }

  @Test func P4_aPageOfNothingButMissingItemsIsFollowed() async throws {
    let server = IDServer(0..<40)
    server.missing.change { $0 = Set(10..<30) }
    let pager = try server.pager()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<10) + Array(30..<40))
    #expect(pager.snapshot.count == 20 && pager.snapshot.states.append.isAtEnd)
  }

  @Test func P9_aGenerationKeepsItsListAndARefreshReadsTheNewOne() async throws {
    let server = IDServer(0..<40)
    let pager = try server.pager()
    await pager.settled()
    server.ids.change { $0.removeFirst(5) }
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<40), "no row is skipped though the server's list moved up")
    #expect(server.readings.value == 1)
    server.ids.change { $0.insert(contentsOf: 100..<150, at: 0) }
    try await pager.see(20..<25)
    try await pager.refresh().finished()
    await pager.settled()
    #expect(server.readings.value == 2)
    let anchor = try #require(pager.snapshot.anchor)
    #expect(anchor.kind == .kept)
    #expect(anchor.index.map { pager.snapshot[$0].item?.id } == 20)
    #expect(pager.snapshot.placeholdersBefore > 40, "fifty rows came in above, and none of them was walked")
    #expect(server.asked.value.count == 7, "four pages, the anchor's, and one beyond it each way")
  }

  @Test func P9_aRefreshThatFailsHalfWayLeavesTheShownRowsOnTheirOwnList() async throws {
    let server = IDServer(0..<60)
    let pager = try server.pager()
    await pager.settled()
    for row in [0, 10, 15, 15] { try await pager.see(row..<row + 20) }
    let shown = pager.snapshot.items.count
    #expect(pager.snapshot.ids == Array(0..<shown) && shown < 60)
    // Rows go above, so that the same positions mean other rows; the first page of the new list comes, the second doesn't.
    server.ids.change { $0.removeFirst(7) }
    let calls = server.asked.value.count
    server.answer.change { [failure = server.failure] answer in
      answer = { rows in
        failure.change { $0 = Refused() }
        return rows
      }
    }
    await #expect(throws: Refused.self) { try await pager.refresh().finished() }
    #expect(server.asked.value.count == calls + 2 && server.readings.value == 2)
    server.answer.change { $0 = { $0 } }
    server.failure.change { $0 = nil }
    #expect(pager.snapshot.ids == Array(0..<shown))
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<60), "no hole and no repeat")
  }

  @Test func P14_pagesThatWereDroppedComeAgainFromTheSameList() async throws {
    let server = IDServer(0..<100)
    let pager = try server.pager(maxSize: 40)
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids.last == 99 && pager.snapshot.items.count <= 40)
    server.ids.change { $0.shuffle() }
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids.starts(with: 0..<20) && server.readings.value == 1)
  }

  @Test func P13_jumpsReachItemsAndPlaces() async throws {
    let server = IDServer((0..<200).map { $0 * 3 })
    let pager = try server.pager()
    await pager.settled()
    try await pager.see(0..<5)
    try await pager.jump(toItem: 300).finished()
    #expect(pager.snapshot.index(ofItem: 300) == 100)
    try await pager.jump(toIndex: 180).finished()
    #expect(pager.snapshot[180].item?.id == 540)
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toItem: 301).finished() }
    #expect(error?.code == .itemNotFound)
    #expect(pager.snapshot[180].item?.id == 540, "the list stays")
    #expect(server.source().key(forIndex: -1) == nil)
  }

  @Test func P9_refreshKeysKeepTheAnchorInTheMiddle() async throws {
    let server = IDServer(0..<100)
    let source = server.source()
    let config = PagingConfig(pageSize: 10, initialLoadSize: 10)
    let page = try await source.load(Params(.refresh, key: 40, loadSize: 10))
    func key(_ anchor: Int?) -> IDListKey<Int>? {
      source.refreshKey(for: PagingState(pages: [page], anchorIndex: anchor, config: config))
    }
    #expect(key(3) == IDListKey(43, around: 43))
    #expect(key(-20) == IDListKey(15) && key(nil) == nil && key(.min) == IDListKey(0))
    server.ids.change { $0.insert(contentsOf: 200..<225, at: 0) }
    let moved = try await source.load(Params(.refresh, key: key(3), loadSize: 10))
    #expect(moved.ids == Array(38..<48) && moved.itemsBefore == 63)
    server.ids.change { $0.removeAll { $0 == 43 } }
    let gone = try await source.load(Params(.refresh, key: key(3), loadSize: 10))
    #expect(gone.itemsBefore == 38, "around the place that it had")
  }

  @Test func P8_whatTheClosuresThrowFailsTheLoadAndNothingElse() async throws {
    let server = IDServer(0..<40)
    let pager = try server.pager()
    await pager.settled()
    server.failure.change { $0 = Refused() }
    try await pager.see(5..<10)
    #expect(pager.snapshot.states.append.failure?.error is Refused)
    server.failure.change { $0 = nil }
    server.ids.change { $0 = [] }
    try await pager.retry().finished()
    #expect(pager.snapshot.ids == Array(0..<20), "the failed page by the same list")
    let failing = IDListPageSource<Row> {
      throw Refused()
    } items: {
      rows($0)
    }
    await #expect(throws: Refused.self) { try await failing.load(Params(.refresh, loadSize: 1)) }
  }

  @Test func P21_aCancelledLoadAsksForNoItems() async throws {
    let (hold, asked) = (Hold(), Box(0))
    let source = IDListPageSource<Row> {
      // Bad manners: cancelled or not, it goes on.
      try? await hold.pass()
      return [1, 2, 3]
    } items: { ids in
      asked.change { $0 += 1 }
      return rows(ids)
    }
    let load = Task { try await source.load(Params(.refresh, loadSize: 2)) }
    await hold.reached()
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect(asked.value == 0)
  }

  @Test func P1_twoLoadsSideBySideGoByOneList() async throws {
    let server = IDServer(0..<60)
    let source = server.source()
    let middle = try await source.load(Params(.refresh, key: 20, loadSize: 10))
    let hold = Hold()
    server.hold.change { $0 = hold }
    server.ids.change { $0.reverse() }
    async let before = source.load(Params(.prepend, key: middle.previousKey, loadSize: 10))
    async let after = source.load(Params(.append, key: middle.nextKey, loadSize: 10))
    await hold.reached()
    hold.open()
    #expect(try await before.ids == Array(10..<20))
    #expect(try await after.ids == Array(30..<40))
    #expect(server.readings.value == 1)
  }

  @Test func anEmptyListIsKnownToBeEmpty() async throws {
    let server = IDServer([])
    let pager = try server.pager()
    await pager.settled()
    #expect(pager.snapshot.phase == .empty && server.asked.value.isEmpty)
  }
}
