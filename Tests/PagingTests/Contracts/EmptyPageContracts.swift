import Paging
import PagingTesting
import Testing

/// P4.
@Suite(.timeLimit(.minutes(10))) struct EmptyPageContracts {
  /// Pages of these lengths, one after the other, keys being page numbers; the last one ends the list.
  private func source(_ lengths: [Int]) -> RowSource {
    RowSource(clock: ManualClock()) { params in
      let page = params.key ?? 0
      let start = lengths[..<page].reduce(0, +)
      return .page(
        Page(
          (start..<start + lengths[page]).map { Row(id: $0) }, previousKey: page > 0 ? page - 1 : nil,
          nextKey: page + 1 < lengths.count ? page + 1 : nil))
    }
  }

  private let config = PagingConfig(pageSize: 10)

  @Test func P4_aShortPageIsNotTheEnd() async throws {
    let lengths = [3, 1, 0, 10, 2, 1, 1, 0, 0, 5]
    let pager = Pager(config: config, source: source(lengths))
    await pager.settled()
    for _ in 0..<20 where !pager.snapshot.source.append.isAtEnd {
      try await pager.see(pager.snapshot.count - 1..<pager.snapshot.count)
    }
    #expect(pager.snapshot.ids == Array(0..<23))
    #expect(pager.snapshot.source == .idle(prependEnd: true, appendEnd: true))
  }

  @Test func P4_aFullPageWithoutAKeyIsTheEnd() async throws {
    let source = source([30])
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(29..<30)
    #expect(source.calls.count == 1)
    #expect(pager.snapshot.source.append.isAtEnd)
  }

  @Test func P4_anEmptyPageWithAKeyIsFollowedAtOnce() async throws {
    let source = source([30, 0, 0, 0, 10, 10])
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(0..<21)
    #expect(source.calls.map(\.key) == [nil, 1, 2, 3, 4])
    #expect(pager.snapshot.ids == Array(0..<40))
  }

  @Test func P4_anEmptyPageThatACommandAskedForIsFollowedToo() async throws {
    let source = source([30, 0, 0, 10, 10])
    let pager = Pager(config: PagingConfig(pageSize: 10, prefetchDistance: 0), source: source)
    await pager.settled()
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(0..<40))
    #expect(source.calls.map(\.key) == [nil, 1, 2, 3])
  }

  @Test(arguments: [1, 3, 8]) func P4_theEdgeStopsAfterItsBudgetAndRetryGoesOnFromThere(budget: Int) async throws {
    var config = config
    if budget != 8 { config.emptyPageBudget = budget }
    let source = source([30] + Array(repeating: 0, count: 2 * budget) + [10])
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(20..<30)
    #expect(source.calls.count == 1 + budget)
    #expect(code(pager.snapshot.source.append) == .emptyPages)
    #expect(pager.snapshot.ids == Array(0..<30))
    try await pager.see(25..<30)
    #expect(source.calls.count == 1 + budget, "a report doesn't start it again")
    let error = await #expect(throws: PagingError.self) { try await pager.retry().finished() }
    #expect(error?.code == .emptyPages)
    #expect(source.calls.map(\.key) == [nil] + (1...2 * budget).map { $0 })
    #expect(code(pager.snapshot.source.append) == .emptyPages)
    try await pager.retry(.append).finished()
    #expect(source.calls.last?.key == 2 * budget + 1)
    #expect(pager.snapshot.ids == Array(0..<40))
    #expect(pager.snapshot.source.append.isAtEnd)
  }

  @Test func P4_oneRowThatIsNewRenewsTheBudget() async throws {
    let source = source([30] + Array(repeating: 0, count: 7) + [1] + Array(repeating: 0, count: 7) + [20])
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(29..<30)
    #expect(pager.snapshot.ids == Array(0..<51))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P4_thePrependEdgeHasTheSameBudget() async throws {
    let source = source([10] + Array(repeating: 0, count: 8) + [30, 10])
    let pager = Pager(config: config, initialKey: 9, source: source)
    await pager.settled()
    try await pager.see(0..<5)
    #expect(code(pager.snapshot.source.prepend) == .emptyPages)
    #expect(pager.snapshot.source.append == .notLoading(endReached: false))
    try await pager.retry(.prepend).finished()
    #expect(pager.snapshot.ids == Array(0..<40))
  }

  @Test func P4_pagesOfRowsThatAreThereAlreadyShowNothingNew() async throws {
    let source = RowSource(clock: ManualClock()) { params in
      .page(Page((0..<10).map { Row(id: $0) }, nextKey: (params.key ?? 0) + 1))
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    try await pager.see(0..<10)
    #expect(source.calls.count == 9)
    #expect(code(pager.snapshot.source.append) == .emptyPages)
    #expect(pager.snapshot.ids == Array(0..<10))
  }

  @Test func P4_aListOfEmptyPagesAloneStopsToo() async throws {
    let source = RowSource(clock: ManualClock()) { .page(Page([], nextKey: ($0.key ?? 0) + 1)) }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    #expect(source.calls.count == 8)
    guard case .failed(let failure) = pager.snapshot.phase else {
      Issue.record("\(pager.snapshot.phase)")
      return
    }
    #expect((failure.error as? PagingError)?.code == .emptyPages)
  }

  // MARK: - Circles

  /// A list whose keys run along a tail and then round for ever, each page with new rows.
  private func circle(_ tail: Int, _ length: Int) -> @Sendable (LoadParams<Int>) -> Page<Int, Row> {
    let nextRow = Box(0)
    return { params in
      let key = params.key ?? 0
      let next = key + 1 < tail + length ? key + 1 : tail
      let first = nextRow.change { row in
        defer { row += 2 }
        return row
      }
      let rows = [Row(id: first), Row(id: first + 1)]
      return params.type == .prepend ? Page(rows, previousKey: next) : Page(rows, previousKey: 0, nextKey: next)
    }
  }

  @Test(arguments: [(0, 1), (1, 1), (0, 2), (3, 1), (5, 7), (1, 100), (100, 1), (100, 37), (0, 300)])
  func P4_keysThatGoRoundStopTheEdge(tail: Int, length: Int) async throws {
    for type in [LoadType.append, .prepend] {
      let page = circle(tail, length)
      let source = RowSource(clock: ManualClock()) { .page(page($0)) }
      let pager = Pager(config: PagingConfig(pageSize: 2, prefetchDistance: 0), source: source)
      await pager.settled()
      let most = 3 * (tail + length) + 5
      for _ in 0..<most where pager.snapshot.source[type].failure == nil { try? await pager.load(type).finished() }
      #expect(code(pager.snapshot.source[type]) == .keyCycle, "\(type)")
      #expect(source.calls.count > tail, "not before it has gone round")
      #expect(pager.snapshot.count == source.calls.count * 2, "the rows stay, the last page's too")
    }
  }

  @Test func P4_aSourceMaySayThatItsKeysRepeatRightly() async throws {
    let page = circle(0, 3)
    let source = TraitedSource<Int>(
      {
        var traits = TraitedSource<Int>.Traits()
        traits.allowsRepeatedKeys = true
        return traits
      }()
    ) { page($0) }
    let pager = Pager(config: PagingConfig(pageSize: 2, prefetchDistance: 0), source: source)
    await pager.settled()
    for _ in 0..<100 { try await pager.load(.append).finished() }
    #expect(pager.snapshot.count == 202)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P4_keysThatNeverRepeatAreNoCircle() async throws {
    let server = ListServer(count: 3_000)
    let pager = Pager(config: PagingConfig(pageSize: 5), initialKey: 1_500, source: server.source(pageSize: 5))
    await pager.settled()
    while !pager.snapshot.source.append.isAtEnd || !pager.snapshot.source.prepend.isAtEnd {
      try await pager.see(0..<pager.snapshot.count)
      try #require(pager.snapshot.source.failures.isEmpty)
    }
    #expect(pager.snapshot.ids == server.ids)
  }

  @Test(arguments: [true, false]) func P4_readingDroppedPagesAgainIsNoCircle(goesBack: Bool) async throws {
    let server = ListServer(count: 300)
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 10, maxSize: 40)
    let pager = Pager(config: config, source: server.source(goesBack: goesBack))
    await pager.settled()
    for _ in 0..<6 {
      for row in Array(stride(from: 0, to: 300, by: 5)) + stride(from: 295, through: 0, by: -5) {
        try await pager.see(row..<row + 5)
        try #require(pager.snapshot.source.failures.isEmpty)
        try #require(pager.snapshot.slots[row..<row + 5].map { $0 } == Array(row..<row + 5))
      }
    }
  }
}
