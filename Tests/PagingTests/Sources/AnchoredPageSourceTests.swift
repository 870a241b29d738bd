import Foundation
import Paging
import PagingTesting
import Testing

private typealias ChatKey = AnchoredKey<SortKey, Int>

/// A chat: rows by number, a window around one of them, cursors both ways, and what was asked.
private final class Chat: Sendable {
  let server: ListServer
  let windows = Box<[Int?]>([])
  let pages = Box<[LoadType]>([])
  let failure = Box<(any Error)?>(nil)
  let opensAt: Int

  init(_ ids: some Sequence<Int>, opensAt: Int = 0) {
    server = ListServer(rows(ids))
    self.opensAt = opensAt
  }

  var source: AnchoredPageSource<SortKey, Row> {
    AnchoredPageSource { [self] id, size in
      windows.change { $0.append(id) }
      if let failure = failure.value { throw failure }
      let all = server.ids
      guard let place = all.firstIndex(of: id ?? opensAt) else {
        throw PagingError(.itemNotFound, message: "No such message.")
      }
      let start = max(0, min(place - size / 2, all.count - size))
      let items = all[start..<min(all.count, start + size)]
      return Page(
        rows(items), previousKey: start > 0 ? .before(all[start]) : nil,
        nextKey: items.endIndex < all.count ? .from(all[items.endIndex - 1] + 1) : nil)
    } next: { [self] params in
      pages.change { $0.append(params.type) }
      if let failure = failure.value { throw failure }
      return server.page(params)
    }
  }

  func pager(_ key: ChatKey? = nil, maxSize: Int? = nil) throws -> Pager<ChatKey, Row> {
    let config =
      try maxSize.map { try PagingConfig(pageSize: 10, initialLoadSize: 10, maxSize: $0) }
      ?? PagingConfig(pageSize: 10, initialLoadSize: 10)
    return Pager(config: config, initialKey: key, clock: ManualClock(), source: source)
  }
}

@Suite(.timeLimit(.minutes(10))) struct AnchoredPageSourceTests {
  @Test func aListOpensAroundAnItemAndLoadsOnBothWays() async throws {
    let chat = Chat(0..<100)
    let pager = try chat.pager(.around(50))
    await pager.settled()
    #expect(pager.snapshot.ids == Array(45..<55))
    try await pager.scrollToEnd()
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids == Array(0..<100))
    #expect(chat.windows.value == [50])
    #expect(Set(chat.pages.value) == [.prepend, .append])
  }

  @Test func withoutAKeyItOpensWhereTheServerSays() async throws {
    let chat = Chat(0..<100, opensAt: 70)
    #expect(try await chat.source.walkedIDs() == Array(65..<100))
    #expect(chat.windows.value == [nil])
    #expect(chat.source.keyKind == .cursor && chat.source.key(around: 8) == .around(8))
  }

  @Test func whatTheClosuresReturnAndAreAskedForIsPassedOn() async throws {
    let asked = Box<[LoadParams<String>]>([])
    let source = AnchoredPageSource<String, Row> { id, size in
      Page([Row(id: id ?? -1)], previousKey: "p\(size)", nextKey: "n", itemsBefore: 3, itemsAfter: 4, total: .about(8))
    } next: { params in
      asked.change { $0.append(params) }
      return Page([], nextKey: "more")
    }
    let window = try await source.load(LoadParams(.refresh, key: .around(5), loadSize: 7))
    #expect(
      window
        == Page(
          [Row(id: 5)], previousKey: .cursor("p7"), nextKey: .cursor("n"), itemsBefore: 3, itemsAfter: 4,
          total: .about(8)))
    let params = LoadParams(
      .prepend, key: window.previousKey, loadSize: 9, purpose: .prefetch, placeholdersEnabled: false)
    #expect(try await source.load(params) == Page([], nextKey: .cursor("more")))
    #expect(
      asked.value == [LoadParams(.prepend, key: "p7", loadSize: 9, purpose: .prefetch, placeholdersEnabled: false)])
  }

  @Test func P9_aRefreshLoadsAroundTheRowOnScreen() async throws {
    let chat = Chat(0..<100)
    let pager = try chat.pager(.around(50))
    await pager.settled()
    try await pager.see(4..<8)
    let top = try #require(pager.snapshot.items.map(\.id).firstIndex(of: 49))
    try await pager.see(top..<top + 4)
    chat.server.edit { $0.insert(contentsOf: rows(-30..<0), at: 0) }
    try await pager.refresh().finished()
    #expect(chat.windows.value.last == 49)
    #expect(pager.snapshot.anchor?.kind == .kept)
  }

  @Test func P10_aNeighbourStandsInForAnAnchorThatIsGone() async throws {
    let chat = Chat(0..<100)
    let pager = try chat.pager(.around(50))
    await pager.settled()
    try await pager.see(5..<8)
    let anchor = try #require(pager.snapshot.ids.firstIndex(of: 50))
    try await pager.see(anchor..<anchor + 3)
    chat.server.edit { $0.removeAll { [49, 50, 51].contains($0.id) } }
    try await pager.refresh().finished()
    #expect(chat.windows.value == [50, 50, 51, 49, 52], "of two at one distance the later one first")
    #expect(pager.snapshot.anchor?.kind == .moved)
    #expect(pager.snapshot.anchored == 52)
  }

  @Test func P10_whereAllOfThemAreGoneTheListOpensAnew() async throws {
    let chat = Chat(0..<100, opensAt: 500)
    let pager = try chat.pager(.around(50))
    await pager.settled()
    try await pager.see(5..<8)
    chat.server.edit { $0 = rows(500..<520) }
    try await pager.refresh().finished()
    #expect(pager.snapshot.anchor?.kind == .lost && pager.snapshot.ids.starts(with: 500..<510))
    #expect(chat.windows.value.count == 7 && chat.windows.value.last == .some(nil))
  }

  @Test(arguments: [
    (2, [2, 3, 1, 4, 0]), (0, [0, 1, 2, 3, 4]), (4, [4, 3, 2, 1, 0]),
    // A placeholder: the loaded row next to it.
    (-9, [0, 1, 2, 3, 4]), (.max, [4, 3, 2, 1, 0]), (.min, [0, 1, 2, 3, 4]),
  ])
  func aRefreshLooksForTheNearestRowsInTurn(anchor: Int, nearest: [Int?]) async throws {
    let chat = Chat([], opensAt: 0)
    let pages = [Page<ChatKey, Row>(rows(0..<3)), Page(rows(3..<5))]
    let key = chat.source.refreshKey(for: PagingState(pages: pages, anchorIndex: anchor, config: PagingConfig()))
    let error = await #expect(throws: PagingError.self) {
      try await chat.source.load(LoadParams(.refresh, key: key, loadSize: 5))
    }
    #expect(error?.code == .itemNotFound)
    #expect(chat.windows.value == nearest + [nil])
  }

  @Test func withoutAnAnchorThereIsNoOpinion() {
    let source = Chat(0..<9).source
    let pages = [Page<ChatKey, Row>(rows(0..<3))]
    #expect(source.refreshKey(for: PagingState(pages: pages, anchorIndex: nil, config: PagingConfig())) == nil)
    #expect(source.refreshKey(for: PagingState(pages: [], anchorIndex: 0, config: PagingConfig())) == nil)
  }

  @Test func P13_aJumpLoadsTheWindowOrSaysThatTheItemIsGone() async throws {
    let chat = Chat(0..<1_000)
    let pager = try chat.pager()
    await pager.settled()
    try await pager.see(0..<3)
    try await pager.jump(toItem: 700).finished()
    #expect(pager.snapshot.ids.contains(700) && !pager.snapshot.ids.contains(20))
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toItem: 5_000).finished() }
    #expect(error?.code == .itemNotFound)
    #expect(pager.snapshot.ids.contains(700), "the list stays")
    #expect(chat.windows.value.last == 5_000, "no neighbour was guessed at")
  }

  @Test func P14_pagesThatWereDroppedComeAgainByTheirCursors() async throws {
    let chat = Chat(0..<100)
    let pager = try chat.pager(.around(50), maxSize: 40)
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids.last == 99 && pager.snapshot.items.count <= 60)
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids.starts(with: 0..<20))
    #expect(chat.windows.value == [50])
  }

  @Test func P8_failuresOfBothClosuresAreTheLoads() async throws {
    let chat = Chat(0..<100)
    chat.failure.change { $0 = Refused() }
    let pager = try chat.pager(.around(50))
    await pager.settled()
    #expect(pager.snapshot.source.refresh.failure?.error is Refused)
    chat.failure.change { $0 = nil }
    try await pager.retry().finished()
    chat.failure.change { $0 = PagingError(.invalidKey) }
    try await pager.see(3..<6)
    #expect(code(pager.snapshot.source.append) == .invalidKey && code(pager.snapshot.source.prepend) == .invalidKey)
    await #expect(throws: PagingError.self) { try await pager.refresh().finished() }
    #expect(chat.windows.value.count == 3, "only an item that is gone is looked for elsewhere")
  }

  @Test func P21_aCancelledLoadLooksForNoNeighbours() async throws {
    let (hold, windows) = (Hold(), Box(0))
    let source = AnchoredPageSource<Int, Row> { _, _ in
      windows.change { $0 += 1 }
      try? await hold.pass()
      throw PagingError(.itemNotFound)
    } next: { _ in
      Page([])
    }
    let key = source.refreshKey(
      for: PagingState(pages: [Page(rows(0..<9))], anchorIndex: 4, config: PagingConfig()))
    let load = Task { try await source.load(LoadParams(.refresh, key: key, loadSize: 5)) }
    await hold.reached()
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect(windows.value == 1)
  }

  @Test func keysAreCodedWhole() throws {
    for key in [AnchoredKey<String, Int>.around(7), .cursor("c")] {
      let coded = try JSONDecoder().decode(AnchoredKey<String, Int>.self, from: JSONEncoder().encode(key))
      #expect(coded == key)
    }
    #expect(AnchoredKey<Int, Int>.around(1) != .cursor(1))
  }
}
