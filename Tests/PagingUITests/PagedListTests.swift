import Observation
import Paging
import PagingTesting
import Synchronization
import Testing

@testable import PagingUI

@MainActor @Suite(.timeLimit(.minutes(10))) struct PagedListTests {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 5, initialLoadSize: 10)

  // MARK: - U1

  @Test func U1_theFirstFrameShowsWhatIsLoaded() async {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    await pager.settled()
    let list = PagedList(pager)
    #expect(list.ids == Array(0..<10))
    #expect(list.phase == .content)
    #expect(list.changes.isEmpty)
  }

  @Test func U1_theFirstFrameOfWhatIsMadeOfAPagerIsAsFull() async {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    await pager.settled()
    #expect(PagedList(pager.filter { $0.id.isMultiple(of: 2) }).ids == [0, 2, 4, 6, 8])
  }

  @Test func U1_aListIsAnObserverFromItsFirstLineOn() async {
    let gate = Gate()
    let page = Page<Int, SampleItem>((0..<10).map { SampleItem(id: $0) })
    let source = ListSource(clock: ManualClock()) { _ in .held(by: gate, .page(page)) }
    let list = PagedList(Pager(config: config, source: source))
    #expect(list.phase == .loading)
    gate.open()
    await list.settled()
    #expect(list.ids == Array(0..<10))
  }

  @Test func U1_aListObservesAsLongAsItLivesAndNoLonger() async {
    let clock = ManualClock()
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let pager = Pager(config: config, clock: clock, source: ListRows(0..<30).source())
    var list: PagedList? = PagedList(pager)
    await list?.settled()
    #expect(clock.sleepers.isEmpty)
    list = nil
    // The grace begins when the last observer has left.
    await clock.sleepers(atLeast: 1)
  }

  @Test func U1_aListThatIsLetGoLetsGoOfItsPager() async throws {
    let gone = Gate()
    var list: PagedList? = PagedList(Pager(config: config, source: MortalSource(gone)))
    await list?.show(0..<3)
    list?.rowAppeared(1)
    list = nil
    try await gone.pass()
  }

  // MARK: - U2

  @Test func U2_tenSnapshotsInOneTurnAreOneUpdate() async throws {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    let list = PagedList(pager)
    await list.settled()
    var updates: [ListChanges] = []
    let came = Gate()
    let observation = list.observe { list in
      updates.append(list.changes)
      came.open()
    }
    let before = pager.snapshot.version
    for id in 0..<10 { pager.edit(id) { $0.title = "changed" } }
    #expect(pager.snapshot.version >= before + 10)
    try await came.pass()
    await list.settled()
    #expect(updates == [ListChanges(updates: Array(0..<10))])
    observation.cancel()
  }

  @Test func U2_oneUpdateIsOneChangeToWhoObservesRows() async {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    let list = PagedList(pager)
    await list.settled()
    let changes = Mutex(0)
    withObservationTracking {
      _ = (list.rows.count, list.phase, list.changes)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    await list.show(0..<8)
    #expect(list.ids == Array(0..<20))
    #expect(changes.withLock { $0 } == 1)
  }

  @Test func U2_reportsOfOneTurnAreOneReport() async {
    let content = CountingContent(Pager(config: config, source: ListRows(0..<10).source()))
    let list = PagedList(content)
    await list.settled()
    for row in 0..<6 { list.rowAppeared(row) }
    list.rowDisappeared(0)
    list.rowAppeared(99)
    #expect(content.reports.isEmpty)
    await oneTurn()
    #expect(content.reports == [1..<6])
    list.rowAppeared(6)
    list.visibleRows(2..<200)
    await oneTurn()
    #expect(content.reports.dropFirst() == [2..<10])
  }

  @Test func U2_rowsAreReportedByIdentityWhereverTheyStandByNow() async {
    let content = CountingContent(Pager(config: config, source: ListRows(0..<30).source(from: 15)))
    let list = PagedList(content)
    await list.settled()
    let ids = list.rows.map(\.id)
    for id in ids[0..<4] { list.rowAppeared(id) }
    await list.settled()
    // Ten rows have come above.
    #expect(list.ids.first == 5)
    list.rowDisappeared(ids[0])
    list.rowAppeared(ids[4])
    await oneTurn()
    #expect(content.reports.last == 11..<15)
  }

  @Test func U2_aPlaceholderThatLeavesForItsItemTakesNothingFromTheScreen() async {
    let source = ArrayPageSource((0..<100).map { SampleItem(id: $0) })
    let content = CountingContent(Pager(config: config, source: source))
    let list = PagedList(content)
    await list.settled()
    let placeholders = (10..<14).map { list.rows[$0].id }
    for row in 8..<10 { list.rowAppeared(row) }
    for id in placeholders { list.rowAppeared(id) }
    await list.settled()
    #expect(content.reports == [8..<14])
    #expect(list.rows[12].item?.id == 12)
    list.rowAppeared(list.rows[12].id)
    for id in placeholders { list.rowDisappeared(id) }
    await oneTurn()
    #expect(content.reports.last == 8..<14)
  }

  // MARK: - U5

  @Test func U5_anObserverHearsEachUpdateUntilItsTokenGoes() async {
    let pager = Pager(config: config, source: ListRows(0..<60).source())
    let list = PagedList(pager)
    await list.settled()
    var heard: [String: [Int]] = [:]
    let kept = list.observe { heard["kept", default: []].append($0.rows.count) }
    var dropped: PagedListObservation? = list.observe { heard["dropped", default: []].append($0.rows.count) }
    await list.load(.append).shown(in: list)
    #expect(dropped != nil)
    dropped = nil
    await list.load(.append).shown(in: list)
    kept.cancel()
    await list.load(.append).shown(in: list)
    #expect(list.rows.count == 40)
    #expect(heard["kept"]?.last == 30)
    #expect(heard["dropped"]?.last == 20)
  }

  @Test func U5_anObserverMayObserveAndEndOthersAndGiveCommands() async {
    let list = PagedList(Pager(config: config, source: ListRows(0..<60).source()))
    await list.settled()
    var inner: PagedListObservation?
    var second: PagedListObservation?
    var calls = 0
    let first = list.observe { list in
      if inner == nil { inner = list.observe { _ in calls += 1 } }
      second?.cancel()
      list.retry()
    }
    second = list.observe { _ in calls += 1_000 }
    await list.show(0..<8)
    await list.show(0..<18)
    #expect(calls > 0 && calls < 1_000)
    first.cancel()
  }

  // MARK: - Commands

  @Test func U3_aPullDownReturnsWhenTheNewRowsAreShown() async {
    let rows = ListRows(0..<30)
    let list = PagedList(Pager(config: config, source: rows.source()))
    await list.settled()
    rows.change { $0.removeFirst(4) }
    await list.refresh(from: .start)
    #expect(list.ids == Array(4..<14))
  }

  @Test func U3_aPullDownWaitsForRowsThatAreStillBeingMade() async {
    let rows = ListRows(0..<300)
    let list = PagedList(Pager(config: config, source: rows.source()).map { SampleItem(id: $0.id + 1_000) })
    await list.settled()
    for first in 1...50 {
      rows.change { $0.removeFirst() }
      await list.refresh(from: .start)
      #expect(list.ids.first == 1_000 + first)
    }
  }

  @Test func U3_aPullDownThatFailsLeavesTheRowsAndSaysSo() async {
    let fails = Mutex(false)
    let source = ListSource(clock: ManualClock()) { _ in
      fails.withLock { $0 } ? .failure(Refused()) : .page(Page([SampleItem(id: 1)]))
    }
    let list = PagedList(Pager(config: config, source: source))
    await list.settled()
    fails.withLock { $0 = true }
    await list.refresh()
    #expect(list.ids == [1])
    #expect(list.loadStates.refresh.failure?.error is Refused)
    fails.withLock { $0 = false }
    list.retry()
    await list.settled()
    #expect(list.loadStates.refresh.failure == nil)
  }

  @Test func U3_rowsThatCameInAboveAreCountedUntilTheyAreSeen() async {
    let rows = ListRows(0..<60)
    let list = PagedList(Pager(config: config, source: rows.source()))
    await list.settled()
    await list.show(4..<9)
    #expect(list.unseenRowsAtStart == 0)
    rows.change { $0.insert(contentsOf: [-3, -2, -1], at: 0) }
    await list.refresh()
    await list.load(.prepend).shown(in: list)
    #expect(list.ids.first == -3)
    #expect(list.firstVisibleID == 4)
    #expect(list.unseenRowsAtStart == 3)
    await list.show(1..<6)
    #expect(list.unseenRowsAtStart == 1)
    await list.show(0..<5)
    #expect(list.unseenRowsAtStart == 0)
  }

  @Test func U3_rowsOnTheWayToTheStartAreNotCounted() async {
    let list = PagedList(Pager(config: config, source: ListRows(0..<60).source(from: 30)))
    await list.settled()
    await list.show(2..<8)
    #expect(list.ids.first == 20)
    await list.show(1..<8)
    await list.show(1..<8)
    #expect(list.ids.first == 0)
    #expect(list.unseenRowsAtStart == 0)
  }

  @Test func U3_aPageSizeIsSuggestedByWhatWasOnScreen() async {
    let list = PagedList(Pager(config: config, source: ListRows(0..<60).source()))
    await list.settled()
    #expect(list.suggestedPageSize == nil)
    await list.show(0..<9)
    await list.show(3..<8)
    #expect(list.suggestedPageSize == 20)
  }

  // MARK: - Places

  @Test func B64_rowsInsertedAboveMoveTheFirstVisibleRowsIndexAndNothingElse() async {
    let list = PagedList(Pager(config: config, source: ListRows(0..<60).source(from: 30)))
    await list.settled()
    var changes: [ListChanges] = []
    let observation = list.observe { changes.append($0.changes) }
    #expect(list.firstVisibleRow == nil)
    await list.show(2..<8)
    #expect(list.ids == Array(20..<50))
    #expect(list.firstVisibleID == 32)
    #expect(list.firstVisibleRow == 12)
    #expect(changes.allSatisfy { $0.removals.isEmpty && $0.moves.isEmpty && $0.updates.isEmpty })
    observation.cancel()
  }

  @Test func B50_aLateRowAboveTheViewportLeavesTheFirstVisibleRow() async {
    let rows = ListRows((0..<60).map { $0 * 10 })
    let list = PagedList(Pager(config: config, source: rows.source()))
    await list.settled()
    await list.show(4..<9)
    rows.change { $0.insert(15, at: 2) }
    await list.refresh()
    #expect(list.firstVisibleID == 40)
    rows.change { $0.removeAll { $0 == 40 } }
    await list.refresh()
    #expect(list.firstVisibleID == 50)
  }

  @Test func B63_aRowAboveThatChangesIsAnUpdateAndMovesNothing() async {
    let pager = Pager(config: config, source: ListRows(0..<60).source())
    let list = PagedList(pager)
    await list.settled()
    await list.show(4..<9)
    pager.edit(1) { $0.title = "taller" }
    await list.settled()
    #expect(list.changes == ListChanges(updates: [1]))
    #expect(list.firstVisibleRow == 4)
  }

  @Test func U2_aJumpShowsWhereItLedAsTheFirstVisibleRow() async throws {
    let items = (0..<200).map { SampleItem(id: $0) }
    let list = PagedList(Pager(config: config, source: ArrayPageSource(items)))
    await list.settled()
    await list.show(0..<5)
    try await list.jump(toItem: 120).finished()
    await list.catchUp()
    #expect(list.firstVisibleID == 120)
  }

  @Test func U4_aRowThatMayNotKeepItsPlaceLeavesThatToTheNext() async {
    let rows = ListRows((0..<60).map { $0 * 10 })
    let list = PagedList(Pager(config: config, source: rows.source()), keepsPlace: { $0.id != 40 })
    await list.settled()
    await list.show(4..<9)
    #expect(list.firstVisibleID == 50)
    rows.change { $0.insert(contentsOf: [41, 42, 43], at: 5) }
    await list.refresh()
    #expect(list.firstVisibleID == 50)
    rows.change { $0.removeAll { $0 == 50 } }
    await list.refresh()
    #expect(list.firstVisibleID == 41, "the first one that is on screen by now, and may")
    await list.show(4..<5)
    #expect(list.firstVisibleID == 40, "there is no other")
  }

  // MARK: - U8

  @Test func U8_aConversationFollowsItsEnd() async {
    let pager = Pager(config: config, source: ListRows(0..<8).source())
    let list = PagedList(pager, followsEnd: true) { $0.id >= 1_000 }
    await list.settled()
    #expect(list.scrollWish == nil)
    await list.show(4..<8)
    pager.insert(SampleItem(id: 100), at: .end)
    await list.settled()
    #expect(list.scrollWish == ScrollWish(number: 1, index: 8))
    await list.show(0..<4)
    pager.insert(SampleItem(id: 101), at: .end)
    await list.settled()
    #expect(list.scrollWish?.number == 1)
    #expect(list.unseenRowsAtEnd == 1)
    #expect(list.firstVisibleID == 0)
    pager.insert(SampleItem(id: 1_000), at: .end)
    await list.settled()
    #expect(list.scrollWish == ScrollWish(number: 2, index: 10))
    #expect(list.unseenRowsAtEnd == 0)
  }

  @Test func U8_aListThatDoesNotFollowWishesNothing() async {
    let pager = Pager(config: config, source: ListRows(0..<8).source())
    let list = PagedList(pager)
    await list.settled()
    await list.show(4..<8)
    pager.insert(SampleItem(id: 100), at: .end)
    await list.settled()
    #expect(list.ids.last == 100)
    #expect(list.scrollWish == nil)
    #expect(list.unseenRowsAtEnd == 0)
  }

  /// Lets the jobs run that were waiting for the main actor.
  private func oneTurn() async {
    await withCheckedContinuation { continuation in
      Task { continuation.resume() }
    }
  }
}

private struct Refused: Error {}

/// Opens a gate when it is let go.
private final class MortalSource: PageSource {
  private let gone: Gate

  init(_ gone: Gate) { self.gone = gone }

  deinit { gone.open() }

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, SampleItem> {
    Page([SampleItem(id: params.key ?? 0)], nextKey: (params.key ?? 0) + 1)
  }
}

extension PagingCommand {
  /// Returns when what it asked for is in the rows of a list.
  @MainActor fileprivate func shown(in list: PagedList<SampleItem>) async {
    try? await finished()
    await list.catchUp()
  }
}
