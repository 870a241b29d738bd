import Foundation
import Loading
import Paging
import PagingTesting
import Testing

/// P32: pages that hold nothing but rows that came between the overlap rows. They stand on screen beyond rows that follow
/// them in the list, so what leads back from them must bring those again.
@Suite(.timeLimit(.minutes(10))) struct BetweenOverlapTests {
  private typealias Source = OffsetPageSource<SampleItem>

  private func source(_ rows: DriftingRows, overlap: Int = 3) -> Source {
    Source(overlap: overlap) { try rows.server.rows(in: $0) }
  }

  private func ids(_ page: Page<OffsetKey<Int>, SampleItem>) -> [Int] { page.items.map(\.id) }

  @Test func P32_theWayUpFromARowBetweenOverlapRowsBringsThoseBelowIt() async throws {
    let rows = DriftingRows(12)
    let source = source(rows)
    let first = try await source.load(LoadParams(.refresh, key: 3, loadSize: 3))
    #expect(ids(first) == [3, 4, 5])
    rows.apply(.insert(at: 5))
    let inner = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 1))
    #expect(ids(inner) == [1_001], "between 4 and 5")
    for change in [nil, DriftChange.insert(at: 0), .insert(at: 0), .delete(at: 7), .insert(at: 5)] {
      if let change { rows.apply(change) }
      let up = try await source.load(LoadParams(.prepend, key: inner.previousKey, loadSize: 3))
      let list = rows.server.items.map(\.id)
      let last = try #require(rows.stayed.last { $0 <= 5 })
      #expect(ids(up).last == last, "\(ids(up)) of \(list)")
      let start = try #require(list.firstIndex(of: ids(up)[0]))
      #expect(ids(up) == Array(list[start...].prefix(up.items.count)))
      #expect(up.previousKey?.offset == start && up.previousKey?.overlap.first == ids(up)[0])
    }
  }

  @Test func P32_theWayDownFromARowBetweenOverlapRowsBringsThoseAboveIt() async throws {
    let rows = DriftingRows(12)
    let source = source(rows)
    let first = try await source.load(LoadParams(.refresh, key: 9, loadSize: 3))
    rows.apply(.insert(at: 10))
    rows.apply(.delete(at: 0))
    let inner = try await source.load(LoadParams(.prepend, key: first.previousKey, loadSize: 1))
    #expect(ids(inner) == [1_001], "between 9 and 10")
    let down = try await source.load(LoadParams(.append, key: inner.nextKey, loadSize: 3))
    #expect(ids(down) == [9, 1_001, 10], "11 was there, too, and comes next")
    #expect(down.nextKey?.overlap == [9, 1_001, 10])
    rows.apply(.insert(at: 0))
    rows.apply(.delete(at: 9))
    let later = try await source.load(LoadParams(.append, key: inner.nextKey, loadSize: 3))
    #expect(Array(ids(later).prefix(2)) == [1_001, 10] && later.nextKey?.overlap.last == ids(later).last)
  }

  @Test func P32_whereTheOverlapRowsAreGoneTheWayBackIsLost() async throws {
    let rows = DriftingRows(12)
    let source = source(rows)
    let first = try await source.load(LoadParams(.refresh, key: 3, loadSize: 3))
    rows.apply(.insert(at: 5))
    let inner = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 1))
    for _ in 3..<7 { rows.apply(.delete(at: 3)) }
    await #expect(throws: PagingError.self) {
      try await source.load(LoadParams(.prepend, key: inner.previousKey, loadSize: 3))
    }
  }

  @Test func P32_keysThatAreSavedKeepTheirMeaning() throws {
    let plain = OffsetKey<Int>(3, overlap: [1, 2])
    let words = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
    #expect(!words.contains("through") && !words.contains("Through"))
    #expect(try JSONDecoder().decode(OffsetKey<Int>.self, from: Data(words.utf8)) == plain)
  }

  @Test func P32_aPagerGoesBackOverARowThatStandsAlone() async throws {
    for overlap in 2...4 {
      for index in 1..<20 {
        let rows = DriftingRows(30)
        rows.server.beforeRequest(2 + index / 3) { _ in rows.apply(.insert(at: index)) }
        let config = try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 3, maxSize: 5)
        let pager = Pager(config: config, source: source(rows, overlap: overlap))
        await pager.settled()
        for readsDown in [true, false, true] {
          for _ in 0..<60 {
            let count = pager.snapshot.items.count
            try await pager.see(readsDown ? max(0, count - 1)..<count : 0..<min(1, count))
            let problem = rows.problem(inWindow: pager.snapshot.items.map(\.id))
            try #require(problem == nil, "overlap \(overlap), insert at \(index)")
          }
        }
      }
    }
  }
}
