import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct KeysetPageSourceTests {
  private typealias Source = KeysetPageSource<SampleSortKey, SampleItem>

  private func down(_ server: DriftingServer<SampleItem>) -> Source {
    Source(key: \.sortKey) { server.rows(after: $0.key, limit: $0.loadSize, by: \.sortKey) }
  }

  private func bothWays(_ server: DriftingServer<SampleItem>) -> Source {
    Source(key: \.sortKey) { params in
      server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
    } loadBefore: { params in
      server.rows(before: params.key, limit: params.loadSize, by: \.sortKey)
    }
  }

  private func ids(_ page: Page<SampleSortKey, SampleItem>) -> [Int] { page.items.map(\.id) }

  @Test func P4_aShortPageIsNotTheEndAndAnEmptyOneIs() async throws {
    let server = DriftingServer(Sample.items(count: 10), maxPageSize: 4)
    var pages: [[Int]] = []
    for try await page in down(server).pages(pageSize: 6) { pages.append(ids(page)) }
    #expect(pages == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []])
    #expect(down(server).keyKind == .keyset)
  }

  @Test func rowsThatTieAreNotLostAtABoundary() async throws {
    let items = Sample.items(count: 2_000)
    let server = DriftingServer(items)
    #expect(try await down(server).items(pageSize: 90).collect(atMost: .max) == items)
    let last = try #require(items.last).sortKey
    let up = try await DriftWalk.up(bothWays(server), from: items[1_990].sortKey, pageSize: 90)
    #expect(up == items && last > items[0].sortKey)
  }

  @Test func whatTheServerSaysSparesTheLastRequest() async throws {
    let server = DriftingServer(Sample.items(count: 10))
    func source(saysMore: Bool) -> Source {
      Source(key: \.sortKey) { params in
        let rows = server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
        return PageSlice(rows, total: 10, hasMore: saysMore ? rows.last?.id != 9 : nil)
      }
    }
    for (saysMore, requests) in [(true, 2), (false, 3)] {
      let before = server.requests.count
      #expect(try await source(saysMore: saysMore).items(pageSize: 5).collect(atMost: .max).count == 10)
      #expect(server.requests.count - before == requests)
    }
    let page = try await source(saysMore: true).load(LoadParams(.refresh, loadSize: 5))
    #expect(page.total == .exact(10) && page.itemsBefore == nil && page.itemsAfter == nil)
    let pager = Pager(config: PagingConfig(pageSize: 5, initialLoadSize: 5), source: source(saysMore: true))
    await pager.settled()
    #expect(pager.snapshot.total == .exact(10) && pager.snapshot.placeholdersAfter == 0, "P16: a key is no position")
  }

  @Test func aSliceThatPromisesMoreAndIsEmptyIsRefusedByName() async throws {
    let source = Source(key: \.sortKey) { _ in PageSlice([], hasMore: true) }
    let error = await #expect(throws: PagingError.self) { try await source.load(LoadParams(.refresh, loadSize: 5)) }
    #expect(error?.code == .invalidKey)
  }

  @Test func itReadsUpWhereItIsToldHow() async throws {
    let server = DriftingServer(Sample.items(count: 10))
    let first = try await bothWays(server).load(LoadParams(.refresh, loadSize: 3))
    #expect(ids(first) == [0, 1, 2] && first.previousKey == nil, "nothing precedes the start")
    let middle = try await bothWays(server).load(LoadParams(.refresh, key: server.items[4].sortKey, loadSize: 3))
    #expect(ids(middle) == [5, 6, 7] && middle.previousKey == server.items[5].sortKey)
    let before = try await bothWays(server).load(LoadParams(.prepend, key: middle.previousKey, loadSize: 3))
    #expect(ids(before) == [2, 3, 4] && before.nextKey == server.items[4].sortKey)
    let start = try await bothWays(server).load(LoadParams(.prepend, key: server.items[0].sortKey, loadSize: 3))
    #expect(start.items.isEmpty && start.previousKey == nil)

    let oneWay = try await down(server).load(LoadParams(.refresh, key: server.items[4].sortKey, loadSize: 3))
    #expect(oneWay.previousKey == nil)
    let error = await #expect(throws: PagingError.self) {
      try await down(server).load(LoadParams(.prepend, key: server.items[4].sortKey, loadSize: 3))
    }
    #expect(error?.code == .invalidKey)
  }

  @Test func aBoundaryRowThatIsGoneMakesNoDifference() async throws {
    let server = DriftingServer(Sample.items(count: 10))
    let page = try await bothWays(server).load(LoadParams(.refresh, key: server.items[2].sortKey, loadSize: 3))
    for id in [3, 5] { server.delete(id) }
    #expect(ids(try await bothWays(server).load(LoadParams(.append, key: page.nextKey, loadSize: 3))) == [6, 7, 8])
    #expect(
      ids(try await bothWays(server).load(LoadParams(.prepend, key: page.previousKey, loadSize: 3))) == [0, 1, 2])
  }

  @Test func P9_aRefreshKeyHasTheAnchorInItsPage() async throws {
    let server = DriftingServer(Sample.items(count: 30))
    let config = PagingConfig(pageSize: 3, initialLoadSize: 6)
    let page = try await bothWays(server).load(LoadParams(.refresh, key: server.items[4].sortKey, loadSize: 20))
    for row in 3..<20 {
      let key = bothWays(server).refreshKey(for: PagingState(pages: [page], anchorIndex: row, config: config))
      let refreshed = try await bothWays(server).load(LoadParams(.refresh, key: key, loadSize: 6))
      #expect(key != nil && ids(refreshed).contains(5 + row))
    }
    for row in [nil, 0, 2, -1, .min] as [Int?] {
      #expect(bothWays(server).refreshKey(for: PagingState(pages: [page], anchorIndex: row, config: config)) == nil)
    }
    #expect(down(server).refreshKey(for: PagingState(pages: [page], anchorIndex: 9, config: config)) == nil)
  }
}
