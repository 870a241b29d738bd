import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// What a screen reads: rows, gaps and ends of one moment.
@Suite struct WindowTests {
  private let store: ListStore
  private let list: StoredList<Note>

  init() throws {
    store = try ListStore.inMemory()
    list = store.list("list", policy: ListPolicy(order: .keyed))
  }

  /// 300…281 | 250…221 | 150…51
  private func fill() throws {
    try list.take(notePage(150, 51))
    try list.take(notePage(250, 221))
    try list.take(notePage(300, 281))
  }

  @Test(arguments: 0..<20) func B96_anyWindowIsASliceOfAFullRead(seed: UInt64) throws {
    try fill()
    var generator = SeededGenerator(seed: seed)
    let full = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 1_000))
    #expect(full.rows.count == 150)
    #expect(full.gaps.map(\.index) == [20, 50])
    for _ in 0..<50 {
      let index = Int.random(in: 0..<full.rows.count, using: &generator)
      let (before, after) = (
        Int.random(in: 0...60, using: &generator), Int.random(in: 0...60, using: &generator)
      )
      let anchor = ListKey(side: .around, item: full.rows[index].item, stood: nil)
      let place: (WindowPlace, Range<Int>) =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: (.around(anchor), max(0, index - before)..<min(150, index + after))
        case 1: (.newer(anchor), max(0, index - before)..<index)
        default: (.older(anchor), min(150, index + 1)..<min(150, index + 1 + after))
        }
      let isNewer = if case .newer = place.0 { true } else { false }
      let isOlder = if case .older = place.0 { true } else { false }
      let window = try #require(
        try list.core.window(of: list.id, at: place.0, before: isOlder ? 0 : before, after: isNewer ? 0 : after))
      let slice = place.1
      #expect(window.rows == Array(full.rows[slice]))
      #expect(window.hasNewer == (slice.lowerBound > 0))
      #expect(window.hasOlder == (slice.upperBound < 150))
      let rows = try list.rows(of: window)
      // A gap goes with the row below it.
      let gaps = [20, 50].filter { slice.contains($0) }
      #expect(rows.count == slice.count + gaps.count)
      for gap in gaps {
        let place = gap - slice.lowerBound + gaps.filter { $0 < gap }.count
        #expect(rows[place].gap != nil)
      }
    }
  }

  @Test func S3_pagesOfTheSourceShowEachGapOnce() async throws {
    try fill()
    for start in [300, 290, 281, 250, 249, 221, 220, 150, 149, 51] {
      let source = list.pageSource()
      let key = try list.rowID(of: start).flatMap { source.key(around: $0) }
      var pager = TestPager(source, config: PagingConfig(pageSize: 7, initialLoadSize: 10))
      try await pager.refresh(from: key)
      while try await pager.prepend() != nil {}
      while try await pager.append() != nil {}
      #expect(NoteShape(pager.items).text == "300…281 | 250…221 | 150…51")
    }
  }

  @Test func S7_rowsAboveWhatIsShownAreNotReadAndNoGapAmongThem() throws {
    try list.take(notePage(50, 31))
    let top = try #require(try list.runs().first).high
    try show(upTo: top)
    try list.take(notePage(90, 71))
    #expect(try list.shape() == "50…31")
    let window = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 5))
    #expect(!window.hasNewer)
    #expect(window.gaps.isEmpty)
    try show(upTo: nil)
    #expect(try list.shape() == "90…71 | 50…31")
  }

  private func show(upTo position: Position?) throws {
    let list = try #require(
      try list.core.database.read { c throws(ListStoreError) in try self.list.core.list(self.list.id, on: c) })
    try self.list.core.commit { transaction, change throws(ListStoreError) in
      try transaction.connection.lists.setShown(position, of: list.number)
      change.lists[list.number] = ListChange(shownChanged: true)
    }
  }

  @Test func S5_anItemThatIsNotInTheListIsNotFound() async throws {
    try list.take(notePage(50, 31))
    let other: StoredList<Note> = store.list("other")
    try other.take(notePage(9, 9))
    let source = list.pageSource()
    let key = try #require(try list.rowID(of: 9).flatMap { source.key(around: $0) })
    await #expect { _ = try await source.load(LoadParams(.refresh, key: key, loadSize: 10)) } throws: {
      ($0 as? PagingError)?.code == .itemNotFound
    }
    #expect(try list.rowID(of: 77) == nil)
  }

  @Test func S8_aKeyHoldsWhileItsRowIsGone() async throws {
    try list.take(notePage(50, 31))
    let source = list.pageSource()
    var pager = TestPager(source, config: PagingConfig(pageSize: 5, initialLoadSize: 5))
    let page = try await pager.refresh()
    let next = try #require(page.nextKey)
    var without = notePage(50, 31)
    without.items.removeAll { $0.id == 46 }
    try list.take(without)
    #expect(try list.shape() == "50…47 45…31")
    let after = try await source.load(LoadParams(.append, key: next, loadSize: 3))
    #expect(after.items.compactMap(\.item?.id) == [45, 44, 43])
  }

  @Test func S8_whereTheOrderIsAnotherOneANeighbourStandsIn() async throws {
    try list.take(notePage(50, 31))
    let source = list.pageSource()
    let config = PagingConfig(pageSize: 5, initialLoadSize: 20)
    var pager = TestPager(source, config: config)
    try await pager.refresh()
    let key = try #require(
      source.refreshKey(for: PagingState(pages: pager.pages, anchorIndex: 10, config: config)))
    var without = notePage(60, 31)
    without.items.removeAll { $0.id == 40 || $0.id == 39 }
    try list.replace(with: without, for: try list.request(.head))
    let page = try await source.load(LoadParams(.refresh, key: key, loadSize: 6))
    #expect(page.items.compactMap(\.item?.id) == [43, 42, 41, 38, 37, 36])
    // Nothing of what was near is there: the newest rows.
    try list.replace(with: notePage(900, 881), for: try list.request(.head))
    let newest = try await source.load(LoadParams(.refresh, key: key, loadSize: 6))
    #expect(newest.items.first?.item?.id == 900)
  }

  @Test func S3_aGapSaysFromWhichSidesItCanBeAsked() throws {
    func gap(newer: String?, older: String?) throws -> Gap {
      let list: StoredList<Note> = store.list("\(newer ?? "none") \(older ?? "none")")
      try list.take(RemotePage(notes(5, 1), newerToken: newer, olderToken: "x"))
      try list.take(RemotePage(notes(20, 15), olderToken: older))
      return try #require(try list.gaps().first)
    }
    #expect(try gap(newer: nil, older: "o").fillableSides == [.above])
    #expect(try gap(newer: "n", older: "o").fillableSides == [.above, .below])
    #expect(try gap(newer: "n", older: nil).fillableSides == [.below])
    #expect(try gap(newer: nil, older: nil).isDead)
  }
}
