import Loading
import Paging
import PagingTesting
import Testing

/// P10.
@Suite(.timeLimit(.minutes(10))) struct AnchorContracts {
  private typealias KeysetSource = ScriptedPageSource<SortKey, Row>
  private let config = PagingConfig(pageSize: 10)

  /// A list of 300 rows, 0, 10, 20, … with ten rows on screen, the first of which is row 100.
  private func keysetPager(
    _ change: (inout TraitedSource<SortKey>.Traits) -> Void = { _ in }
  ) async throws -> (ListServer, Pager<SortKey, Row>) {
    let server = ListServer((0..<300).map { Row(id: $0 * 10) })
    let base = KeysetSource(clock: ManualClock()) { .page(server.page($0)) }
    let pager = Pager(config: config, source: TraitedSource(base, change))
    await pager.settled()
    for row in [10, 20, 30, 40, 50, 60, 70, 80, 90, 100] { try await pager.see(row..<row + 10) }
    try await pager.see(100..<110)
    return (server, pager)
  }

  /// The first snapshot of the generation that a refresh brings.
  private func refreshed<Key>(_ pager: Pager<Key, Row>) async throws -> PagingSnapshot<Row> {
    try await pager.refresh().finished()
    return pager.snapshot
  }

  @Test func P10_rowsThatComeInAboveMoveTheReportWithTheirRow() async throws {
    let server = ListServer(count: 100)
    let log = EventLog()
    let pager = Pager(config: PagingConfig(pageSize: 10), observer: log.observer, source: server.source())
    await pager.settled()
    try await pager.see(0..<5)
    server.edit { $0.insert(contentsOf: (200..<205).map { Row(id: $0) }, at: 0) }
    let shown = try await refreshed(pager)
    #expect(shown.anchor == AnchorOutcome(kind: .kept, index: 5))
    #expect(shown[5].item?.id == 0)
    #expect(shown.position.rowsBefore == 5)
    await pager.settled()
    try await log.caughtUp(with: pager)
    #expect(log.begun() == 2, "15 rows lie beyond 5..<10 and none before, for the list begins there")
  }

  @Test func P10_theAnchorIsKeptWithItsNewIndex() async throws {
    let (server, pager) = try await keysetPager()
    // Before the anchor and in its page.
    server.edit { $0.insert(contentsOf: (991..<996).map { Row(id: $0) }, at: 100) }
    let shown = try await refreshed(pager)
    let anchor = try #require(shown.anchor)
    #expect(anchor.kind == .kept)
    let index = try #require(anchor.index)
    #expect(shown[index].item?.id == 1_000)
    #expect(shown.position.rowsBefore == index)
  }

  @Test func P10_aGoneAnchorMovesToTheNearestSurvivorTiesDownwards() async throws {
    for (gone, survivor) in [
      ([1_000], 1_010), ([1_000, 1_010], 990), ([1_000, 990], 1_010), ([1_000, 1_010, 990], 1_020),
      ([1_000, 1_010, 1_020, 990], 980),
    ] {
      let (server, pager) = try await keysetPager()
      server.edit { $0.removeAll { gone.contains($0.id) } }
      let shown = try await refreshed(pager)
      #expect(shown.anchor?.kind == .moved, "\(gone)")
      let index = try #require(shown.anchor?.index)
      #expect(shown[index].item?.id == survivor, "\(gone)")
    }
  }

  @Test func P10_theSourceMayChooseTheSurvivor() async throws {
    let asked = Box<[(anchor: Int, candidates: [Int])]>([])
    let (server, pager) = try await keysetPager { traits in
      traits.survivor = { anchor, candidates in
        asked.change { $0.append((anchor.id, candidates.map(\.id))) }
        return candidates.first { $0.id == 1_050 }
      }
    }
    server.edit { rows in
      rows.removeAll { $0.id == 1_000 }
      rows.insert(Row(id: 1_055), at: 105)
    }
    let shown = try await refreshed(pager)
    #expect(asked.value.map(\.anchor) == [1_000])
    let candidates = try #require(asked.value.first).candidates
    #expect(candidates.contains(1_010))
    #expect(!candidates.contains(1_000), "it is gone")
    #expect(!candidates.contains(1_055), "it is new")
    #expect(candidates == candidates.sorted())
    #expect(shown.anchor?.kind == .moved)
    let index = try #require(shown.anchor?.index)
    #expect(shown[index].item?.id == 1_050)
  }

  @Test func P10_aChoiceThatIsNoCandidateIsLeftToTheOldOrder() async throws {
    let (server, pager) = try await keysetPager { $0.survivor = { _, _ in Row(id: 77) } }
    server.edit { $0.removeAll { $0.id == 1_000 } }
    let shown = try await refreshed(pager)
    let index = try #require(shown.anchor?.index)
    #expect(shown.anchor?.kind == .moved)
    #expect(shown[index].item?.id == 1_010)
  }

  @Test func P10_anAnchorWithoutSurvivorsIsLost() async throws {
    let (server, pager) = try await keysetPager()
    server.edit { $0 = (0..<300).map { Row(id: $0 * 10 + 5) } }
    let shown = try await refreshed(pager)
    #expect(shown.anchor == AnchorOutcome(kind: .lost, index: nil))
    #expect(shown.phase == .content)
    #expect(shown.position.rowsBefore < shown.count)
  }

  @Test func P10_anEmptiedListLosesItsAnchor() async throws {
    let (server, pager) = try await keysetPager()
    server.edit { $0 = [] }
    let shown = try await refreshed(pager)
    #expect(shown.anchor?.kind == .lost)
    #expect(shown.phase == .empty)
  }

  @Test func P10_whereNothingIsLoadedTheIndexIsTheAnchor() async throws {
    let server = ListServer(count: 1_000)
    let hold = Hold()
    let base = TraitedSource<Int> { params in
      if params.type == .append, params.key == 30 { try await hold.pass() }
      return server.page(at: params.key, size: params.loadSize, counts: true)
    }
    let pager = Pager(config: config, source: base)
    await pager.settled()
    pager.look(at: 500..<510)
    await hold.reached()
    try await pager.refresh().finished()
    let shown = pager.snapshot
    #expect(shown.count == 1_000)
    #expect(shown.position.rowsBefore == 500)
    #expect(shown.anchor == AnchorOutcome(kind: .kept, index: 500))
    hold.open()
  }

  /// What must hold of a snapshot that begins a generation, whatever happened to the list.
  private func check(_ shown: PagingSnapshot<Row>, after old: PagingSnapshot<Row>, anchor oldAnchor: Int) throws {
    let outcome = try #require(shown.anchor)
    let isThere = shown.ids.contains(oldAnchor)
    switch outcome.kind {
    case .kept:
      let index = try #require(outcome.index)
      #expect(shown[index].item?.id == oldAnchor)
      #expect(shown.position.rowsBefore == index)
    case .moved:
      #expect(!isThere)
      let index = try #require(outcome.index)
      let named = try #require(shown[index].item?.id)
      let place = try #require(old.ids.firstIndex(of: oldAnchor))
      let survivor = try #require(old.ids.firstIndex(of: named), "a survivor was there before")
      let rows = Set(shown.ids)
      let distance = abs(survivor - place)
      for (row, id) in old.ids.enumerated() where abs(row - place) < distance { #expect(!rows.contains(id)) }
      if survivor < place, place + distance < old.ids.count {
        #expect(!rows.contains(old.ids[place + distance]), "of two the later one")
      }
    case .lost:
      #expect(Set(shown.ids).isDisjoint(with: old.ids))
    }
  }

  /// The rows that a candidate brought, before anything was fetched ahead: the distance is zero here.
  @Test(arguments: [1, 2] as [UInt64]) func P10_theNamedRowIsWhereTheSnapshotSays(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let server = ListServer((0..<400).map { Row(id: $0 * 1_000) })
    let source = KeysetSource(clock: ManualClock()) { .page(server.page($0)) }
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: source)
    await pager.settled()
    var kinds: [AnchorOutcome.Kind: Int] = [:]
    for _ in 0..<200 {
      let lower = Int.random(in: 0..<max(1, pager.snapshot.count), using: &random)
      pager.look(at: lower..<lower + 6)
      if Bool.random(using: &random) {
        try await pager.load(Bool.random(using: &random) ? .append : .prepend).finished()
      }
      let old = pager.snapshot
      pager.look(at: lower..<lower + 6)
      let anchor = try #require(old.ids.indices.contains(lower) ? old.ids[lower] : old.ids.last)
      server.edit { rows in
        let around = rows.firstIndex { $0.id >= anchor } ?? rows.count
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
          let place = min(max(0, around + Int.random(in: -12...12, using: &random)), rows.count)
          switch Int.random(in: 0..<3, using: &random) {
          case 0 where rows.count > 100: rows.remove(at: min(place, rows.count - 1))
          case 1:
            let (before, after) = (place > 0 ? rows[place - 1].id : 0, place < rows.count ? rows[place].id : 1_000_000)
            if after - before > 1 { rows.insert(Row(id: before + (after - before) / 2), at: place) }
          default: rows[min(place, rows.count - 1)].title += "+"
          }
        }
      }
      try await pager.refresh().finished()
      let shown = pager.snapshot
      if server.ids.contains(anchor) { #expect(shown.anchor?.kind == .kept) }
      try check(shown, after: old, anchor: anchor)
      kinds[shown.anchor?.kind ?? .lost, default: 0] += 1
    }
    #expect(kinds[.kept, default: 0] > 50)
    #expect(kinds[.moved, default: 0] > 5)
  }

  @Test(arguments: [true, false]) func P10_theNamedRowIsWhereTheSnapshotSaysByOffset(counts: Bool) async throws {
    var random = SeededGenerator(seed: counts ? 3 : 4)
    let server = ListServer((0..<200).map { Row(id: $0) })
    var nextID = 1_000
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: server.source(counts: counts))
    await pager.settled()
    for _ in 0..<200 {
      let old = pager.snapshot
      let loaded = old.placeholdersBefore..<old.placeholdersBefore + old.items.count
      let lower = Int.random(in: loaded, using: &random)
      pager.look(at: lower..<lower + 6)
      let anchor = try #require(old[lower].item?.id)
      server.edit { rows in
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
          let place = Int.random(in: 0..<min(60, rows.count), using: &random)
          if Bool.random(using: &random), rows.count > 100 {
            rows.remove(at: place)
          } else {
            rows.insert(Row(id: nextID), at: place)
            nextID += 1
          }
        }
      }
      try await pager.refresh().finished()
      try check(pager.snapshot, after: old, anchor: anchor)
      #expect(Set(pager.snapshot.ids).count == pager.snapshot.items.count)
    }
  }
}
