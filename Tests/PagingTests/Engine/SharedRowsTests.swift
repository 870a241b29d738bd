import Loading
import PagingTesting
import Testing

@testable import Paging

/// P17 with P14: a row that two loaded pages brought stays until both are gone, since the keys of either lead past it.
@Suite(.timeLimit(.minutes(10))) struct SharedRowsTests {
  /// A list of 200 rows whose keys are places between rows, and whose pages repeat rows that precede the place, as a list
  /// does that moves under its reader.
  private struct RepeatingServer: Sendable {
    var down = 0
    var up = 0

    func page(_ params: OpaqueParams) -> OpaquePage { OpaquePage(page(params.type, params.key?.typed(as: Int.self))) }

    func page(_ type: LoadType, _ key: Int?) -> Page<Int, Row> {
      let place = key ?? 0
      let rows =
        switch type {
        case .prepend: max(0, place - 3)..<min(200, place + up)
        case .append: max(0, place - down)..<min(200, place + 3)
        case .refresh: place..<place + 9
        }
      return Page(
        rows.map { Row(id: $0) }, previousKey: rows.lowerBound > 0 ? rows.lowerBound : nil,
        nextKey: rows.upperBound < 200 ? rows.upperBound : nil)
    }
  }

  private func rows(_ generation: Generation) -> [Int] {
    PageSequence<Row>(generation.pages).flatMap { $0.items.map(\.id) }
  }

  private func newGeneration() throws -> Generation {
    Generation(
      number: 1, config: try PagingConfig(pageSize: 3, prefetchDistance: 1, maxSize: 9), access: TypedRows<Row>())
  }

  private func load(_ generation: inout Generation, _ side: EdgeSide, from server: RepeatingServer) {
    guard case .key(let key) = generation[side].next else { return }
    let params = OpaqueParams(type: side.loadType, key: key, loadSize: 3, purpose: .visible, load: 2)
    _ = generation.grew(side, with: server.page(params), loadedBy: params)
  }

  private func start(_ generation: inout Generation, at place: Int) {
    let params = OpaqueParams(type: .refresh, key: OpaqueKey(place), loadSize: 3, purpose: .visible, load: 1)
    _ = generation.started(with: RepeatingServer().page(params), loadedBy: params)
  }

  /// What is wrong with what is loaded; nil: nothing.
  private func problem(_ generation: Generation) -> String? {
    let rows = rows(generation)
    guard let first = rows.first, rows == Array(first..<first + rows.count) else { return "not a stretch: \(rows)" }
    if generation.index.count != rows.count { return "\(generation.index.count) rows are indexed of \(rows)" }
    for (position, id) in rows.enumerated() {
      guard let address = generation.address(of: SoughtItem(id, of: Row.self)),
        generation.coordinate(at: address) == generation.firstCoordinate + position
      else { return "row \(id) is not found" }
    }
    return nil
  }

  @Test(arguments: 1...8) func P17_rowsThatLaterPagesRepeatedAreThereOnTheWayUp(repeats: Int) throws {
    let server = RepeatingServer(down: repeats)
    var generation = try newGeneration()
    start(&generation, at: 60)
    for _ in 0..<20 {
      load(&generation, .append, from: server)
      while generation.pages.pageCount > 3 { generation.dropPage(at: .prepend) }
      try #require(problem(generation) == nil)
    }
    for _ in 0..<10 {
      load(&generation, .prepend, from: server)
      while generation.pages.pageCount > 3 { generation.dropPage(at: .append) }
      try #require(problem(generation) == nil, "skipped on the way up")
    }
  }

  @Test(arguments: 1...8) func P17_rowsThatEarlierPagesRepeatedAreThereOnTheWayDown(repeats: Int) throws {
    let server = RepeatingServer(up: repeats)
    var generation = try newGeneration()
    start(&generation, at: 120)
    for _ in 0..<20 {
      load(&generation, .prepend, from: server)
      while generation.pages.pageCount > 3 { generation.dropPage(at: .append) }
      try #require(problem(generation) == nil)
    }
    for _ in 0..<10 {
      load(&generation, .append, from: server)
      while generation.pages.pageCount > 3 { generation.dropPage(at: .prepend) }
      try #require(problem(generation) == nil, "skipped on the way down")
    }
  }

  @Test func P17_rowsStayWhereTheyAreAndAsTheyWereWhenTheirPageGoes() throws {
    var generation = try newGeneration()
    start(&generation, at: 60)
    load(&generation, .append, from: RepeatingServer(down: 2))
    load(&generation, .append, from: RepeatingServer())
    let (coordinate, edits) = (generation.loaded.lowerBound, generation.replacements)
    #expect(rows(generation) == Array(60..<75))
    #expect(generation.dropPage(at: .prepend) == 7)
    #expect(rows(generation) == Array(67..<75) && generation.firstCoordinate == coordinate + 7)
    #expect(generation.replacements == edits + 1, "snapshots see that a page is another")
    #expect(generation.records[0]?.previousKey == OpaqueKey(67))
    let addresses = try [68, 69].map { try #require(generation.address(of: SoughtItem($0, of: Row.self))) }
    #expect(addresses.map { generation.load(of: $0) } == [1, 2], "the copy that was shown stays")
    #expect(problem(generation) == nil)
    #expect(generation.dropPage(at: .prepend) == 5, "both pages that brought them are gone")
    #expect(rows(generation) == [72, 73, 74] && problem(generation) == nil)
  }

  @Test func P17_rowsOfAnyPagesAreShared() throws {
    for seed in UInt64(1)...200 {
      var chance = SeededGenerator(seed: seed)
      var generation = try newGeneration()
      start(&generation, at: 100)
      for step in 0..<200 {
        let server = RepeatingServer(
          down: Int.random(in: 0...5, using: &chance), up: Int.random(in: 0...5, using: &chance))
        let side: EdgeSide = Int.random(in: 0..<4, using: &chance) < (step / 20 % 2 == 0 ? 3 : 1) ? .append : .prepend
        let loads = Int.random(in: 0...2, using: &chance)
        for _ in 0..<loads { load(&generation, side, from: server) }
        let most = Int.random(in: 2...4, using: &chance)
        while generation.pages.pageCount > most { generation.dropPage(at: side.opposite) }
        if let problem = problem(generation) {
          Issue.record("seed \(seed), step \(step): \(problem)")
          return
        }
      }
    }
  }

  @Test func P17_aPagerReadsBothWaysWithoutAGap() async throws {
    for (down, up) in [(1, 0), (2, 0), (0, 1), (0, 4), (5, 2)] {
      let server = RepeatingServer(down: down, up: up)
      let source = TraitedSource<Int> { server.page($0.type, $0.key) }
      let config = try PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 3, maxSize: 9)
      let pager = Pager(config: config, initialKey: 100, source: source)
      await pager.settled()
      for readsDown in [true, false, true] {
        for _ in 0..<60 {
          let count = pager.snapshot.ids.count
          try await pager.see(readsDown ? max(0, count - 2)..<count : 0..<min(2, count))
          let ids = pager.snapshot.ids
          try #require(pager.snapshot.source.failures.isEmpty)
          try #require(ids == Array(ids[0]..<ids[0] + ids.count), "down \(down), up \(up)")
          #expect(ids.count <= 9 + 2 * 9)
        }
      }
    }
  }
}
