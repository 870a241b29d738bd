import Loading
import Paging
import PagingTesting
import Testing

/// P1, P2, P5, P6, P7, P8.
@Suite(.timeLimit(.minutes(10))) struct LoadingContracts {
  // MARK: - P1

  @Test func P1_oneLoadForEachDirectionSideBySide() async throws {
    let server = ListServer(count: 1_000)
    let gate = Gate()
    let base = RowSource(clock: ManualClock()) { params in
      let page = RowSource.Step.page(server.page(at: params.key, size: params.loadSize))
      return params.type == .refresh ? page : .held(by: gate, page)
    }
    let log = EventLog()
    let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 500, observer: log.observer, source: base)
    await pager.settled()
    pager.look(at: 0..<30)
    await gate.waiting(atLeast: 2)
    #expect(pager.snapshot.source.append == .loading)
    #expect(pager.snapshot.source.prepend == .loading)
    for row in 0..<30 { pager.look(at: row..<30) }
    pager.look(at: 0..<30)
    let commands = [pager.load(.append), pager.load(.prepend), pager.retry(), pager.load(.append)]
    try await log.reached { _ in log.begun(.append) > 0 && log.begun(.prepend) > 0 }
    #expect(log.begun(.append) == 1)
    #expect(log.begun(.prepend) == 1)
    #expect(gate.waiting == 2)
    gate.open()
    for command in commands { try await command.finished() }
    await pager.settled()
    #expect(base.calls.map(\.type).count { $0 == .append } == 1)
    #expect(base.calls.map(\.type).count { $0 == .prepend } == 1)
    #expect(pager.snapshot.ids == Array(490..<540))
  }

  /// Every generation has a source of its own here, which counts the loads that are in flight at the same time.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func P1_neverTwoLoadsOfOneDirectionInARandomRun(seed: UInt64) async throws {
    struct Flight {
      var running: [LoadType: Int] = [:]
      var most: [LoadType: Int] = [:]
    }
    let server = ListServer(count: 400)
    let worst = Box<[LoadType: Int]>([:])
    let pager = Pager(config: PagingConfig(pageSize: 7), initialKey: 200) {
      let flight = Box(Flight())
      return TraitedSource<Int> { params in
        flight.change { flight in
          flight.running[params.type, default: 0] += 1
          flight.most[params.type] = max(flight.most[params.type] ?? 0, flight.running[params.type] ?? 0)
        }
        for _ in 0..<(params.loadSize % 5) { await Task.yield() }
        let most = flight.change { flight in
          flight.running[params.type, default: 0] -= 1
          return flight.most
        }
        worst.change { $0.merge(most, uniquingKeysWith: max) }
        return server.page(at: params.key, size: params.loadSize, pageSize: 7)
      }
    }
    var random = SeededGenerator(seed: seed)
    await pager.settled()
    for step in 0..<300 {
      let count = pager.snapshot.count
      let lower = Int.random(in: 0...max(0, count - 5), using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: pager.refresh()
      case 1: pager.load(.append)
      case 2: pager.load(.prepend)
      case 3: pager.invalidate()
      default: pager.look(at: lower..<lower + 5)
      }
      if step % 4 == 0 { await Task.yield() }
    }
    await pager.settled()
    #expect(worst.value[.append] == 1)
    #expect(worst.value[.prepend] == 1)
    #expect(worst.value[.refresh] == 1)
  }

  // MARK: - P2

  /// Takes over the isolation of whoever calls it, and says which that was.
  private struct IsolationSource: PageSource {
    let seen: Box<[Bool]>

    private func note(_ actor: isolated (any Actor)? = #isolation) {
      let isIsolated = actor != nil
      seen.change { $0.append(isIsolated) }
    }

    nonisolated(nonsending) func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
      note()
      return Page([Row(id: seen.value.count)], nextKey: seen.value.count)
    }
  }

  @MainActor @Test func P2_loadStartsOffTheMainActorWhoeverAsks() async throws {
    let seen = Box<[Bool]>([])
    let pager = Pager(source: IsolationSource(seen: seen))
    await pager.settled()
    pager.look(at: 0..<1)
    try await pager.load(.append).finished()
    try await pager.refresh().finished()
    #expect(seen.value.count >= 3)
    #expect(seen.value.allSatisfy { !$0 })
  }

  @MainActor private final class MainActorSource: PageSource {
    var asked = 0

    nonisolated init() {}

    // Written out, since a witness takes over the requirement's own isolation otherwise.
    @MainActor func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
      MainActor.assertIsolated()
      asked += 1
      return Page([Row(id: asked)], nextKey: asked < 5 ? asked : nil)
    }
  }

  @MainActor @Test func P2_aSourceMayIsolateItself() async throws {
    let source = MainActorSource()
    let pager = Pager(config: PagingConfig(pageSize: 1, prefetchDistance: 10), source: source)
    await pager.settled()
    try await pager.see(0..<1)
    #expect(source.asked == 5)
    #expect(pager.snapshot.ids == [1, 2, 3, 4, 5])
  }

  @Test func P2_aSourceOnTheMainActorServesWhoeverAsks() async throws {
    let pager = Pager(config: PagingConfig(pageSize: 1, prefetchDistance: 10), source: MainActorSource())
    await pager.settled()
    try await pager.see(0..<1)
    #expect(pager.snapshot.ids == [1, 2, 3, 4, 5])
  }

  // MARK: - P5

  @Test func P5_whatCameCountsNotWhatWasAskedFor() async throws {
    let lengths = [4, 1, 25, 3, 10, 40, 2, 15]
    let source = RowSource(clock: ManualClock()) { params in
      let page = params.key ?? 0
      let start = lengths[..<page].reduce(0, +)
      return .page(
        Page(
          (start..<start + lengths[page]).map { Row(id: $0) }, nextKey: page + 1 < lengths.count ? page + 1 : nil))
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), source: source)
    await pager.settled()
    #expect(pager.snapshot.count == 4)
    try await pager.see(0..<1)
    #expect(pager.snapshot.count == 30, "4 + 1 + 25: fewer than ten beyond row 0 until then")
    try await pager.see(19..<20)
    #expect(pager.snapshot.count == 30)
    try await pager.see(20..<21)
    #expect(pager.snapshot.count == 33)
    while !pager.snapshot.source.append.isAtEnd { try await pager.see(pager.snapshot.count - 1..<pager.snapshot.count) }
    #expect(pager.snapshot.ids == Array(0..<100))
    #expect(source.calls.map(\.loadSize) == [30] + Array(repeating: 10, count: 7))
  }

  @Test func P5_theFirstLoadOfPageNumbersIsOnePageLong() async throws {
    let server = ListServer(count: 100)
    for (kind, size) in [(KeyKind.pageNumber, 10), (.cursor, 30), (.other, 30)] {
      let base = server.source()
      let pager = Pager(config: PagingConfig(pageSize: 10), source: TraitedSource(base) { $0.keyKind = kind })
      await pager.settled()
      #expect(base.calls.map(\.loadSize) == [size])
      try await pager.refresh().finished()
      #expect(base.calls.map(\.loadSize) == [size, size])
    }
  }

  // MARK: - P6

  @Test func P6_theEdgeOnScreenStartsFirst() async throws {
    let server = ListServer(count: 1_000)
    for (rows, order) in [(0..<25, [LoadType.prepend, .append]), (5..<30, [.append, .prepend])] {
      let gate = Gate()
      let source = RowSource(clock: ManualClock()) { params in
        let page = RowSource.Step.page(server.page(at: params.key, size: params.loadSize))
        return params.type == .refresh ? page : .held(by: gate, page)
      }
      let log = EventLog()
      let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 500, observer: log.observer, source: source)
      await pager.settled()
      pager.look(at: rows)
      try await log.reached { _ in log.begun() >= 3 }
      let begun = log.events.filter { $0.phase == .begin && $0.loadType != .refresh }
      #expect(begun.map(\.loadType) == order)
      #expect(begun.map(\.purpose) == [.visible, .prefetch])
      await source.calls(atLeast: 3)
      for params in source.calls.dropFirst() {
        #expect(params.purpose == (params.type == order[0] ? .visible : .prefetch))
      }
      gate.open()
      await pager.settled()
    }
  }

  // MARK: - P7

  /// A list of 30 rows of 1,000, whose further pages hang until they are let go.
  private func hanging(_ hold: Hold, _ clock: ManualClock) async -> (Pager<Int, Row>, Box<[LoadParams<Int>]>) {
    let server = ListServer(count: 1_000)
    let calls = Box<[LoadParams<Int>]>([])
    let source = TraitedSource<Int> { params in
      calls.change { $0.append(params) }
      if params.type == .append { try await hold.pass() }
      return server.page(at: params.key, size: params.loadSize)
    }
    var config = PagingConfig(pageSize: 10, prefetchDistance: 5)
    config.abandonAfter = .seconds(5)
    let pager = Pager(config: config, clock: clock, source: source)
    await pager.settled()
    pager.look(at: 20..<30)
    await hold.reached()
    // The load's age is looked at when this one wakes.
    await clock.sleepers(atLeast: 1)
    return (pager, calls)
  }

  @Test func P7_aLoadIsAbandonedWhenItIsOldAndItsRowsAreFar() async throws {
    let (hold, clock) = (Hold(), ManualClock())
    let (pager, calls) = await hanging(hold, clock)
    pager.look(at: 0..<10)
    await clock.advance(by: .milliseconds(4_999))
    #expect(pager.snapshot.source.append == .loading)
    #expect(!hold.wasCancelled)
    await clock.advance(by: .milliseconds(1))
    try await hold.cancelled()
    await pager.settled()
    #expect(pager.snapshot.source == .idle(prependEnd: true), "as if it had never started")
    #expect(pager.snapshot.ids == Array(0..<30))
    hold.open()
    try await pager.see(20..<30)
    #expect(calls.value.map(\.key) == [nil, 30, 30])
    #expect(pager.snapshot.ids == Array(0..<40))
  }

  @Test func P7_aLoadOfNearRowsIsNotAbandoned() async throws {
    let (hold, clock) = (Hold(), ManualClock())
    let (pager, _) = await hanging(hold, clock)
    // Exactly a page and the distance away, not more.
    pager.look(at: 5..<15)
    await clock.advance(by: .seconds(60))
    #expect(pager.snapshot.source.append == .loading)
    #expect(!hold.wasCancelled)
    // One row more, and it goes at once, since it is old already.
    pager.look(at: 4..<14)
    try await hold.cancelled()
    #expect(pager.snapshot.source.append == .notLoading(endReached: false))
  }

  @Test func P7_withoutTheSettingNothingIsAbandoned() async throws {
    let (hold, clock) = (Hold(), ManualClock())
    let server = ListServer(count: 1_000)
    let source = TraitedSource<Int> { params in
      if params.type == .append { try await hold.pass() }
      return server.page(at: params.key, size: params.loadSize)
    }
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 5), clock: clock, source: source)
    await pager.settled()
    pager.look(at: 20..<30)
    await hold.reached()
    pager.look(at: 0..<1)
    await clock.advance(by: .seconds(1_000_000))
    pager.look(at: 0..<1)
    #expect(pager.snapshot.source.append == .loading)
    #expect(!hold.wasCancelled)
  }

  // MARK: - P8

  @Test func P8_whatALoadThrowsBecomesTheStateOfItsEdge() async throws {
    let server = ListServer(count: 1_000)
    let isDown = Box(true)
    let source = TraitedSource<Int> { params in
      if isDown.value { throw Offline(number: LoadType.allCases.firstIndex(of: params.type) ?? 9) }
      return server.page(at: params.key, size: params.loadSize)
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 500, source: source)
    await pager.settled()
    #expect(pager.snapshot.source.refresh.failure?.error as? Offline == Offline(number: 0))
    #expect(pager.snapshot.source.prepend == .notLoading(endReached: false))
    #expect(pager.snapshot.source.append == .notLoading(endReached: false))
    isDown.change { $0 = false }
    try await pager.retry().finished()
    isDown.change { $0 = true }
    try await pager.see(0..<30)
    let states = pager.snapshot.source
    #expect(states.refresh == .notLoading(endReached: false))
    #expect(states.prepend.failure?.error as? Offline == Offline(number: 1))
    #expect(states.append.failure?.error as? Offline == Offline(number: 2))
    #expect(Set(states.failures.map(\.number)).count == 2)
    #expect(pager.snapshot.ids == Array(500..<530))
    await #expect(throws: Offline(number: 0)) { try await pager.refresh().finished() }
  }
}

extension LoadStates {
  static func idle(prependEnd: Bool = false, appendEnd: Bool = false) -> LoadStates {
    LoadStates(
      refresh: .notLoading(endReached: false), prepend: .notLoading(endReached: prependEnd),
      append: .notLoading(endReached: appendEnd))
  }
}
