import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct OffsetPageSourceTests {
  private typealias Key = OffsetKey<Int>

  private func source(_ rows: DriftingRows, overlap: Int = 0) -> OffsetPageSource<SampleItem> {
    OffsetPageSource(overlap: overlap) { try rows.server.rows(in: $0) }
  }

  private func load(
    _ rows: DriftingRows, _ type: LoadType, _ key: Key?, _ size: Int = 3, overlap: Int = 0
  ) async throws -> Page<Key, SampleItem> {
    try await source(rows, overlap: overlap).load(LoadParams(type, key: key, loadSize: size))
  }

  private func ids(_ page: Page<Key, SampleItem>) -> [Int] { page.items.map(\.id) }

  // MARK: - Keys, counts and ends

  @Test func keysAndCountsComeFromOffsets() async throws {
    let rows = DriftingRows(10)
    let middle = try await load(rows, .refresh, 4, overlap: 2)
    #expect(ids(middle) == [4, 5, 6] && [middle.itemsBefore, middle.itemsAfter] == [4, 3])
    #expect(middle.previousKey == Key(4, overlap: [4, 5]) && middle.nextKey == Key(7, overlap: [5, 6]))
    #expect(middle.total == .exact(10))
    let last = try await load(rows, .append, middle.nextKey, overlap: 2)
    #expect(ids(last) == [7, 8, 9] && last.nextKey == nil && [last.itemsBefore, last.itemsAfter] == [7, 0])
    #expect(last.previousKey == Key(7, overlap: [7, 8]))
    let first = try await load(rows, .prepend, middle.previousKey, 4, overlap: 2)
    #expect(
      ids(first) == [0, 1, 2, 3] && first.previousKey == nil && [first.itemsBefore, first.itemsAfter] == [0, 6])
    #expect(first.nextKey == Key(4, overlap: [2, 3]))
    #expect(try await load(rows, .prepend, 4, 3).previousKey == 1, "a key without an overlap for plain offsets")
  }

  @Test func anOverlapCostsNoRequestWhereNothingMoves() async throws {
    let rows = DriftingRows(20)
    _ = try await source(rows, overlap: 3).items(pageSize: 5).collect(atMost: .max)
    #expect(rows.server.requests.map(\.range) == [0..<5, 2..<10, 7..<15, 12..<20])
    let up = DriftingRows(20)
    _ = try await DriftWalk.up(source(up, overlap: 3), from: 15, pageSize: 5)
    #expect(up.server.requests.map(\.range) == [15..<20, 10..<18, 5..<13, 0..<8])
  }

  @Test func P32_aSmallDriftCostsNoRequestAndALargerOneIsLookedFor() async throws {
    for (inserted, requests) in [(1, 1), (15, 1), (20, 2), (40, 4), (60, 6)] {
      let rows = DriftingRows(200)
      let page = try await load(rows, .refresh, 80, 20, overlap: 3)
      for _ in 0..<inserted { rows.apply(.insert(at: 0)) }
      let next = try await load(rows, .append, page.nextKey, 20, overlap: 3)
      #expect(ids(next).first == 100 && next.itemsBefore == 100 + inserted)
      #expect(rows.server.requests.count == 1 + requests, "\(inserted) inserted")
    }
    for deleted in [1, 20, 60] {
      let rows = DriftingRows(200)
      let page = try await load(rows, .refresh, 80, 20, overlap: 3)
      for _ in 0..<deleted { rows.apply(.delete(at: 0)) }
      #expect(ids(try await load(rows, .append, page.nextKey, 20, overlap: 3)).first == 100)
    }
  }

  @Test func P32_beyondThreePagesTheRowsCountAsLost() async throws {
    for change in [DriftChange.insert(at: 0), .delete(at: 0)] {
      let rows = DriftingRows(300)
      let page = try await load(rows, .refresh, 120, 20, overlap: 3)
      for _ in 0..<90 { rows.apply(change) }
      for (type, key) in [(LoadType.append, page.nextKey), (.prepend, page.previousKey)] {
        let error = await #expect(throws: PagingError.self) { try await load(rows, type, key, 20, overlap: 3) }
        #expect(error?.code == .drifted)
      }
      // To show what is at the offset now is better than to show nothing.
      #expect(try await load(rows, .refresh, page.nextKey, 20, overlap: 3).itemsBefore == 140)
    }
  }

  @Test func aRefreshReadsOnFromItsOverlapWhereItIs() async throws {
    let rows = DriftingRows(30)
    let page = try await load(rows, .refresh, nil, 10, overlap: 3)
    rows.apply(.insert(at: 0))
    #expect(ids(try await load(rows, .refresh, page.nextKey, 10, overlap: 3)) == Array(10..<19))
    #expect(ids(try await load(rows, .refresh, page.nextKey, 10, overlap: 0)) == Array(9..<19), "not for plain offsets")
  }

  @Test(arguments: [true, false], [0, 1, 3]) func P4_noRowIsLostWhateverTheServerSaysOrCaps(
    saysTotal: Bool, overlap: Int
  ) async throws {
    for count in 0...20 {
      for cap in [4, 5, 10, .max] {
        for pageSize in [1, 5, 12] {
          let rows = DriftingRows(count, maxPageSize: cap, saysTotal: saysTotal)
          let walked = try await source(rows, overlap: overlap).items(pageSize: pageSize).collect(atMost: .max)
          #expect(walked.map(\.id) == Array(0..<count), "\(count) rows, cap \(cap), size \(pageSize)")
          let start = max(0, count - 2)
          let up = try await DriftWalk.up(source(rows, overlap: overlap), from: Key(start), pageSize: pageSize)
          #expect(up.map(\.id) == Array(0..<min(count, start + min(cap, pageSize))))
        }
      }
    }
  }

  @Test func anOverlapThatFillsAReplyIsRefusedByName() async throws {
    for cap in 1...3 {
      for type in [LoadType.append, .prepend] {
        let rows = DriftingRows(40, maxPageSize: cap)
        let key = type == .append ? Key(20, overlap: [17, 18, 19]) : Key(20, overlap: [20, 21, 22])
        let error = await #expect(throws: PagingError.self) { try await load(rows, type, key, 10, overlap: 3) }
        #expect(error?.code == .contradictoryConfig, "cap \(cap), \(type)")
      }
    }
    let silent = DriftingRows(40, maxPageSize: 3, saysTotal: false)
    let error = await #expect(throws: PagingError.self) {
      try await load(silent, .append, Key(20, overlap: [17, 18, 19]), 10, overlap: 3)
    }
    #expect(error?.code == .contradictoryConfig)
  }

  @Test func whatTheServerSaysOfMoreOutranksItsTotal() async throws {
    let rows = Sample.items(count: 6)
    func page(_ slice: PageSlice<SampleItem>, _ key: Key, overlap: Int) async throws -> Page<Key, SampleItem> {
      try await OffsetPageSource<SampleItem>(overlap: overlap) { _ in slice }.load(
        LoadParams(.append, key: key, loadSize: 3))
    }
    for (key, overlap) in [(Key(1), 0), (Key(1, overlap: [0]), 1)] {
      #expect(try await page(PageSlice(rows, total: 6, hasMore: true), key, overlap: overlap).nextKey != nil)
      let last = try await page(PageSlice(rows, total: 60, hasMore: false), key, overlap: overlap)
      #expect(last.nextKey == nil && last.itemsAfter == 0)
      #expect(try await page(PageSlice(rows, total: -1), key, overlap: overlap).total == nil)
    }
  }

  @Test func aServerWithoutALimitMayGiveEverything() async throws {
    let all = Sample.items(count: 20)
    let source = OffsetPageSource<SampleItem> { PageSlice(Array(all.dropFirst($0.lowerBound)), total: 20) }
    #expect(ids(try await source.load(LoadParams(.refresh, key: 4, loadSize: 3))) == Array(4..<20))
    let before = try await source.load(LoadParams(.prepend, key: 10, loadSize: 3))
    #expect(ids(before) == [7, 8, 9] && before.nextKey == 10)
  }

  // MARK: - Holes and ends

  @Test(arguments: [0, 3]) func P4_rowsThatAreLeftOutEndNothingWhereTheTotalIsKnown(overlap: Int) async throws {
    let hidden: [ClosedRange<Int>] = [0...0, 3...5, 7...20, 5...29, 29...29, 0...29]
    for hidden in hidden {
      let rows = DriftingRows(30)
      for id in hidden { rows.server.hide(id) }
      var seen: [Int] = []
      for try await page in source(rows, overlap: overlap).pages(pageSize: 5) {
        seen += page.items.map(\.id).filter { !seen.contains($0) }
      }
      #expect(seen == rows.server.visibleItems.map(\.id), "without \(hidden)")
    }
  }

  @Test(arguments: [true, false]) func aRefreshBeyondTheEndGivesTheLastRows(saysTotal: Bool) async throws {
    let rows = DriftingRows(100, saysTotal: saysTotal)
    for place in [101, 103, 150, 100_000, Int.max] {
      let page = try await load(rows, .refresh, Key(place), 10)
      #expect(!page.items.isEmpty && page.itemsBefore == ids(page).first, "at \(place)")
      if saysTotal { #expect(ids(page) == Array(90..<100)) }
    }
    // A walk that is resumed at its end has nothing more to read.
    let end = try await load(rows, .refresh, 100, 10)
    #expect(end.items.isEmpty && end.nextKey == nil && end.previousKey == 100)
    #expect(try await source(rows).items(from: 100).collect(atMost: .max).isEmpty)
    let empty = try await load(DriftingRows(0, saysTotal: saysTotal), .refresh, 40, 10)
    #expect(empty.items.isEmpty && empty.previousKey == nil && empty.nextKey == nil && empty.itemsBefore == 0)
  }

  @Test func nothingPrecedesTheStart() async throws {
    let rows = DriftingRows(10)
    for key in [0, -1, .min] as [Int] {
      let page = try await load(rows, .prepend, Key(key))
      #expect(page.items.isEmpty && page.previousKey == nil)
      #expect(ids(try await load(rows, .append, Key(key))) == [0, 1, 2])
    }
    #expect(ids(try await load(rows, .refresh, -5)) == [0, 1, 2])
  }

  @Test func extremeNumbersDoNotTrap() async throws {
    for overlap in [Int.min, 0, 1, 3] {
      for type in LoadType.allCases {
        for offset in [Int.min, -1, 0, 1, .max - 1, .max] {
          for size in [Int.min, 0, 1, .max] {
            for total in [nil, Int.min, 0, 1, .max] as [Int?] {
              for hasMore in [nil, false, true] as [Bool?] {
                let source = OffsetPageSource<SampleItem>(overlap: overlap) { range in
                  if range.lowerBound < 0 || range.isEmpty { Issue.record("\(range) of \(type) at \(offset)") }
                  return PageSlice(range.lowerBound > 10 ? [] : [SampleItem(id: 7)], total: total, hasMore: hasMore)
                }
                for held in [[], [7], [1, 2, 7], [1, 2, 3]] {
                  let page = try? await source.load(LoadParams(type, key: Key(offset, overlap: held), loadSize: size))
                  #expect(page?.itemsBefore ?? 0 >= 0 && page?.itemsAfter ?? 0 >= 0)
                }
              }
            }
          }
        }
      }
    }
  }

  // MARK: - Places

  @Test func P9_aRefreshKeyHasTheAnchorInItsPage() async throws {
    let config = PagingConfig(pageSize: 2, initialLoadSize: 4)
    let rows = DriftingRows(20)
    let pages = [
      try await load(rows, .refresh, 5), try await load(rows, .append, 8), try await load(rows, .append, 11),
    ]
    func key(_ anchor: Int?) -> Key? {
      source(rows).refreshKey(for: PagingState(pages: pages, anchorIndex: anchor, config: config))
    }
    for row in 0..<9 {
      #expect(ids(try await load(rows, .refresh, key(row), 4)).contains(5 + row))
    }
    #expect(key(10) == 13 && key(-2) == 1 && key(-9) == 0 && key(nil) == nil)
    #expect(key(.min) == 0 && key(.max) != nil)
    #expect(source(rows).refreshKey(for: PagingState(pages: [], anchorIndex: 3, config: config)) == nil)
  }

  @Test func P13_anIndexIsItsOwnKey() {
    let source = source(DriftingRows(3))
    #expect(source.key(forIndex: 70) == 70 && source.key(forIndex: 0) == 0 && source.key(forIndex: -1) == nil)
    #expect(source.key(around: 1) == nil && source.keyKind == .offset)
  }
}
