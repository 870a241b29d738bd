import Loading
import Paging
import PagingTesting
import Testing

/// P32, through a pager: what is shown is a stretch of the list without a gap, whatever happens between any two requests.
@Suite(.timeLimit(.minutes(10))) struct PagerDriftTests {
  private static let count = 12

  private static var sizes: PagingConfig {
    get throws {
      var config = try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 3, maxSize: 6)
      config.placeholders = false
      return config
    }
  }

  /// Scrolls to the end, to the start and to the end again; what was wrong, if anything.
  private func scroll<Key>(_ pager: Pager<Key, SampleItem>, over rows: DriftingRows) async throws -> String? {
    var seen: Set<Int> = []
    await pager.settled()
    for side in [EdgeName.append, .prepend, .append] {
      for _ in 0..<200 {
        let snapshot = pager.snapshot
        let ids = snapshot.items.map(\.id)
        if let failure = snapshot.states.source.failures.first { return "failed: \(failure.error)" }
        if let problem = rows.problem(inWindow: ids) { return problem }
        seen.formUnion(ids)
        let isAtEnd = side == .append ? snapshot.states.source.append.isAtEnd : snapshot.states.source.prepend.isAtEnd
        if isAtEnd {
          let stayed = rows.stayed
          let shown = ids.filter { Set(stayed).contains($0) }
          if shown.isEmpty || (side == .append ? shown.last == stayed.last : shown.first == stayed.first) { break }
          return "\(side) ended at \(ids) of \(stayed)"
        }
        try await pager.see(side == .append ? max(0, ids.count - 2)..<ids.count : 0..<min(2, ids.count))
      }
    }
    let unseen = rows.stayed.filter { !seen.contains($0) }
    return unseen.isEmpty ? nil : "never showed \(unseen)"
  }

  private enum EdgeName { case append, prepend }

  /// Tries every change before every request, from the start and from the middle.
  private func tryAll<Source: PageSource>(
    moves: Bool, _ source: (DriftingRows) -> Source, middle: (DriftingRows) -> Source.Key?
  ) async throws where Source.Item == SampleItem {
    for request in 2...9 {
      for change in DriftChange.all(of: Self.count, moves: moves) {
        for startsAbove in [true, false] {
          let rows = DriftingRows(Self.count)
          rows.server.beforeRequest(request) { _ in rows.apply(change) }
          let traced = TracedSource(source(rows))
          let pager = Pager(config: try Self.sizes, initialKey: startsAbove ? nil : middle(rows), source: traced)
          if let problem = try await scroll(pager, over: rows) {
            Issue.record("\(change) before request \(request): \(problem)\n\(traced.trace)")
            return
          }
        }
      }
    }
  }

  @Test func P32_offsetsWithAnOverlapShowNoGap() async throws {
    try await tryAll(moves: true) { rows in
      OffsetPageSource<SampleItem>(overlap: 3) { try rows.server.rows(in: $0) }
    } middle: { _ in
      6
    }
  }

  @Test func P32_oneOverlapRowThatIsDeletedRefreshesAndShowsNoGap() async throws {
    try await tryAll(moves: false) { rows in
      OffsetPageSource<SampleItem>(overlap: 1) { try rows.server.rows(in: $0) }
    } middle: { _ in
      6
    }
  }

  @Test func P32_sortKeysShowNoGap() async throws {
    try await tryAll(moves: true) { rows in
      KeysetPageSource<SampleSortKey, SampleItem>(key: \.sortKey) { params in
        rows.server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
      } loadBefore: { params in
        rows.server.rows(before: params.key, limit: params.loadSize, by: \.sortKey)
      }
    } middle: {
      $0.server.items[5].sortKey
    }
  }

  @Test func P32_sortKeysThatOnlyReadDownFindTheirWayBack() async throws {
    let rows = DriftingRows(Self.count)
    let source = KeysetPageSource<SampleSortKey, SampleItem>(key: \.sortKey) {
      rows.server.rows(after: $0.key, limit: $0.loadSize, by: \.sortKey)
    }
    let pager = Pager(config: try Self.sizes, source: source)
    #expect(try await scroll(pager, over: rows) == nil)
    #expect(rows.server.requests.count > 10, "pages were dropped and read again")
  }

  @Test func P32_cursorsShowNoGap() async throws {
    try await tryAll(moves: true) { rows in
      CursorPageSource<String, SampleItem> { try rows.server.page($0) }
    } middle: { _ in
      nil
    }
  }

  @Test func P32_plainOffsetsShowAGap() async throws {
    let rows = DriftingRows(Self.count)
    rows.server.beforeRequest(2) { _ in rows.apply(.delete(at: 0)) }
    let source = OffsetPageSource<SampleItem> { try rows.server.rows(in: $0) }
    let problem = try await scroll(Pager(config: try Self.sizes, source: source), over: rows)
    #expect(problem?.contains("[1, 2, 4") == true, "\(problem ?? "no gap")")
  }

  @Test func P32_longScriptsOfInsertionsAndDeletionsShowNoGap() async throws {
    for seed in UInt64(1)...500 {
      var chance = SeededGenerator(seed: seed)
      let rows = DriftingRows(Int.random(in: 6...40, using: &chance), saysTotal: Bool.random(using: &chance))
      let overlap = Int.random(in: 1...4, using: &chance)
      let script = Box((chance: chance, left: 60))
      rows.server.beforeEachRequest { server, _ in
        for _ in 0..<script.change({ Int.random(in: 0...2, using: &$0.chance) }) {
          let count = server.items.count
          let change = script.change { script in
            script.left -= 1
            return script.left < 0 ? nil : DriftChange.random(of: count, moves: false, using: &script.chance)
          }
          if let change { rows.apply(change) }
        }
      }
      let source = TracedSource(OffsetPageSource<SampleItem>(overlap: overlap) { try rows.server.rows(in: $0) })
      let start = seed % 2 == 0 ? nil : OffsetKey<Int>(rows.count / 2)
      let pager = Pager(config: try Self.sizes, initialKey: start, source: source)
      if let problem = try await scroll(pager, over: rows) {
        Issue.record("seed \(seed), overlap \(overlap): \(problem)\n\(source.trace)")
        return
      }
    }
  }

  // MARK: - Rows that are lost

  @Test func P32_whereNoOverlapRowIsLeftThePagerRefreshesAroundItsAnchor() async throws {
    let rows = DriftingRows(100)
    let log = EventLog()
    let pager = Pager(
      config: PagingConfig(pageSize: 10, initialLoadSize: 30), observer: log.observer,
      source: OffsetPageSource<SampleItem>(overlap: 3) { try rows.server.rows(in: $0) })
    await pager.settled()
    for id in [27, 28, 29] { rows.apply(.delete(at: rows.server.items.firstIndex { $0.id == id } ?? 0)) }
    try await pager.see(20..<25)
    try await log.caughtUp(with: pager)
    #expect(log.ended(.append).first?.outcome == "drifted")
    #expect(try await log.reasons(1) == ["invalidation"])
    let snapshot = pager.snapshot
    #expect(snapshot.states.source.failures.isEmpty && rows.problem(inWindow: snapshot.items.map(\.id)) == nil)
    let anchor = try #require(snapshot.anchor)
    #expect(snapshot[anchor.index ?? -1].item?.id == 20 && snapshot.items.contains { $0.id == 30 })
  }

  @Test func P32_aSourceThatDriftsAgainAndAgainIsAFailureThatCanBeRetried() async throws {
    let (server, drifts) = (ListServer(count: 100), Box(true))
    let pager = Pager(
      config: PagingConfig(pageSize: 10),
      source: TraitedSource<Int> { params in
        if params.type == .append, drifts.value { throw PagingError(.drifted) }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    for _ in 0..<6 where code(pager.snapshot.source.append) == nil { try await pager.see(25..<30) }
    #expect(code(pager.snapshot.source.append) == .drifted && !pager.snapshot.ids.isEmpty)
    drifts.change { $0 = false }
    try await pager.retry().finished()
    #expect(pager.snapshot.source.failures.isEmpty && pager.snapshot.ids.count > 30)
  }
}
