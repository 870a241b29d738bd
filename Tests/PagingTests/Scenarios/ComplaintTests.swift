import Loading
import PagingTesting
import Testing

@testable import Paging

/// What users of Paging 3 complain of, by the numbers of the catalogue's part 4: each shown not to be so here.
///
/// These are about the list and what is on screen; the others are in `RobustnessComplaintTests`.
@Suite(.timeLimit(.minutes(10))) struct ComplaintTests {
  @Test func CMP_02_theListDoesNotJumpOnAnInvalidation() async throws {
    let server = ListServer((100..<1100).map { Row(id: $0) })
    var config = PagingConfig(pageSize: 50)
    config.placeholders = false
    let pager = Pager(config: config, source: server.source(pageSize: 50))
    let stream = Task { for await _ in pager.snapshots() {} }
    await pager.settled()
    try await pager.see(132..<140)
    let top = try #require(pager.snapshot[132].item)
    // A mark is written, and seven rows come in above.
    server.edit { rows in
      rows[132].title = "read"
      rows.insert(contentsOf: (0..<7).map { Row(id: $0) }, at: 0)
    }
    let version = pager.snapshot.version
    pager.invalidate()
    let snapshot = try await pager.first { $0.version > version && $0.anchor != nil && !$0.states.refresh.isLoading }
    let anchor = try #require(snapshot.anchor)
    #expect(anchor.kind == .kept)
    let index = try #require(anchor.index)
    #expect(snapshot[index].item == Row(id: top.id, title: "read"))
    for row in 0..<8 { #expect(snapshot[index + row].item?.id == top.id + row, "all that was on screen is there") }
    stream.cancel()
  }

  @Test func CMP_03_aRefreshNeedsNoKeyArithmetic() async throws {
    // Pages of 30, then of 10, by cursor; the source says nothing of where a refresh starts.
    let rows = (0..<200).map { Row(id: $0) }
    let source = RowSource(clock: ManualClock()) { params in
      let start = params.key ?? 0
      let page = rows[start..<min(200, start + params.loadSize)]
      return .page(Page(Array(page), nextKey: page.endIndex < 200 ? page.endIndex : nil))
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), source: source)
    await pager.settled()
    for row in stride(from: 25, through: 95, by: 10) { try await pager.see(row..<row + 5) }
    #expect(pager.snapshot.ids.count >= 100)
    let calls = source.calls.count
    try await pager.refresh().finished()
    #expect(source.calls[calls].key == 90, "the key of the page that is on screen")
    let anchor = try #require(pager.snapshot.anchor)
    #expect(anchor.kind == .kept)
    #expect(pager.snapshot[try #require(anchor.index)].item?.id == 95)
  }

  @Test func CMP_04_pageNumbersAndALongFirstLoadGiveEachRowOnce() async throws {
    // A server of numbered pages computes its offset from whatever size it is asked for.
    let sizes = Box<[Int]>([])
    let source = TraitedSource<Int>(
      RowSource(clock: ManualClock()) { params in
        sizes.change { $0.append(params.loadSize) }
        let start = (params.key ?? 0) * params.loadSize
        let rows = (start..<min(200, start + params.loadSize)).map { Row(id: $0) }
        return .page(Page(rows, nextKey: start + params.loadSize < 200 ? (params.key ?? 0) + 1 : nil))
      }
    ) { $0.keyKind = .pageNumber }
    let pager = Pager(config: PagingConfig(pageSize: 50), source: source)
    await pager.settled()
    for _ in 0..<3 { try await pager.load(.append).finished() }
    #expect(pager.snapshot.source.append.isAtEnd)
    #expect(pager.snapshot.ids == Array(0..<200))
    #expect(sizes.value == [50, 50, 50, 50])
    #expect(pager.statistics.droppedDuplicates == 0)
  }

  @Test(arguments: [DuplicatePolicy.dropLater, .replaceEarlier])
  func CMP_05_idsThatComeTwiceAreOneRow(policy: DuplicatePolicy) async throws {
    let server = ListServer((100..<200).map { Row(id: $0) })
    var config = PagingConfig(pageSize: 10, initialLoadSize: 10)
    config.duplicates = policy
    let pager = Pager(config: config, source: server.source())
    await pager.settled()
    // Three rows come in above, so the next page by offset begins with three that were there.
    server.edit { $0.insert(contentsOf: (0..<3).map { Row(id: $0) }, at: 0) }
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(100..<117))
    #expect(Set(pager.snapshot.map(\.id)).count == pager.snapshot.count)
    #expect(pager.statistics.droppedDuplicates == 3)
  }

  @Test func CMP_09_theRowsStayOnScreenWhileARefreshRuns() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 3, prefetchDistance: 1), key: 50)
    scenario.look(at: 52..<56)
    let rows = scenario.rows
    scenario.refresh()
    #expect(scenario.snapshot.states.refresh == .loading, "for a spinner in a corner")
    #expect(scenario.snapshot.phase == .content)
    #expect(scenario.rows == rows)
    scenario.fail()
    #expect(scenario.snapshot.phase == .content)
    scenario.retry()
    scenario.invalidate()
    #expect(scenario.snapshot.phase == .content)
    scenario.idle()
    #expect(scenario.snapshot.phase == .content)
    #expect((52..<56).allSatisfy { scenario.rows.contains($0) })
  }

  @Test func CMP_10_eachGenerationSaysWhatItIsFor() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 3, prefetchDistance: 1), key: 50)
    #expect(scenario.snapshot.anchor == nil)
    scenario.look(at: 53..<55)
    scenario.invalidate()
    scenario.idle()
    #expect(scenario.snapshot.anchor == AnchorOutcome(kind: .kept, index: 53), "nothing to scroll to")
    scenario.command { $0.refreshAsked(.start, $1, now: $2) }
    scenario.idle()
    #expect(scenario.snapshot.anchor == nil, "shown from its start")
    #expect(scenario.engine.state.position.rowsBefore == 0)
    scenario.jump(to: 80)
    scenario.idle()
    #expect(scenario.snapshot.anchor == AnchorOutcome(kind: .kept, index: 80), "the row to scroll to")
    scenario.refresh()
    scenario.idle()
    #expect(
      scenario.engine.events.filter { $0.name == "generation" }.map(\.reason)
        == ["invalidation", "refresh", "jump", "refresh"])
  }

  @Test func CMP_12_aListCanBeShownAroundAnIndexAnItemOrAKey() async throws {
    let pager = Pager(
      config: PagingConfig(pageSize: 10, initialLoadSize: 10), source: ArrayPageSource((0..<1000).map { Row(id: $0) }))
    try await pager.jump(toIndex: 500).finished()
    #expect(pager.snapshot[500].item?.id == 500)
    #expect(pager.snapshot.anchor?.index == 500)
    try await pager.jump(toItem: 900).finished()
    #expect(pager.snapshot[900].item?.id == 900)
    try await pager.jump(toKey: 100).finished()
    #expect(pager.snapshot[100].item?.id == 100)
    #expect(pager.snapshot.count == 1000)
  }

  @Test func CMP_13_aListCanBeReadAsOftenAsOneLikes() async throws {
    let pager = Pager(config: PagingConfig(pageSize: 5), source: ListServer(count: 50).source())
    let snapshots = pager.snapshots()
    for _ in 0..<3 {
      for await snapshot in snapshots where snapshot.ids.count == 15 { break }
      for await snapshot in pager.snapshots() where snapshot.ids.count == 15 { break }
    }
    #expect(pager.statistics.refresh.count == 1)
  }

  @Test func CMP_14_oneSourceServesAllGenerations() async throws {
    let source = ListServer(count: 50).source()
    let pager = Pager(config: PagingConfig(pageSize: 5), source: source)
    await pager.settled()
    for _ in 0..<3 { try await pager.refresh().finished() }
    pager.invalidate()
    await pager.settled()
    #expect(source.calls.count == 5)
    let again = Pager(config: PagingConfig(pageSize: 5)) { source }
    await again.settled()
    try await again.refresh().finished()
    #expect(again.snapshot.source.failures.isEmpty)
    #expect(again.snapshot.ids == Array(0..<15))
  }

  @Test func CMP_16_thePhaseSaysWhatToShow() {
    var scenario = Scenario(PagingConfig(pageSize: 3), server: StillServer(count: 0))
    #expect(scenario.snapshot.phase == .initial)
    scenario.observe()
    #expect(scenario.snapshot.phase == .loading)
    scenario.fail()
    #expect(scenario.engine.state.states.refresh.failure.map { .failed($0) } == scenario.snapshot.phase)
    scenario.retry()
    #expect(scenario.snapshot.phase == .loading)
    // An empty page with a key is not the end: nobody is told that there is nothing.
    scenario.load(Page([], nextKey: 3))
    #expect(scenario.snapshot.phase == .loading)
    scenario.load(Page([]))
    #expect(scenario.snapshot.phase == .empty)
    scenario.engine.server.count = 1
    scenario.refresh()
    #expect(scenario.snapshot.phase == .loading)
    scenario.load()
    #expect(scenario.snapshot.phase == .content)
  }

  @Test func CMP_29_commandsBeforeAnybodyLooksAreDone() async throws {
    let source = ListServer(count: 100).source()
    let pager = Pager(config: PagingConfig(pageSize: 5), source: source)
    let jump = pager.jump(toKey: 40)
    let load = pager.load(.append)
    try await jump.finished()
    try await load.finished()
    #expect(pager.snapshot.ids == Array(40..<60))
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.ids == Array(0..<15))
  }

  @Test func CMP_31_nothingIsFetchedAheadBeforeSomebodyLooksAndEachLoadSaysWhy() async throws {
    let log = EventLog()
    let pager = Pager(
      config: PagingConfig(pageSize: 5, initialLoadSize: 5), observer: log.observer,
      source: ListServer(count: 100).source())
    await pager.settled()
    #expect(pager.snapshot.ids.count == 5)
    try await pager.see(0..<3)
    #expect(pager.snapshot.ids.count == 10, "two rows were left below, five are to be")
    try await pager.load(.append).finished()
    try await log.caughtUp(with: pager)
    let begun = log.named("load").filter { $0.phase == .begin }
    #expect(begun.map(\.reason) == ["start", "viewport", "command"])
    #expect(begun.map(\.purpose) == [.visible, .prefetch, .visible])
  }

  @Test func CMP_33_aRefreshKeepsWhatIsOnScreen() {
    // 60 rows are loaded and 25 of them are on screen: no shorter list is ever shown there.
    var scenario = Scenario.loaded(PagingConfig(pageSize: 10, initialLoadSize: 10).withoutPlaceholders)
    for _ in 0..<5 {
      scenario.load(.append)
      scenario.load()
    }
    #expect(scenario.rows.count == 60)
    scenario.look(at: 22..<47)
    _ = scenario.news()
    scenario.refresh()
    for _ in 0..<10 where scenario.engine.state.candidate != nil {
      #expect(scenario.rows == Array(0..<60))
      scenario.load()
    }
    #expect((22..<47).allSatisfy { scenario.rows.contains($0) })
    #expect(scenario.snapshot.anchor?.kind == .kept)
    #expect(scenario.snapshot[scenario.snapshot.anchor?.index ?? -1].item?.id == 22)
  }
}
