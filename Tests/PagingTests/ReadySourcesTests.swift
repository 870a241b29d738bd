import Paging
import PagingTesting
import Testing

@Suite struct ArrayPageSourceTests {
  private let source = ArrayPageSource(Sample.items(count: 10))

  private func load(
    _ type: LoadType, _ key: Int?, _ size: Int, of source: ArrayPageSource<SampleItem>? = nil
  ) async throws -> Page<Int, SampleItem> {
    try await (source ?? self.source).load(LoadParams(type, key: key, loadSize: size))
  }

  @Test func pagesJoinInBothDirectionsWhateverTheirSizes() async throws {
    let middle = try await load(.refresh, 4, 3)
    #expect(middle.items.map(\.id) == [4, 5, 6])
    #expect([middle.itemsBefore, middle.itemsAfter] == [4, 3])
    #expect(middle.total == .exact(10))
    let before = try await load(.prepend, middle.previousKey, 2)
    #expect(before.items.map(\.id) == [2, 3])
    let first = try await load(.prepend, before.previousKey, 5)
    #expect(first.items.map(\.id) == [0, 1])
    #expect(first.previousKey == nil && first.itemsBefore == 0)
    let last = try await load(.append, middle.nextKey, 5)
    #expect(last.items.map(\.id) == [7, 8, 9])
    #expect(last.nextKey == nil && last.itemsAfter == 0)
  }

  @Test func P16_countsAndRowsAlwaysAddUpAndNoKeyTraps() async throws {
    for count in 0...4 {
      let source = ArrayPageSource(Sample.items(count: count))
      for type in LoadType.allCases {
        for key in [nil, .min, -1, 0, 1, 2, 3, 4, 5, .max] as [Int?] {
          for size in [.min, -1, 0, 1, 2, 5, .max] {
            let page = try await load(type, key, size, of: source)
            let before = try #require(page.itemsBefore)
            let after = try #require(page.itemsAfter)
            #expect(before >= 0 && after >= 0 && before + page.items.count + after == count)
            #expect(page.items.map(\.id) == Array(before..<before + page.items.count))
            #expect((page.previousKey == nil) == (before == 0) && (page.nextKey == nil) == (after == 0))
          }
        }
      }
    }
  }

  @Test func aRefreshBeyondTheEndGivesTheLastPage() async throws {
    #expect(try await load(.refresh, 99, 4).items.map(\.id) == [6, 7, 8, 9])
    #expect(try await load(.append, 99, 4).items.isEmpty)
    #expect(try await load(.prepend, -5, 4).items.isEmpty)
  }

  @Test func P9_aRefreshKeyKeepsTheAnchorInItsPage() async throws {
    let config = PagingConfig(pageSize: 2, initialLoadSize: 4)
    for start in 0..<10 {
      let page = try await load(.refresh, start, 3)
      for row in page.items.indices {
        let state = PagingState(pages: [page], anchorIndex: row, config: config)
        let key = try #require(source.refreshKey(for: state))
        let refreshed = try await load(.refresh, key, config.initialLoadSize)
        #expect(refreshed.items.contains { $0.id == page.items[row].id })
        #expect(refreshed.items.count == 4)
      }
    }
  }

  @Test func P9_anAnchorIsFoundByItsIdentityThenByItsPlace() async throws {
    let config = PagingConfig(pageSize: 2, initialLoadSize: 1)
    let old = try await load(.refresh, 2, 3)
    let shifted = ArrayPageSource([SampleItem(id: 100)] + Sample.items(count: 10))
    func key(_ anchor: Int?, _ source: ArrayPageSource<SampleItem>) -> Int? {
      source.refreshKey(for: PagingState(pages: [old], anchorIndex: anchor, config: config))
    }
    #expect(key(1, shifted) == 4)
    #expect(key(1, ArrayPageSource(Sample.items(count: 3))) == 2)
    #expect(key(4, source) == 6)
    #expect(key(-1, source) == 1)
    #expect(key(.min, source) == 0)
    #expect(key(.max, source) == nil)
    #expect(key(nil, source) == nil)
    #expect(key(1, ArrayPageSource([])) == nil)
    #expect(source.refreshKey(for: PagingState(pages: [], anchorIndex: 0, config: config)) == 0)
  }

  @Test func P13_jumpsReachWhatIsThere() {
    #expect((-1...10).map { source.key(forIndex: $0) } == [nil] + (0..<10).map { $0 } + [nil])
    #expect(source.key(around: 7) == 7)
    #expect(source.key(around: 70) == nil)
    #expect(source.keyKind == .offset)
  }
}

@Suite struct NumberedPageSourceTests {
  /// A server of `count` rows in pages no longer than `cap`.
  private func source(
    _ count: Int, cap: Int = .max, firstPage: Int = 1, saysTotal: Bool = true, saysMore: Bool = false
  ) -> NumberedPageSource<SampleItem> {
    NumberedPageSource(firstPage: firstPage) { params in
      let size = min(cap, params.loadSize)
      let start = min(count, ((params.key ?? 0) - firstPage) * size)
      let end = min(count, start + size)
      return PageSlice(
        (start..<end).map { SampleItem(id: $0) }, total: saysTotal ? count : nil, hasMore: saysMore ? end < count : nil)
    }
  }

  /// The rows of a walk, and how many pages it took.
  private func walk(_ source: NumberedPageSource<SampleItem>, pageSize: Int) async throws -> (ids: [Int], pages: Int) {
    var ids: [Int] = []
    var pages = 0
    for try await page in source.pages(pageSize: pageSize) {
      ids += page.items.map(\.id)
      pages += 1
    }
    return (ids, pages)
  }

  @Test(arguments: [true, false], [true, false]) func P4_noRowIsLostWhateverTheServerSaysOrCaps(
    saysTotal: Bool, saysMore: Bool
  ) async throws {
    for count in 0...30 {
      for cap in [1, 3, 5, 10, .max] {
        for pageSize in [1, 5, 10, 12] {
          let server = source(count, cap: cap, saysTotal: saysTotal, saysMore: saysMore)
          let walked = try await walk(server, pageSize: pageSize)
          #expect(walked.ids == Array(0..<count), "\(count) rows, cap \(cap), size \(pageSize)")
          let size = min(cap, pageSize)
          let needed = max(1, (count + size - 1) / size)
          #expect(walked.pages <= (saysTotal || saysMore ? needed : needed + 1))
        }
      }
    }
  }

  @Test func keysAndCountsComeFromNumbersAndTotals() async throws {
    let server = source(25, firstPage: 0)
    let first = try await server.load(LoadParams(.refresh, loadSize: 10))
    #expect(first.previousKey == nil && first.nextKey == 1)
    #expect([first.itemsBefore, first.itemsAfter] == [0, 15])
    #expect(first.total == .exact(25))
    let last = try await server.load(LoadParams(.append, key: 2, loadSize: 10))
    #expect(last.previousKey == 1 && last.nextKey == nil)
    #expect([last.itemsBefore, last.itemsAfter] == [20, 0])
    #expect(server.keyKind == .pageNumber)
  }

  @Test func P16_aPageWhosePlaceIsUnsureHasNoCounts() async throws {
    let page = try await source(150, cap: 50).load(LoadParams(.refresh, key: 2, loadSize: 100))
    #expect(page.items.first?.id == 50)
    #expect(page.nextKey == 3)
    #expect(page.itemsBefore == nil && page.itemsAfter == nil)
  }

  @Test func extremeNumbersDoNotTrap() async throws {
    for firstPage in [.min, -1, 0, 1, .max] {
      for key in [nil, .min, 0, .max] as [Int?] {
        for size in [.min, 0, 1, .max] {
          for total in [nil, .min, 0, .max] as [Int?] {
            let source = NumberedPageSource<SampleItem>(firstPage: firstPage) { params in
              #expect(params.key ?? .min >= firstPage)
              return PageSlice([SampleItem(id: 0)], total: total)
            }
            let page = try await source.load(LoadParams(.refresh, key: key, loadSize: size))
            #expect(page.itemsBefore ?? 0 >= 0 && page.itemsAfter ?? 0 >= 0)
          }
        }
      }
    }
  }
}

@Suite struct CursorPageSourceTests {
  @Test func whatTheClosureReturnsOrThrowsIsPassedOn() async throws {
    let source = CursorPageSource<String, SampleItem> { params in
      if params.key == "gone" { throw PagingError.cursorExpired }
      return Page([SampleItem(id: params.loadSize)], nextKey: params.key.map { $0 + "+" } ?? "a")
    }
    let first = try await source.load(LoadParams(.refresh, loadSize: 3))
    #expect(first == Page([SampleItem(id: 3)], nextKey: "a"))
    let error = await #expect(throws: PagingError.self) {
      try await source.load(LoadParams(.append, key: "gone", loadSize: 3))
    }
    #expect(error?.code == .cursorExpired)
    #expect(source.keyKind == .cursor)
  }
}
