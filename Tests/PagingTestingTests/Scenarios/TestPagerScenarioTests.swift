import Paging
import PagingTesting
import Testing

/// A source driven page by page: the TPG scenarios of `Documentation/PagingScenarios.md`, and DEF-10.
///
/// The numbers 0…99, pages of 3, first 5.
@Suite struct TestPagerScenarioTests {
  private func pager(
    _ source: HundredSource = HundredSource(), placeholders: Bool = true
  ) -> TestPager<HundredSource> {
    var config = PagingConfig(pageSize: 3, initialLoadSize: 5)
    config.placeholders = placeholders
    return TestPager(source, config: config)
  }

  private func ids(_ pager: borrowing TestPager<HundredSource>) -> [[Int]] { pager.pages.map { $0.items.map(\.id) } }

  // MARK: - Loads

  @Test func TPG_02_aRefreshLoadsFromItsKey() async throws {
    var pager = pager()
    let page = try await pager.refresh(from: 50)
    #expect(page.items.map(\.id) == Array(50...54))
    #expect(ids(pager) == [Array(50...54)])
  }

  @Test func aRefreshMayBeRepeated() async throws {
    var pager = pager()
    try await pager.refresh(from: 50)
    try await pager.append()
    try await pager.refresh(from: 20)
    #expect(ids(pager) == [Array(20...24)])
  }

  @Test func nothingButARefreshComesFirst() async throws {
    var pager = pager()
    for type in [LoadType.append, .prepend] {
      do {
        _ = type == .append ? try await pager.append() : try await pager.prepend()
        Issue.record("\(type) came first")
      } catch let error as TestPagerError {
        #expect(error.code == .notRefreshed)
        #expect(error.message.contains("\(type)"))
      }
    }
    #expect(pager.pages.isEmpty)
    #expect(pager.lastLoadedPage == nil)
  }

  @Test func TPG_05_prependLoadsThePageBefore() async throws {
    var pager = pager()
    try await pager.refresh(from: 20)
    try await pager.prepend()
    #expect(ids(pager) == [Array(17...19), Array(20...24)])
  }

  @Test func TPG_06_theLastLoadedPageIsKept() async throws {
    let source = HundredSource()
    var pager = pager(source)
    try await pager.refresh()
    try await pager.append()
    #expect(pager.lastLoadedPage?.items.map(\.id) == Array(5...7))
    source.invalidate()
    #expect(pager.lastLoadedPage?.items.map(\.id) == Array(5...7))
  }

  @Test func DEF_10_theLastLoadedPageIsTheOneLoadedLastAndUnknownCountsAreNoCounts() async throws {
    var pager = pager()
    try await pager.refresh(from: 20)
    try await pager.append()
    try await pager.prepend()
    #expect(pager.lastLoadedPage?.items.map(\.id) == Array(17...19))
    var bare = self.pager(HundredSource(counts: false))
    try await bare.refresh(from: 20)
    try await bare.append()
    let state = try bare.state(anchoredAt: 26)
    #expect(state.anchorIndex == 6)
    #expect(state.anchorItem?.id == 26)
    #expect(try bare.state(anchorIndex: 7).anchorItem?.id == 27)
    for index in [-1, 8] {
      #expect(throws: TestPagerError.self) { _ = try bare.state(anchorIndex: index) }
    }
  }

  @Test func TPG_09_whatASourceThrowsIsThrown() async throws {
    let source = HundredSource()
    var pager = pager(source)
    try await pager.refresh(from: 20)
    source.invalidate()
    do {
      try await pager.append()
      Issue.record("the source is invalid")
    } catch let error as PagingError {
      #expect(error.code == .invalidated)
    }
    #expect(ids(pager) == [Array(20...24)])
  }

  @Test func TPG_10_pagesComeOnEitherSideInAnyOrder() async throws {
    var pager = pager()
    try await pager.refresh(from: 20)
    try await pager.append()
    try await pager.append()
    #expect(ids(pager) == [Array(20...24), Array(25...27), Array(28...30)])
    try await pager.refresh(from: 20)
    try await pager.prepend()
    try await pager.prepend()
    #expect(ids(pager) == [Array(14...16), Array(17...19), Array(20...24)])
    for appendFirst in [true, false] {
      try await pager.refresh(from: 20)
      if appendFirst { try await pager.append() }
      try await pager.prepend()
      if !appendFirst { try await pager.append() }
      #expect(ids(pager) == [Array(17...19), Array(20...24), Array(25...27)])
    }
  }

  @Test func atTheEndsOfTheListNothingIsLoaded() async throws {
    let source = HundredSource(count: 5)
    var pager = pager(source)
    try await pager.refresh()
    let (after, before) = (try await pager.append(), try await pager.prepend())
    #expect(after == nil && before == nil)
    #expect(source.calls.count == 1)
  }

  // MARK: - What the source is told

  private func around20(placeholders: Bool) async throws -> PagingState<Int, Number> {
    var pager = pager(placeholders: placeholders)
    try await pager.refresh(from: 20)
    try await pager.prepend()
    try await pager.append()
    // Rows 17…27: the scenarios' anchor 7 is ten rows before them where placeholders count, and row 24 where they don't.
    return try pager.state(anchorIndex: placeholders ? -10 : 7)
  }

  @Test func TPG_12_withPlaceholdersAnAnchorMayBeOne() async throws {
    let state = try await around20(placeholders: true)
    #expect(state.pages.first?.itemsBefore == 17)
    #expect(state.anchorItem == nil)
    let source = HundredSource()
    var pager = pager(source)
    let page = try await pager.refresh(from: source.refreshKey(for: state))
    #expect(page.items.map(\.id) == Array(5...9), "with row 7 in the middle")
  }

  @Test func TPG_13_withoutThemItIsALoadedRow() async throws {
    let state = try await around20(placeholders: false)
    #expect(state.anchorIndex == 7)
    #expect(state.anchorItem?.id == 24)
  }

  @Test func TPG_14_anAnchorWithoutARowIsRefusedWithTheRange() async throws {
    for (placeholders, end) in [(true, 100), (false, 8)] {
      var pager = pager(placeholders: placeholders)
      try await pager.refresh()
      try await pager.append()
      #expect(try pager.state(anchorIndex: 0).anchorItem?.id == 0)
      #expect(try pager.state(anchorIndex: end - 1).anchorIndex == end - 1)
      for index in [-1, end] {
        do {
          _ = try pager.state(anchorIndex: index)
          Issue.record("there is no row \(index)")
        } catch {
          #expect(error.code == .anchorOutOfRange)
          #expect(error.message.contains("0...\(end - 1)"))
        }
      }
    }
  }

  @Test func TPG_15_anAnchorIsFoundByItsItem() async throws {
    for placeholders in [true, false] {
      var pager = pager(placeholders: placeholders)
      try await pager.refresh(from: 20)
      try await pager.prepend()
      let state = try pager.state(anchoredAt: 22)
      #expect(state.anchorIndex == 5)
      #expect(state.anchorItem?.id == 22)
      do {
        _ = try pager.state(anchoredAt: 10)
        Issue.record("row 10 is not loaded")
      } catch {
        #expect(error.code == .itemNotLoaded)
      }
    }
  }

  // MARK: - Drops

  @Test func TPG_18_twoPagesStay() async throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 5, maxSize: 3)
    var pager = TestPager(HundredSource(), config: config)
    try await pager.refresh()
    try await pager.append()
    #expect(ids(pager) == [Array(0...4), [5]])
    try await pager.append()
    #expect(ids(pager) == [[5], [6]])
  }

  @Test func theFarPageIsDroppedAndTheDistanceKept() async throws {
    let config = try PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3, maxSize: 5)
    var pager = TestPager(HundredSource(), config: config)
    try await pager.refresh(from: 50)
    try await pager.append()
    try await pager.append()
    #expect(ids(pager) == [Array(53...55), Array(56...58)])
    try await pager.prepend()
    #expect(ids(pager) == [Array(50...52), Array(53...55)])
    try await pager.prepend()
    #expect(ids(pager) == [Array(47...49), Array(50...52)])
  }
}
