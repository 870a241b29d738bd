import Paging
import PagingTesting
import Testing

/// Names in brackets are those of the reference's scenarios, which these follow.
@Suite struct TestPagerTests {
  private let source = HundredSource()
  private let config = PagingConfig(pageSize: 3, initialLoadSize: 5)

  private func ids(_ page: Page<Int, Number>?) -> [Int]? { page?.items.map(\.id) }
  private func ids(_ pages: [Page<Int, Number>]) -> [[Int]] { pages.map { $0.items.map(\.id) } }

  @Test func refreshLoadsTheInitialSizeFromTheKey() async throws {  // TPG-02
    var pager = TestPager(source, config: config)
    #expect(pager.pages.isEmpty && pager.lastLoadedPage == nil)
    #expect(try await ids(pager.refresh(from: 50)) == Array(50...54))
    #expect(source.calls == [LoadParams(.refresh, key: 50, loadSize: 5)])
    #expect(try await ids(pager.refresh()) == Array(0...4))
    #expect(ids(pager.pages) == [Array(0...4)])
  }

  @Test func appendsAndPrependsGrowTheListInEitherOrder() async throws {  // TPG-05, TPG-10
    var pager = TestPager(source, config: config)
    try await pager.refresh(from: 20)
    #expect(try await ids(pager.prepend()) == [17, 18, 19])
    #expect(try await ids(pager.append()) == [25, 26, 27])
    let pages = ids(pager.pages)
    #expect(pages == [[17, 18, 19], [20, 21, 22, 23, 24], [25, 26, 27]])
    try await pager.refresh(from: 20)
    try await pager.append()
    try await pager.prepend()
    #expect(ids(pager.pages) == pages)
    #expect(pager.items.map(\.id) == Array(17...27))
    try await pager.append()
    try await pager.prepend()
    #expect(pager.items.map(\.id) == Array(14...30))
  }

  @Test func theLastLoadedPageIsTheOneThatCameLast() async throws {  // TPG-06
    var pager = TestPager(source, config: config)
    try await pager.refresh(from: 20)
    try await pager.append()
    #expect(ids(pager.lastLoadedPage) == [25, 26, 27])
    try await pager.prepend()
    #expect(ids(pager.lastLoadedPage) == [17, 18, 19])
    source.invalidate()
    _ = try? await pager.append()
    #expect(ids(pager.lastLoadedPage) == [17, 18, 19])
  }

  @Test func whatTheSourceThrowsLeavesThePagesAsTheyWere() async throws {  // TPG-09
    var pager = TestPager(source, config: config)
    try await pager.refresh()
    source.fail(calls: 2)
    await #expect(throws: Offline.self) { try await pager.append() }
    #expect(ids(pager.pages) == [Array(0...4)])
    #expect(try await ids(pager.append()) == [5, 6, 7])
    source.invalidate()
    let error = await #expect(throws: PagingError.self) { try await pager.refresh() }
    #expect(error?.code == .invalidated)
    #expect(ids(pager.pages) == [Array(0...4), [5, 6, 7]])
  }

  @Test func theEndsGiveNil() async throws {
    var pager = TestPager(HundredSource(count: 7), config: config)
    try await pager.refresh()
    #expect(try await pager.prepend() == nil)
    #expect(try await ids(pager.append()) == [5, 6])
    #expect(try await pager.append() == nil)
    var empty = TestPager(HundredSource(count: 0), config: config)
    #expect(try await ids(empty.refresh()) == [])
    #expect(try await empty.append() == nil)
  }

  @Test func whatComesTooEarlySaysWhatToDo() async throws {
    var pager = TestPager(source, config: config)
    let error = await #expect(throws: TestPagerError.self) { try await pager.append() }
    #expect(error?.code == .notRefreshed)
    #expect(error?.description == "notRefreshed: Nothing was loaded before append(); call refresh() first.")
    await #expect(throws: TestPagerError.self) { try await pager.prepend() }
    #expect(throws: TestPagerError.self) { try pager.state(anchorIndex: nil) }
    #expect(source.calls.isEmpty)
  }

  @Test func thePageOfAPageNumberIsAlwaysAsLong() async throws {
    let source = HundredSource(keyKind: .pageNumber)
    var pager = TestPager(source, config: config)
    try await pager.refresh()
    try await pager.append()
    #expect(source.calls.map(\.loadSize) == [3, 3])
  }

  @Test func placeholdersAreAskedForAsConfigured() async throws {
    var config = config
    config.placeholders = false
    var pager = TestPager(source, config: config)
    try await pager.refresh()
    #expect(source.calls.map(\.placeholdersEnabled) == [false])
  }

  // MARK: - State

  @Test func theStateIsWhatASourceIsToldAtARefresh() async throws {  // TPG-12
    var pager = TestPager(source, config: config)
    try await pager.refresh(from: 20)
    try await pager.prepend()
    try await pager.append()
    let state = try pager.state(anchorIndex: -10)
    #expect(state.anchorIndex == -10 && state.anchorItem == nil)
    #expect(ids(state.pages) == ids(pager.pages))
    #expect(state.config.pageSize == 3)
    let key = source.refreshKey(for: state)
    #expect(key == 5)
    #expect(try await ids(pager.refresh(from: key)) == Array(5...9))
  }

  @Test func anAnchorOutsideTheRowsIsRefusedWithTheirRange() async throws {  // TPG-13, TPG-14
    var pager = TestPager(source, config: config)
    try await pager.refresh()
    try await pager.append()
    #expect(try pager.state(anchorIndex: 99).anchorIndex == 99)
    for index in [-1, 100, .min, .max] {
      let error = #expect(throws: TestPagerError.self) { try pager.state(anchorIndex: index) }
      #expect(error?.code == .anchorOutOfRange)
      #expect(error?.message.contains("the rows are 0...99") == true)
    }
    var config = config
    config.placeholders = false
    var bare = TestPager(source, config: config)
    try await bare.refresh()
    try await bare.append()
    #expect(try bare.state(anchorIndex: 7).anchorItem == Number(id: 7))
    for index in [-1, 8] {
      let error = #expect(throws: TestPagerError.self) { try bare.state(anchorIndex: index) }
      #expect(error?.message.contains("the rows are 0...7") == true)
    }
  }

  @Test func unknownCountsMakeNoRows() async throws {
    var pager = TestPager(HundredSource(counts: false), config: config)
    try await pager.refresh(from: 20)
    #expect(try pager.state(anchorIndex: 4).anchorItem == Number(id: 24))
    #expect(throws: TestPagerError.self) { try pager.state(anchorIndex: -1) }
    #expect(throws: TestPagerError.self) { try pager.state(anchorIndex: 5) }
  }

  @Test func anItemIsAnAnchorWhereItIsLoaded() async throws {  // TPG-15
    var pager = TestPager(source, config: config)
    try await pager.refresh(from: 20)
    try await pager.prepend()
    let state = try pager.state(anchoredAt: 22)
    #expect(state.anchorIndex == 5 && state.anchorItem == Number(id: 22))
    let error = #expect(throws: TestPagerError.self) { try pager.state(anchoredAt: 10) }
    #expect(error?.code == .itemNotLoaded)
  }

  @Test func emptyPagesAreKeptButNoPartOfTheState() async throws {
    let source = ScriptedPageSource<Int, Number>(
      clock: ManualClock(),
      steps: [
        .page(Page([], previousKey: 1, nextKey: 2)), .page(Page([Number(id: 1)], previousKey: 9, nextKey: 3)),
        .page(Page([], nextKey: 4)),
      ])
    var pager = TestPager(source)
    try await pager.refresh()
    try await pager.append()
    try await pager.append()
    #expect(pager.pages.count == 3)
    #expect(try pager.state(anchorIndex: 0).pages == [Page([Number(id: 1)], previousKey: 1, nextKey: 4)])
  }

  // MARK: - maxSize

  @Test func theLastTwoPagesStay() async throws {  // TPG-18
    var pager = TestPager(
      source, config: try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 5, maxSize: 3))
    try await pager.refresh()
    try await pager.append()
    #expect(ids(pager.pages) == [Array(0...4), [5]])
    try await pager.append()
    #expect(ids(pager.pages) == [[5], [6]])
  }

  @Test func theOtherEndIsTrimmed() async throws {
    var pager = TestPager(
      source, config: try PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 3, maxSize: 9))
    try await pager.refresh(from: 50)
    for _ in 0..<4 { try await pager.append() }
    #expect(pager.items.map(\.id) == Array(56...64))
    for _ in 0..<3 { try await pager.prepend() }
    #expect(pager.items.map(\.id) == Array(47...55))
  }

  @Test func aSourceThatOnlyGoesForwardIsReadBackByTheKeysItWasAskedWith() async throws {
    let source = HundredSource(goesBack: false)
    var pager = TestPager(
      source, config: try PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5, maxSize: 9))
    try await pager.refresh()
    for _ in 0..<4 { try await pager.append() }
    #expect(pager.items.map(\.id) == Array(8...16))
    source.fail(calls: source.calls.count + 1)
    await #expect(throws: Offline.self) { try await pager.prepend() }
    try await pager.prepend()
    #expect(pager.items.map(\.id) == Array(5...13))
    try await pager.prepend()
    #expect(pager.items.map(\.id).first == 0)
    #expect(try await pager.prepend() == nil)
    #expect(source.calls.suffix(2).map(\.key) == [5, nil])
    #expect(source.calls.suffix(2).map(\.loadSize) == [3, 5])
  }
}
