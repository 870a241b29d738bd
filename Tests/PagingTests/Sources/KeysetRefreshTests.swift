import Paging
import PagingTesting
import Testing

/// A refresh of a keyset by a key with nothing behind it.
@Suite(.timeLimit(.minutes(10))) struct KeysetRefreshTests {
  private typealias Source = KeysetPageSource<SampleSortKey, SampleItem>

  private func bothWays(_ server: DriftingServer<SampleItem>) -> Source {
    Source(key: \.sortKey) { params in
      server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
    } loadBefore: { params in
      server.rows(before: params.key, limit: params.loadSize, by: \.sortKey)
    }
  }

  @Test func P9_aRefreshWhereEveryRowBehindTheKeyIsGoneShowsTheKeysOwnRow() async throws {
    let items = Sample.items(count: 30)
    let server = DriftingServer(items)
    for item in items[21...] { server.delete(item.id) }
    let page = try await bothWays(server).load(LoadParams(.refresh, key: items[20].sortKey, loadSize: 6))
    #expect(page.items.map(\.id) == [20] && page.previousKey == items[20].sortKey)
    server.delete(20)
    let gone = try await bothWays(server).load(LoadParams(.refresh, key: items[20].sortKey, loadSize: 6))
    #expect(gone.items.isEmpty && gone.previousKey == items[20].sortKey && gone.nextKey == nil)
  }

  @Test func P9_soDoesOneOfAListWithNothingInFront() async throws {
    let items = Sample.items(count: 5)
    let server = DriftingServer(items)
    for item in items[1...] { server.delete(item.id) }
    let page = try await bothWays(server).load(LoadParams(.refresh, key: items[0].sortKey, loadSize: 6))
    #expect(page.items.map(\.id) == [0])
    server.delete(0)
    let none = try await bothWays(server).load(LoadParams(.refresh, key: items[0].sortKey, loadSize: 6))
    #expect(none.items.isEmpty && none.nextKey == nil)
  }

  @Test func P9_aPagerThatRefreshesThereShowsEveryRowThatIsLeft() async throws {
    let items = Sample.items(count: 30)
    for left in 1..<30 {
      let server = DriftingServer(items)
      let config = PagingConfig(pageSize: 4, initialLoadSize: 4)
      let pager = Pager(config: config, initialKey: items[18].sortKey, source: bothWays(server))
      await pager.settled()
      try await pager.see(3..<5)
      for item in items[left...] { server.delete(item.id) }
      try await pager.refresh().finished()
      for _ in 0..<20 { try await pager.see(0..<1) }
      #expect(pager.snapshot.items.map(\.id) == Array(0..<left))
    }
  }
}
