import Paging
import PagingTesting
import Testing

/// P31 on pagers: what is shown, how often closures run, and what reaches the source.
@Suite(.timeLimit(.minutes(10))) struct TransformContracts {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 10, initialLoadSize: 10)

  private func tens(_ before: Row?, _ after: Row?) -> Int? {
    guard let after, before.map({ $0.id / 10 }) != after.id / 10 else { return nil }
    return after.id / 10
  }

  // MARK: - Once a page

  @Test func P31_closuresRunOnceARowHoweverOftenItIsShown() async throws {
    let calls = Box<[Int]>([])
    let pager = Pager(config: config, source: ListServer(count: 60).source())
    let shown = pager.map { row in
      calls.change { $0.append(row.id) }
      return row
    }
    await shown.settled()
    for _ in 0..<3 { _ = shown.snapshot }
    #expect(calls.value == Array(0..<10))
    for end in [10, 20, 30] {
      shown.viewportChanged(to: end - 3..<end, of: shown.snapshot)
      await shown.settled()
    }
    #expect(calls.value == Array(0..<40))
    #expect(shown.snapshot.items.map(\.id) == Array(0..<40))
  }

  @Test func P31_aRefreshRunsThemAnew() async throws {
    let calls = Box(0)
    let pager = Pager(config: config, source: ListServer(count: 10).source())
    let shown = pager.filter { _ in
      calls.change { $0 += 1 }
      return true
    }
    await shown.settled()
    try await shown.refresh().finished()
    _ = shown.snapshot
    #expect(calls.value == 20)
  }

  @Test func P31_aSeparatorIsAskedForOnceForEachTwoNeighbours() async throws {
    let asked = Box<[[Int?]]>([])
    let server = ListServer(count: 30)
    let pager = Pager(config: config, initialKey: 10, source: server.source())
    let shown = pager.insertingSeparators { before, after -> Int? in
      asked.change { $0.append([before?.id, after?.id]) }
      return nil
    }
    await shown.settled()
    shown.viewportChanged(to: 2..<8, of: shown.snapshot)
    await shown.settled()
    _ = shown.snapshot
    #expect(pager.snapshot.ids == Array(0..<30))
    let pairs: [[Int?]] = [[nil, 0]] + (0..<29).map { [$0, $0 + 1] } + [[29, nil]]
    #expect(asked.value.count == pairs.count)
    #expect(Set(asked.value) == Set(pairs))
  }

  @Test func P31_theSameSnapshotIsTransformedOnce() async throws {
    let pager = Pager(config: config, source: ListServer(count: 30).source())
    let shown = pager.insertingSeparators(tens)
    await shown.settled()
    let first = shown.snapshot
    #expect(shown.snapshot.version == first.version)
    shown.viewportChanged(to: 0..<5, of: first)
    await shown.settled()
    #expect(shown.snapshot.version > first.version)
  }

  @Test func P31_twoStreamsShareOneTransformation() async throws {
    let calls = Box(0)
    let pager = Pager(config: config, source: ListServer(count: 60).source())
    let shown = pager.map { row in
      calls.change { $0 += 1 }
      return row
    }
    let readers = (0..<2).map { _ in
      Task { for await snapshot in shown.snapshots() where snapshot.count == 60 { return } }
    }
    await shown.settled()
    while shown.snapshot.count < 60 {
      let newest = shown.snapshot
      shown.viewportChanged(to: newest.count - 1..<newest.count, of: newest)
      await shown.settled()
    }
    for reader in readers { await reader.value }
    #expect(calls.value == 60)
  }

  @Test func P31_aClosureMayReadTheContentItself() async throws {
    let content = Box<TransformedContent<Row>?>(nil)
    let seen = Box<[Int]>([])
    let pager = Pager(config: config, source: ListServer(count: 20).source())
    let shown = pager.filter { _ in
      seen.change { $0.append(content.value?.snapshot.count ?? -1) }
      return true
    }
    content.change { $0 = shown }
    await shown.settled()
    #expect(seen.value == Array(repeating: 0, count: 10))
    #expect(shown.snapshot.count == 10)
    content.change { $0 = nil }
  }

  // MARK: - Streams

  @Test func P31_aStreamBeginsLoadingAndKeepsContentAndPagerAlive() async throws {
    var pager: Pager<Int, Row>? = Pager(config: config, source: ListServer(count: 20).source())
    weak let weakPager = pager
    var content = pager?.filter { $0.id.isMultiple(of: 2) }
    weak let weakContent = content
    var iterator = try #require(content?.snapshots().makeAsyncIterator()) as PagingSnapshots<Row>.AsyncIterator?
    pager = nil
    content = nil
    var last: PagingSnapshot<Row>?
    while last?.count != 5 {
      guard let next = await iterator?.next() else { throw NeverCame() }
      last = next
    }
    #expect(last?.ids == [0, 2, 4, 6, 8])
    #expect(weakPager != nil && weakContent != nil)
    iterator = nil
    // The thread that passes the last snapshot on may hold them a moment longer.
    while weakPager != nil || weakContent != nil {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func P31_aStreamEndsWithItsPager() async throws {
    let pager = Pager(config: config, source: ListServer(count: 20).source())
    let content = pager.map { $0 }.filter { _ in true }
    let reader = Task {
      var versions: [UInt64] = []
      for await snapshot in content.snapshots() { versions.append(snapshot.version) }
      return versions
    }
    await content.settled()
    pager.close()
    let versions = await reader.value
    #expect(!versions.isEmpty && versions == versions.sorted() && Set(versions).count == versions.count)
    #expect(content.snapshot.count == 10)
  }

  // MARK: - What is kept

  @Test func P16_placeholdersAndTotalsSurviveMapAndSeparatorsButNoFilter() async throws {
    let pager = Pager(config: config, initialKey: 20, source: ListServer(count: 50).source(counts: true))
    let mapped = pager.map { $0 }
    let separated = pager.insertingSeparators(tens)
    let filtered = pager.filter { _ in true }
    await pager.settled()
    let holes = [Int?](repeating: nil, count: 20)
    #expect(mapped.snapshot.slots == holes + (20..<30).map(Optional.some) + holes)
    #expect(separated.snapshot.placeholdersBefore == 20 && separated.snapshot.placeholdersAfter == 20)
    #expect(separated.snapshot.items.count == 10, "no separator stands next to a placeholder")
    #expect(filtered.snapshot.slots == Array(20..<30))
    #expect(filtered.snapshot.total == nil)
  }

  @Test func P31_ofTwoRowsWithOneIdentityTheFirstIsShown() async throws {
    let pager = Pager(config: config, source: ListServer(count: 40).source())
    let halves = pager.map { Row(id: $0.id / 2) }
    await halves.settled()
    #expect(halves.snapshot.ids == Array(0..<5))
    halves.viewportChanged(to: 0..<5, of: halves.snapshot)
    await halves.settled()
    #expect(halves.snapshot.ids == Array(0..<10))
    let ends = pager.map { Row(id: $0.id % 10) }
    #expect(ends.snapshot.ids == Array(0..<10))
  }

  @Test func P31_equalSeparatorsHaveIdentitiesOfTheirOwn() async throws {
    let rows = [1, 2, 11, 12, 3, 4].map { Row(id: $0) }
    let pager = Pager(config: config, source: ListServer(rows).source())
    let shown = pager.insertingSeparators(tens)
    await shown.settled()
    let separators = shown.snapshot.items.compactMap(\.separator)
    #expect(separators == [0, 1, 0])
    let ids = shown.snapshot.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(shown.snapshot.index(ofItem: .separator(0)) == 0)
  }

  @Test func P31_theAnchorIsTranslated() async throws {
    let server = ListServer(count: 40)
    let pager = Pager(config: config, initialKey: 20, source: server.source())
    let separated = pager.insertingSeparators(tens)
    let odd = pager.filter { !$0.id.isMultiple(of: 2) }
    await pager.settled()
    try await pager.see(4..<8)
    #expect(pager.snapshot.ids == Array(10..<40))
    try await pager.refresh().finished()
    // Until then rows that come in above move the anchor from one reading to the next.
    await pager.settled()
    let anchor = try #require(pager.snapshot.anchor?.index)
    let row = try #require(pager.snapshot[anchor].item)
    #expect(row.id == 24)
    #expect(separated.snapshot.anchor?.kind == .kept)
    #expect(separated.snapshot.anchor?.index.map { separated.snapshot[$0].item?.item } == row)
    #expect(odd.snapshot.anchor?.kind == .moved)
    #expect(odd.snapshot.anchor?.index.flatMap { odd.snapshot[$0].item?.id } == row.id + 1)
  }

  // MARK: - Commands

  @Test func P31_commandsPassThrough() async throws {
    let server = ListServer(count: 60)
    let pager = Pager(
      config: PagingConfig(pageSize: 10, prefetchDistance: 0, initialLoadSize: 10), source: server.source())
    let shown = pager.map { $0 }.insertingSeparators(tens)
    try await shown.load(.append).finished()
    #expect(shown.snapshot.items.compactMap(\.item).map(\.id) == Array(0..<20))
    server.edit { $0[0] = Row(id: 0, title: "fresh") }
    try await shown.refresh(from: .start).finished()
    #expect(shown.snapshot.items.compactMap(\.item).first?.title == "fresh")
    try await shown.retry().finished()
  }

  @Test func P31_jumpsToItemsGoToTheirSource() async throws {
    let source = TraitedSource(ListServer(count: 60).source()) { $0.keyAround = { $0 } }
    let pager = Pager(config: config, source: source)
    let mapped = pager.map { Row(id: -$0.id) }
    let named = pager.map { Name(id: "\($0.id)") }
    let filtered = pager.filter { $0.id.isMultiple(of: 2) }
    let separated = pager.insertingSeparators(tens)
    await pager.settled()
    try await mapped.jump(toItem: -3).finished()
    try await named.jump(toItem: "7").finished()
    try await separated.jump(toItem: .separator(0)).finished()
    for missing in [named.jump(toItem: "40"), filtered.jump(toItem: 3), separated.jump(toItem: .separator(3))] {
      await #expect { try await missing.finished() } throws: { ($0 as? PagingError)?.code == .itemNotFound }
    }
    #expect(pager.snapshot.ids == Array(0..<10))
    try await separated.jump(toItem: .item(30)).finished()
    #expect(pager.snapshot.ids.first == 30)
    try await filtered.jump(toItem: 50).finished()
    #expect(pager.snapshot.ids.first == 50)
  }

  @Test func P31_jumpsToAnIndexAreTranslated() async throws {
    let asked = Box<[Int]>([])
    let source = TraitedSource(ListServer(count: 100).source(counts: true)) {
      $0.keyForIndex = { index in
        asked.change { $0.append(index) }
        return index
      }
    }
    let pager = Pager(config: config, source: source)
    // Rows 0 to 9, one header, ninety placeholders.
    let separated = pager.insertingSeparators(tens)
    await pager.settled()
    try await separated.jump(toIndex: 5).finished()
    #expect(asked.value.isEmpty)
    try await separated.jump(toIndex: 41).finished()
    #expect(asked.value == [40])
    #expect(pager.snapshot.ids.first == 40)
    let filtered = pager.filter { _ in false }
    try await filtered.jump(toIndex: 2).finished()
    #expect(asked.value == [40, 52], "two behind the last row")
  }
}

/// A row whose identity is of another type than its item's.
struct Name: Identifiable, Equatable {
  var id: String
}
