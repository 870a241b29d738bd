import Paging
import PagingTesting
import Testing

/// P9: what a refresh does.
@Suite(.timeLimit(.minutes(10))) struct GenerationContracts {
  /// A list of which every load can be held back by number, counted from 1.
  private final class HeldList: Sendable {
    let server: ListServer
    let calls = Box<[LoadParams<Int>]>([])
    let holds: Box<[Int: Hold]>
    let ignoresCancellation: Bool
    let errors = Box<[Int: Offline]>([:])

    init(_ server: ListServer, holding numbers: [Int] = [], ignoresCancellation: Bool = false) {
      self.server = server
      holds = Box(Dictionary(uniqueKeysWithValues: numbers.map { ($0, Hold()) }))
      self.ignoresCancellation = ignoresCancellation
    }

    func hold(_ number: Int) -> Hold {
      holds.change { holds in
        let hold = holds[number] ?? Hold()
        holds[number] = hold
        return hold
      }
    }

    var source: TraitedSource<Int> {
      TraitedSource<Int> { [self] params in
        let number = calls.change { calls in
          calls.append(params)
          return calls.count
        }
        // What the server said when it was asked, however late that comes.
        let page = server.page(at: params.key, size: params.loadSize)
        if let hold = holds.value[number] {
          if ignoresCancellation { try await Task { try await hold.pass() }.value } else { try await hold.pass() }
        }
        if let error = errors.value[number] { throw error }
        return page
      }
    }
  }

  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  @Test func P9_theShownRowsStayUntilTheSwap() async throws {
    let list = HeldList(ListServer(count: 100), holding: [2])
    let pager = Pager(config: PagingConfig(pageSize: 10), source: list.source)
    await pager.settled()
    try await pager.see(0..<10)
    let before = pager.snapshot
    list.server.edit { $0 = (500..<600).map { Row(id: $0) } }
    let command = pager.refresh()
    await list.hold(2).reached()
    #expect(pager.snapshot.ids == before.ids)
    #expect(pager.snapshot.source.refresh == .loading)
    #expect(pager.snapshot.phase == .content)
    list.hold(2).open()
    try await command.finished()
    #expect(pager.snapshot.ids.starts(with: 500..<530))
    #expect(pager.snapshot.source.refresh == .notLoading(endReached: false))
  }

  @Test func P9_theCandidateIsShownWhenItCoversTheOldViewport() async throws {
    let list = HeldList(ListServer(count: 100), holding: [7, 8, 9])
    let pager = Pager(config: config, source: list.source)
    await pager.settled()
    for row in [0, 10, 20, 25, 25] { try await pager.see(row..<row + 20) }
    #expect(list.calls.value.count == 6)
    #expect(pager.snapshot.ids == Array(0..<60))
    list.server.edit { rows in for index in rows.indices { rows[index].title = "new" } }
    let command = pager.refresh()
    for number in 7...9 {
      await list.hold(number).reached()
      #expect(pager.snapshot.ids == Array(0..<60))
      #expect(pager.snapshot.items.allSatisfy { $0.title.isEmpty })
      #expect(pager.snapshot.source.refresh == .loading)
      list.hold(number).open()
    }
    try await command.finished()
    #expect(list.calls.value.dropFirst(6).prefix(3).map(\.key) == [20, 30, 40])
    #expect(list.calls.value.dropFirst(6).prefix(3).map(\.type) == [.refresh, .append, .append])
    let shown = pager.snapshot
    #expect(Set(20..<50).isSubset(of: shown.ids))
    #expect(shown.items.allSatisfy { $0.title == "new" })
    #expect(shown[shown.position.rowsBefore].item?.id == 25)
  }

  @Test func P9_theCandidateIsShownWhenTheListEnds() async throws {
    let list = HeldList(ListServer(count: 100))
    let pager = Pager(config: config, source: list.source)
    await pager.settled()
    for row in [0, 10, 20, 25, 25] { try await pager.see(row..<row + 20) }
    list.server.edit { $0.removeSubrange(23...) }
    let calls = list.calls.value.count
    try await pager.refresh().finished()
    #expect(list.calls.value[calls].key == 20)
    await pager.settled()
    #expect(pager.snapshot.source.append.isAtEnd)
    #expect(pager.snapshot.ids.suffix(3) == [20, 21, 22])
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P9_theCandidateIsShownWhenItsBudgetIsSpent() async throws {
    let (server, isThin) = (ListServer(count: 1_000), Box(false))
    let calls = Box<[LoadParams<Int>]>([])
    let hold = Hold()
    let source = TraitedSource<Int> { params in
      calls.change { $0.append(params) }
      if isThin.value, calls.value.count > 11 { try await hold.pass() }
      return server.page(at: params.key, size: isThin.value ? 1 : params.loadSize)
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    for row in [0, 10, 20, 25, 25] { try await pager.see(row..<row + 20) }
    #expect(calls.value.count == 6)
    isThin.change { $0 = true }
    // The viewport of 25..<45 touches three pages; two more are allowed, and they bring a row each.
    try await pager.refresh().finished()
    #expect(calls.value.dropFirst(6).prefix(5).map(\.key) == [20, 21, 22, 23, 24])
    #expect(pager.snapshot.ids == [20, 21, 22, 23, 24])
    hold.open()
    await pager.settled()
  }

  @Test func P9_emptyPagesCountAgainstTheEmptyPageBudgetOnly() async throws {
    let (isEmpty, calls) = (Box(false), Box<[LoadParams<Int>]>([]))
    let server = ListServer(count: 1_000)
    let source = TraitedSource<Int> { params in
      calls.change { $0.append(params) }
      return isEmpty.value
        ? Page([], nextKey: (params.key ?? 0) + 1) : server.page(at: params.key, size: params.loadSize)
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(0..<5)
    let before = pager.snapshot
    isEmpty.change { $0 = true }
    let first = calls.value.count
    let error = await #expect(throws: PagingError.self) { try await pager.refresh().finished() }
    #expect(error?.code == .emptyPages)
    #expect(calls.value.count == first + 8)
    #expect(pager.snapshot.ids == before.ids)
    #expect(code(pager.snapshot.source.refresh) == .emptyPages)
    isEmpty.change { $0 = false }
    try await pager.retry().finished()
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P9_atTheEdgesNothingStartsMeanwhileAndTheyResumeIfItFails() async throws {
    let list = HeldList(ListServer(count: 1_000), holding: [2])
    list.errors.change { $0[2] = Offline() }
    let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 500, source: list.source)
    await pager.settled()
    let command = pager.refresh()
    await list.hold(2).reached()
    pager.look(at: 0..<30)
    pager.look(at: 0..<30)
    #expect(pager.snapshot.source.append == .notLoading(endReached: false))
    #expect(pager.snapshot.source.prepend == .notLoading(endReached: false))
    list.hold(2).open()
    await #expect(throws: Offline()) { try await command.finished() }
    await pager.settled()
    #expect(list.calls.value.dropFirst(2).map(\.type).allSatisfy { $0 != .refresh })
    #expect(pager.snapshot.ids == Array(490..<540))
    #expect(pager.snapshot.source.refresh.failure?.error as? Offline == Offline())
  }

  @Test func P9_whatRunsAtAnEdgeShowsUntilTheSwap() async throws {
    let list = HeldList(ListServer(count: 1_000), holding: [2, 3])
    let pager = Pager(config: PagingConfig(pageSize: 10), source: list.source)
    await pager.settled()
    pager.look(at: 15..<25)
    await list.hold(2).reached()
    let command = pager.refresh()
    await list.hold(3).reached()
    #expect(pager.snapshot.source.append == .loading)
    #expect(pager.snapshot.source.refresh == .loading)
    list.hold(2).open()
    try await pager.first { $0.count == 40 && $0.source.append == .notLoading(endReached: false) }
    #expect(pager.snapshot.source.refresh == .loading)
    list.hold(3).open()
    try await command.finished()
    await pager.settled()
    #expect(pager.snapshot.ids.contains(15))
  }

  @Test func P9_theSwapCancelsPrependAndAppend() async throws {
    let list = HeldList(ListServer(count: 1_000), holding: [2, 3])
    let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 500, source: list.source)
    await pager.settled()
    pager.look(at: 0..<30)
    await list.hold(2).reached()
    await list.hold(3).reached()
    let command = pager.refresh(from: .start)
    try await list.hold(2).cancelled()
    try await list.hold(3).cancelled()
    try await command.finished()
    await pager.settled()
    #expect(pager.snapshot.ids.starts(with: 0..<30))
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(!pager.snapshot.source.append.isLoading)
  }

  @Test func P9_aLaterRefreshOrJumpCancelsAnUnfinishedCandidate() async throws {
    let list = HeldList(ListServer(count: 100), holding: [2, 3])
    let pager = Pager(config: config, source: list.source)
    await pager.settled()
    let first = pager.refresh()
    await list.hold(2).reached()
    let second = pager.refresh()
    try await list.hold(2).cancelled()
    await #expect(throws: CancellationError.self) { try await first.finished() }
    await list.hold(3).reached()
    let jump = pager.jump(toKey: 50)
    try await list.hold(3).cancelled()
    await #expect(throws: CancellationError.self) { try await second.finished() }
    try await jump.finished()
    #expect(pager.snapshot.ids.starts(with: 50..<60))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P9_aFailedRefreshLeavesRowsAndEdgesUsable() async throws {
    let list = HeldList(ListServer(count: 100))
    list.errors.change { $0[2] = Offline() }
    let pager = Pager(config: config, source: list.source)
    await pager.settled()
    await #expect(throws: Offline()) { try await pager.refresh().finished() }
    #expect(pager.snapshot.ids == Array(0..<10))
    #expect(pager.snapshot.phase == .content)
    try await pager.see(9..<10)
    #expect(pager.snapshot.ids == Array(0..<20))
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(0..<30))
    #expect(pager.snapshot.source.refresh.failure != nil)
    try await pager.refresh().finished()
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test(arguments: [false, true]) func P9_lateResultsOfAnEndedGenerationAreDiscarded(fails: Bool) async throws {
    // Load 2 is an append, load 3 a refresh that another takes the place of; none of them lets itself be cancelled.
    let list = HeldList(ListServer(count: 100), holding: [2, 3], ignoresCancellation: true)
    if fails { list.errors.change { $0 = [2: Offline(number: 2), 3: Offline(number: 3)] } }
    let log = EventLog()
    let pager = Pager(config: config, observer: log.observer, source: list.source)
    await pager.settled()
    pager.look(at: 0..<10)
    await list.hold(2).reached()
    let second = pager.refresh()
    await list.hold(3).reached()
    list.server.edit { $0 = (500..<510).map { Row(id: $0) } }
    let third = pager.refresh(from: .start)
    await #expect(throws: CancellationError.self) { try await second.finished() }
    try await third.finished()
    await pager.settled()
    let shown = pager.snapshot
    #expect(shown.ids == Array(500..<510))
    list.hold(2).open()
    list.hold(3).open()
    await letOthersRun()
    await pager.settled()
    #expect(pager.snapshot.version == shown.version)
    #expect(pager.snapshot.source.failures.isEmpty)
    try await log.caughtUp(with: pager)
    #expect(log.ended(nil, "cancelled").count == 2)
    #expect(pager.statistics.append.failures + pager.statistics.refresh.failures == 0)
  }

  @Test func P9_eachGenerationHasItsOwnSourceWhereOneIsMadeForEach() async throws {
    let made = Box(0)
    let pager = Pager(config: config) {
      let number = made.change { number in
        number += 1
        return number
      }
      return TraitedSource<Int> { params in
        Page((0..<10).map { Row(id: number * 1_000 + (params.key ?? 0) + $0) }, nextKey: (params.key ?? 0) + 10)
      }
    }
    await pager.settled()
    try await pager.see(0..<10)
    #expect(pager.snapshot.ids == Array(1_000..<1_020))
    try await pager.refresh(from: .start).finished()
    await pager.settled()
    #expect(made.value == 2)
    #expect(pager.snapshot.ids.allSatisfy { $0 >= 2_000 && $0 < 3_000 })
  }

  @Test func P9_theSourceMaySayWhereARefreshStarts() async throws {
    let server = ListServer(count: 100)
    let asked = Box<[PagingState<Int, Row>]>([])
    let base = server.source()
    let source = TraitedSource(base) { traits in
      traits.refreshKey = { state in
        asked.change { $0.append(state) }
        return state.anchorIndex.map { max(0, $0 - 3) }
      }
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(7..<10)
    try await pager.refresh().finished()
    #expect(base.calls.first { $0.type == .refresh && $0.key != nil }?.key == 4)
    let state = try #require(asked.value.first)
    #expect(state.anchorIndex == 7)
    #expect(state.anchorItem?.id == 7)
    #expect(state.pages.map(\.items.count) == [10, 10])
    #expect(state.pages.map(\.nextKey) == [10, 20])
  }

  // MARK: - Sources that only go forward

  @Test func P9_aForwardOnlySourceIsReadBackAfterDrops() async throws {
    let server = ListServer(count: 300)
    let source = server.source(goesBack: false)
    var config = try PagingConfig(pageSize: 10, prefetchDistance: 10, maxSize: 40)
    config.placeholders = false
    let pager = Pager(config: config, source: source)
    await pager.settled()
    while !pager.snapshot.source.append.isAtEnd { try await pager.see(pager.snapshot.count - 5..<pager.snapshot.count) }
    #expect(pager.snapshot.ids.last == 299)
    #expect(pager.snapshot.ids.first ?? 0 > 200)
    let there = source.calls.count
    while !pager.snapshot.source.prepend.isAtEnd {
      let first = pager.snapshot.ids[0]
      try await pager.see(0..<5)
      try #require(pager.snapshot.source.failures.isEmpty)
      try #require(pager.snapshot.ids == Array(pager.snapshot.ids[0]...(pager.snapshot.ids.last ?? 0)))
      try #require(pager.snapshot.ids[0] < first || pager.snapshot.source.prepend.isAtEnd)
    }
    #expect(pager.snapshot.ids[0] == 0)
    let back = source.calls.dropFirst(there)
    #expect(back.allSatisfy { $0.type == .append }, "as it was the first time")
    #expect(Set(back.map(\.key)).isSubset(of: source.calls.prefix(there).map(\.key)), "with the same keys")
  }

  @Test func P9_aForwardOnlySourceIsReadBackAfterARefreshInMidList() async throws {
    let server = ListServer(count: 300)
    let pager = Pager(config: config, source: server.source(goesBack: false))
    await pager.settled()
    while pager.snapshot.count < 150 { try await pager.see(pager.snapshot.count - 5..<pager.snapshot.count) }
    try await pager.see(100..<110)
    try await pager.refresh().finished()
    await pager.settled()
    #expect(pager.snapshot.anchor == nil || pager.snapshot.anchor?.kind == .kept)
    #expect(pager.snapshot.ids.contains(100))
    while !pager.snapshot.source.prepend.isAtEnd {
      try await pager.see(0..<5)
      try #require(pager.snapshot.source.failures.isEmpty)
    }
    #expect(pager.snapshot.ids == Array(0...(pager.snapshot.ids.last ?? 0)))
  }

  @Test func P9_aSourceThatGoesBackIsNotReadBackByItsOldKeys() async throws {
    let source = ListServer(count: 300).source()
    let pager = Pager(config: config, source: source)
    await pager.settled()
    while pager.snapshot.count < 150 { try await pager.see(pager.snapshot.count - 5..<pager.snapshot.count) }
    try await pager.see(100..<110)
    try await pager.refresh().finished()
    await pager.settled()
    let there = source.calls.count
    let above = pager.snapshot.ids[0]
    while !pager.snapshot.source.prepend.isAtEnd { try await pager.see(0..<5) }
    #expect(pager.snapshot.ids.first == 0)
    #expect(source.calls.dropFirst(there).map(\.type) == Array(repeating: .prepend, count: above / 10))
  }

  @Test func P9_theLastThousandKeysInFrontAreKept() async throws {
    let server = ListServer(count: 1_300)
    var config = try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 1, maxSize: 3)
    config.placeholders = false
    let pager = Pager(config: config, source: server.source(goesBack: false, pageSize: 1))
    await pager.settled()
    while !pager.snapshot.source.append.isAtEnd { try await pager.see(pager.snapshot.count - 1..<pager.snapshot.count) }
    let top = try #require(pager.snapshot.ids.first)
    var failure: LoadFailure?
    for _ in 0..<2_000 {
      try await pager.see(0..<1)
      failure = pager.snapshot.source.prepend.failure
      if failure != nil || pager.snapshot.source.prepend.isAtEnd { break }
    }
    #expect((failure?.error as? PagingError)?.code == .unreachableTarget)
    #expect(pager.snapshot.ids.first == top - 1_000)
    #expect(!pager.snapshot.source.prepend.isAtEnd)
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.ids.first == 0)
    #expect(pager.snapshot.source.prepend.isAtEnd)
  }
}

/// Gives everything that could run many chances to.
func letOthersRun() async {
  for _ in 0..<50 {
    await Task.yield()
    await Task.detached(priority: .background) { await Task.yield() }.value
  }
}
