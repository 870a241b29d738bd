import Paging
import PagingTesting
import Testing

/// What comes of sources that behave badly: a state that says so, and the rows that were there are still there.
@Suite(.timeLimit(.minutes(10))) struct BadSourceTests {
  private let config = PagingConfig(pageSize: 10)
  private let server = ListServer(count: 100)

  /// A pager of a list that is well until `misbehave` says what comes of a load that isn't the first.
  private func pager(
    _ misbehave: @escaping @Sendable (LoadParams<Int>) -> RowSource.Step
  ) async -> (Pager<Int, Row>, RowSource) {
    let server = server
    let isFirst = Box(true)
    let source = RowSource(clock: ManualClock()) { params in
      let first = isFirst.change { first in
        defer { first = false }
        return first
      }
      return first ? .page(server.page(at: params.key, size: params.loadSize)) : misbehave(params)
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    return (pager, source)
  }

  @Test func neverReturns() async throws {
    let (pager, _) = await pager { $0.key == 0 ? .page(Page([Row(id: 7)])) : .hang }
    pager.look(at: 20..<30)
    #expect(pager.snapshot.source.append == .loading)
    #expect(pager.snapshot.ids == Array(0..<30))
    try await pager.jump(toKey: 0).finished()
    #expect(pager.snapshot.ids == [7])
    let first = Pager(source: RowSource(clock: ManualClock()) { _ in .hang })
    try await first.first { $0.phase == .loading }
    first.close()
    #expect(first.snapshot.count == 0)
  }

  @Test func ignoresCancellation() async throws {
    let gate = Gate()
    let (pager, source) = await pager { params in
      params.type == .refresh
        ? .page(Page([Row(id: 7)])) : .held(by: gate, .page(Page([Row(id: 666)], nextKey: 5))).ignoringCancellation
    }
    pager.look(at: 20..<30)
    await source.calls(atLeast: 2)
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids == [7])
    gate.open()
    await letOthersRun()
    #expect(pager.snapshot.ids == [7])
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func throwsAtOnce() async throws {
    let (pager, source) = await pager { _ in .failure(Offline()) }
    try await pager.see(20..<30)
    #expect(pager.snapshot.source.append.failure?.error as? Offline == Offline())
    #expect(pager.snapshot.ids == Array(0..<30))
    #expect(source.calls.count == 2, "with no further attempt")
    await #expect(throws: Offline()) { try await pager.refresh().finished() }
    #expect(pager.snapshot.ids == Array(0..<30))
    let first = Pager(source: RowSource(clock: ManualClock()) { _ in .failure(Offline()) })
    await first.settled()
    guard case .failed(let failure) = first.snapshot.phase else {
      Issue.record("\(first.snapshot.phase)")
      return
    }
    #expect(failure.error as? Offline == Offline())
  }

  @Test func theSamePageForEver() async throws {
    let same = Page((0..<10).map { Row(id: $0) }, nextKey: 1)
    let pager = Pager(config: config, source: RowSource(clock: ManualClock()) { _ in .page(same) })
    await pager.settled()
    try await pager.see(0..<10)
    let code = code(pager.snapshot.source.append)
    #expect(code == .keyCycle || code == .emptyPages)
    #expect(pager.snapshot.ids == Array(0..<10))
  }

  @Test func cursorsInACircle() async throws {
    let server = server
    let (pager, _) = await pager { params in
      var page = server.page(at: params.key, size: params.loadSize)
      if params.key == 50 { page.nextKey = 30 }
      return .page(page)
    }
    for _ in 0..<20 { try await pager.see(pager.snapshot.count - 1..<pager.snapshot.count) }
    let code = code(pager.snapshot.source.append)
    #expect(code == .keyCycle || code == .emptyPages)
    #expect(pager.snapshot.ids == Array(0..<60))
  }

  @Test func tenThousandEmptyPages() async throws {
    let (pager, source) = await pager { params in
      let key = params.key ?? 0
      return .page(key < 10_030 ? Page([], nextKey: key + 1) : Page([Row(id: 999)]))
    }
    try await pager.see(20..<30)
    #expect(source.calls.count == 9)
    #expect(code(pager.snapshot.source.append) == .emptyPages)
    #expect(pager.snapshot.ids == Array(0..<30))
    for _ in 0..<1_250 where pager.snapshot.source.append.failure != nil { try? await pager.retry().finished() }
    #expect(pager.snapshot.ids.last == 999)
    #expect(source.calls.count == 10_002)
  }

  @Test func absurdCounts() async throws {
    for count in [Int.max, Int.max - 5, Int.max / 2, Int.min] {
      let source = RowSource(clock: ManualClock()) { params in
        let key = params.key ?? 0
        return .page(
          Page(
            (0..<10).map { Row(id: key * 10 + $0) }, previousKey: key - 1, nextKey: key + 1, itemsBefore: count,
            itemsAfter: count, total: .exact(count)))
      }
      let pager = Pager(config: config, source: source)
      await pager.settled()
      #expect(pager.snapshot.items.count == 10)
      #expect(pager.snapshot.count >= 10)
      let index = pager.snapshot.placeholdersBefore
      try await pager.see(index..<index + 10)
      try await pager.refresh().finished()
      #expect(pager.snapshot.phase == .content)
      #expect(pager.snapshot.source.failures.isEmpty)
    }
  }

  @Test func theNextKeyIsItsOwn() async throws {
    let (pager, _) = await pager { params in
      .page(Page([Row(id: 1_000 + (params.key ?? 0))], previousKey: params.key, nextKey: params.key))
    }
    try await pager.see(20..<30)
    #expect(code(pager.snapshot.source.append) == .keyCycle)
    #expect(pager.snapshot.ids == Array(0..<30) + [1_030])
  }
}
