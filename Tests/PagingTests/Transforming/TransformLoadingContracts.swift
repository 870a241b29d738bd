import Loading
import Paging
import PagingTesting
import Testing

/// P31 and P4: what a transformed content has loaded, by its viewport and by what it shows.
@Suite(.timeLimit(.minutes(10))) struct TransformLoadingContracts {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 10, initialLoadSize: 10)

  private func tens(_ before: Row?, _ after: Row?) -> Int? {
    guard let after, before.map({ $0.id / 10 }) != after.id / 10 else { return nil }
    return after.id / 10
  }

  /// The row that a refresh is to keep in place.
  private func anchor(of pager: Pager<Int, Row>) async throws -> Int? {
    try await pager.refresh().finished()
    await pager.settled()
    let snapshot = pager.snapshot
    return snapshot.anchor?.index.flatMap { snapshot[$0].item?.id }
  }

  // MARK: - Viewports

  @Test func P31_aViewportInTransformedRowsReachesTheSourcesRows() async throws {
    let pager = Pager(
      config: PagingConfig(pageSize: 10, prefetchDistance: 3, initialLoadSize: 30),
      source: ListServer(count: 100).source())
    let shown = pager.insertingSeparators { before, after in after.map { _ in before?.id ?? -1 } }
    await shown.settled()
    #expect(shown.snapshot.count == 60)
    // Row 26 is the last of 53 rows; three more are loaded beyond it.
    shown.viewportChanged(to: 40..<54, of: shown.snapshot)
    await shown.settled()
    #expect(pager.snapshot.count == 30)
    shown.viewportChanged(to: 40..<56, of: shown.snapshot)
    await shown.settled()
    #expect(pager.snapshot.count == 40)
    #expect(pager.snapshot.position.rowsBefore == 20)
  }

  @Test func P31_separatorsDoNotCountAsLoaded() async throws {
    let source = ListServer(count: 100).source()
    let plainSource = ListServer(count: 100).source()
    let pager = Pager(config: config, source: source)
    let plain = Pager(config: config, source: plainSource)
    let shown = pager.insertingSeparators { before, after in after.map { _ in before?.id ?? -1 } }
    await shown.settled()
    await plain.settled()
    // The same ten rows at the top of both screens.
    shown.viewportChanged(to: 0..<10, of: shown.snapshot)
    plain.look(at: 0..<5)
    await shown.settled()
    await plain.settled()
    #expect(source.calls.map(\.key) == plainSource.calls.map(\.key))
  }

  @Test func P31_aReportInAnOlderSnapshotIsUnderstood() async throws {
    let pager = Pager(config: config, initialKey: 50, source: ListServer(count: 100).source())
    let shown = pager.insertingSeparators(tens)
    await shown.settled()
    let old = shown.snapshot
    shown.viewportChanged(to: 0..<3, of: old)
    await shown.settled()
    #expect(pager.snapshot.ids.first == 40)
    // Rows 55 to 57, as they were before rows came in above.
    shown.viewportChanged(to: 5..<8, of: old)
    await shown.settled()
    try await shown.refresh().finished()
    await shown.settled()
    let anchor = try #require(shown.snapshot.anchor?.index)
    #expect(shown.snapshot[anchor].item?.item?.id == 55)
    #expect(shown.snapshot.position.rowsBefore == anchor)
  }

  @Test func P31_anotherContentsSnapshotIsIgnored() async throws {
    let pager = Pager(config: config, source: ListServer(count: 100).source())
    let one = pager.map { $0 }
    let other = pager.map { $0 }
    await one.settled()
    one.viewportChanged(to: 9..<10, of: other.snapshot)
    await one.settled()
    #expect(pager.snapshot.count == 10)
    one.viewportChanged(to: -5..<1_000, of: one.snapshot)
    await one.settled()
    #expect(pager.snapshot.count == 20)
  }

  @Test func P31_aContentThatIsReleasedTakesItsReportBack() async throws {
    let pager = Pager(config: config, source: ListServer(count: 100).source())
    var far: TransformedContent<Row>? = pager.map { $0 }
    await pager.settled()
    for end in [10, 20, 30] {
      if let far { far.viewportChanged(to: end - 2..<end, of: far.snapshot) }
      await pager.settled()
    }
    // Both screens count until one is gone.
    try await pager.see(33..<35)
    #expect(try await anchor(of: pager) == 28)
    far = nil
    // The last row of all: were the other report still there, its rows would come first.
    let last = pager.snapshot.count - 1
    let row = try #require(pager.snapshot[last].item?.id)
    pager.look(at: last..<last + 1)
    #expect(try await anchor(of: pager) == row)
    #expect(far == nil)
  }

  @Test func P31_aClassOfOnesOwnPassesViewportsOn() async throws {
    let pager = Pager(config: config, source: ListServer(count: 100).source())
    let shown = Wrapper(pager).filter { _ in true }.insertingSeparators(tens)
    await shown.settled()
    shown.viewportChanged(to: 8..<11, of: shown.snapshot)
    await shown.settled()
    #expect(shown.snapshot.items.count == 22)
  }

  // MARK: - Rows that were left out

  @Test func P31_rowsThatWereLeftOutDoNotCountAsLoaded() async throws {
    let source = ListServer(count: 1_000).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id.isMultiple(of: 5) }
    await shown.settled()
    #expect(source.calls.count == 1, "nobody has looked")
    shown.viewportChanged(to: 0..<2, of: shown.snapshot)
    await shown.settled()
    // Two on screen and ten beyond it, two a page.
    #expect(shown.snapshot.ids == (0..<12).map { $0 * 5 })
    #expect(source.calls.count == 6)
  }

  @Test func P31_aHalfEmptyScreenLoadsOnByItself() async throws {
    let pager = Pager(config: config, source: ListServer(count: 200).source())
    let shown = pager.filter { $0.id >= 35 }
    // A stream reads, and reports nothing: the content shows nothing yet.
    var rows = 0
    for await snapshot in shown.snapshots() where !snapshot.isEmpty {
      rows = snapshot.count
      break
    }
    #expect(rows == 5)
    #expect(pager.snapshot.count == 40)
  }

  @Test func P31_readingASnapshotLoadsNothing() async throws {
    let source = ListServer(count: 200).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id >= 35 }
    await pager.settled()
    #expect(shown.snapshot.isEmpty)
    #expect(shown.snapshot.phase == .initial)
    await pager.settled()
    #expect(source.calls.count == 1)
  }

  @Test(arguments: [1, 3, 8]) func P31_pagesThatShowNothingAreReadForTheirBudget(budget: Int) async throws {
    var config = config
    config.emptyPageBudget = budget
    let source = ListServer(count: 2_000).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id < 5 || $0.id >= 900 }
    await shown.settled()
    shown.viewportChanged(to: 0..<5, of: shown.snapshot)
    await shown.settled()
    #expect(code(shown.snapshot.states.append) == .emptyPages)
    #expect(source.calls.count == 1 + budget)
    await shown.settled()
    shown.viewportChanged(to: 0..<5, of: shown.snapshot)
    await shown.settled()
    #expect(source.calls.count == 1 + budget, "a stopped edge waits for a retry")
    try await shown.retry().finished()
    await shown.settled()
    #expect(source.calls.count == 1 + 2 * budget)
    #expect(code(shown.snapshot.states.append) == .emptyPages)
    #expect(source.calls.last?.key == 10 * 2 * budget, "it goes on from where it stopped")
  }

  @Test func P31_aListOfNothingStopsAtTheBudgetToo() async throws {
    let source = ListServer(count: 2_000).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { _ in false }
    await shown.settled()
    #expect(source.calls.count == 8)
    #expect(shown.snapshot.phase.isEmptyPages)
  }

  @Test func P31_aListIsEmptyOnceBothEndsAreReached() async throws {
    let pager = Pager(config: config, source: ListServer(count: 40).source())
    let shown = pager.filter { _ in false }
    await shown.settled()
    #expect(shown.snapshot.phase == .empty)
    #expect(pager.snapshot.count == 40)
  }

  @Test func P31_anotherContentIsNotHeldBack() async throws {
    let source = ListServer(count: 2_000).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id < 5 }
    await shown.settled()
    shown.viewportChanged(to: 0..<5, of: shown.snapshot)
    await shown.settled()
    #expect(source.calls.count == 9)
    #expect(code(pager.snapshot.states.append) == .emptyPages)
    try await pager.see(85..<90)
    #expect(pager.snapshot.count == 100)
    #expect(source.calls.count == 10)
  }

  @Test func P31_theLeastOfSeveralContentsDecides() async throws {
    let source = ListServer(count: 1_000).source()
    let pager = Pager(config: config, source: source)
    let all = pager.map { $0 }
    let few = pager.filter { $0.id.isMultiple(of: 10) }
    await few.settled()
    all.viewportChanged(to: 0..<5, of: all.snapshot)
    few.viewportChanged(to: 0..<1, of: few.snapshot)
    await few.settled()
    #expect(few.snapshot.count == 11)
    #expect(pager.snapshot.count == 110)
  }

  @Test func P31_whatAFilterNeedsIsNotDroppedForMemory() async throws {
    let source = ListServer(count: 2_000).source()
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 4, initialLoadSize: 10, maxSize: 30)
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id.isMultiple(of: 20) }
    await shown.settled()
    shown.viewportChanged(to: 0..<1, of: shown.snapshot)
    await shown.settled()
    #expect(shown.snapshot.ids == [0, 20, 40, 60, 80])
    shown.viewportChanged(to: 4..<5, of: shown.snapshot)
    await shown.settled()
    #expect(shown.snapshot.ids.last == 160)
    #expect(shown.snapshot.ids.contains(80))
    let keys = source.calls.compactMap(\.key)
    #expect(Set(keys).count == keys.count, "no page is dropped to be loaded again")
  }

  @Test func P31_aFilterBehindSeparatorsCountsItemsOnly() async throws {
    let source = ListServer(count: 1_000).source()
    let pager = Pager(config: config, source: source)
    let shown = pager.insertingSeparators { before, after in after.map { _ in before?.id ?? -1 } }
      .filter { $0.item.map { $0.id.isMultiple(of: 5) } ?? true }
    await shown.settled()
    shown.viewportChanged(to: 0..<2, of: shown.snapshot)
    await shown.settled()
    #expect(shown.snapshot.items.compactMap(\.item).count == 12)
  }

  @Test func P31_aMediatorWhoseRowsShowNothingIsStoppedToo() async throws {
    let table = Table(5)
    let mediator = TestMediator { _ in
      table.append(10)
      return MediatorResult(endReached: false)
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), mediator: mediator, source: table.source)
    let shown = pager.filter { $0.id < 5 }
    await shown.settled()
    shown.viewportChanged(to: 0..<5, of: shown.snapshot)
    await shown.settled()
    #expect(code(shown.snapshot.states.append) == .emptyPages)
    #expect(shown.snapshot.ids == Array(0..<5))
    #expect((1...12).contains(mediator.types.count))
  }

  @Test func P31_aRefreshIsCountedAnew() async throws {
    let server = ListServer(count: 400)
    let source = server.source()
    let pager = Pager(config: config, source: source)
    let shown = pager.filter { $0.id.isMultiple(of: 5) }
    await shown.settled()
    shown.viewportChanged(to: 0..<2, of: shown.snapshot)
    await shown.settled()
    let before = source.calls.count
    try await shown.refresh(from: .start).finished()
    await shown.settled()
    #expect(shown.snapshot.ids == (0..<12).map { $0 * 5 })
    #expect(source.calls.count == 2 * before)
  }
}

extension PagingPhase {
  fileprivate var isEmptyPages: Bool {
    if case .failed(let failure) = self { (failure.error as? PagingError)?.code == .emptyPages } else { false }
  }
}

/// A content of a user's own, which knows nothing of contents made of it.
private final class Wrapper<Base: PagedContent>: PagedContent {
  typealias Item = Base.Item

  private let base: Base

  init(_ base: Base) {
    self.base = base
  }

  var snapshot: PagingSnapshot<Item> { base.snapshot }
  func snapshots() -> PagingSnapshots<Item> { base.snapshots() }
  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    base.viewportChanged(to: rows, of: snapshot)
  }
  func refresh(from origin: RefreshOrigin) -> PagingCommand { base.refresh(from: origin) }
  func retry(_ type: LoadType?) -> PagingCommand { base.retry(type) }
  func load(_ type: LoadType) -> PagingCommand { base.load(type) }
  func jump(toIndex index: Int) -> PagingCommand { base.jump(toIndex: index) }
  func jump(toItem id: Item.ID) -> PagingCommand { base.jump(toItem: id) }
  func settled() async { await base.settled() }
}
