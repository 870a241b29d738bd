import Loading
import Paging
import PagingTesting
import Testing

/// P11.
@Suite(.timeLimit(.minutes(10))) struct InvalidationContracts {
  /// A list with a stream of changes, of which refreshes after the first can be held back.
  private struct Fixture {
    let server = ListServer(count: 100)
    let log = EventLog()
    let hold = Hold()
    let isHeld = Box(false)
    let refreshes = Box(0)
    let changes: AsyncStream<SourceChange<Row>>.Continuation
    let pager: Pager<Int, Row>

    init() {
      let (stream, continuation) = AsyncStream<SourceChange<Row>>.makeStream()
      changes = continuation
      let (server, hold, isHeld, refreshes) = (server, hold, isHeld, refreshes)
      var traits = TraitedSource<Int>.Traits()
      traits.changes = { stream }
      pager = Pager(
        config: PagingConfig(pageSize: 10), observer: log.observer,
        source: TraitedSource<Int>(traits) { params in
          let page = server.page(at: params.key, size: params.loadSize)
          if params.type == .refresh {
            refreshes.change { $0 += 1 }
            if isHeld.value { try await hold.pass() }
          }
          return page
        })
    }
  }

  @Test func P11_anInvalidationDuringARefreshIsNeitherLostNorRunTwice() async throws {
    let list = Fixture()
    let stream = list.pager.snapshots().makeAsyncIterator()
    await list.pager.settled()
    list.isHeld.change { $0 = true }
    let command = list.pager.refresh()
    await list.hold.reached()
    list.server.edit { $0.insert(Row(id: 500), at: 0) }
    list.pager.invalidate()
    list.pager.invalidate()
    #expect(list.refreshes.value == 2)
    list.hold.open()
    try await command.finished()
    await list.pager.settled()
    #expect(list.refreshes.value == 3)
    #expect(list.pager.snapshot.ids.first == 500)
    #expect(try await list.log.reasons(2) == ["refresh", "invalidation"])
    withExtendedLifetime(stream) {}
  }

  @Test func P11_aStormEndsInOneGenerationMore() async throws {
    let list = Fixture()
    let stream = list.pager.snapshots().makeAsyncIterator()
    await list.pager.settled()
    list.isHeld.change { $0 = true }
    for _ in 0..<1_000 { list.pager.invalidate() }
    await list.hold.reached()
    for _ in 0..<1_000 { list.pager.invalidate() }
    list.hold.open()
    await list.pager.settled()
    #expect(list.refreshes.value == 3, "the first load, one at once, and one for all that came meanwhile")
    withExtendedLifetime(stream) {}
  }

  @Test func P11_aStormOfASourcesChangesEndsInOneGenerationMore() async throws {
    let list = Fixture()
    let stream = list.pager.snapshots().makeAsyncIterator()
    await list.pager.settled()
    list.isHeld.change { $0 = true }
    list.changes.yield(.everything)
    await list.hold.reached()
    list.server.edit { $0 = [Row(id: 900)] }
    for _ in 0..<1_000 { list.changes.yield(.everything) }
    // Heard after all the others, since the stream keeps their order.
    list.changes.yield(.items([Row(id: 3, title: "heard")]))
    try await list.pager.first { $0.items.contains { $0.title == "heard" } }
    list.hold.open()
    await list.pager.settled()
    #expect(list.refreshes.value == 3)
    #expect(list.pager.snapshot.ids == [900])
    withExtendedLifetime(stream) {}
  }

  @Test func P11_whileNobodyObservesItIsRemembered() async throws {
    let list = Fixture()
    await list.pager.settled()
    list.server.edit { $0.insert(Row(id: 500), at: 0) }
    for _ in 0..<1_000 { list.pager.invalidate() }
    #expect(list.log.begun() == 1)
    #expect(list.pager.snapshot.ids == Array(0..<30))
    let shown = try await list.pager.first { $0.ids.first == 500 || $0.source.refresh.failure != nil }
    #expect(shown.ids.first == 500)
    await list.pager.settled()
    #expect(list.refreshes.value == 2)
  }

  @Test func P11_beforeTheFirstLoadThereIsNothingToInvalidate() async throws {
    let list = Fixture()
    list.pager.invalidate()
    await list.pager.settled()
    await list.pager.settled()
    #expect(list.refreshes.value == 1)
  }

  @Test func P11_fresherCopiesShowInPlaceWithoutALoad() async throws {
    let list = Fixture()
    await list.pager.settled()
    let before = list.pager.snapshot
    list.changes.yield(.items([Row(id: 7, title: "a"), Row(id: 29, title: "b"), Row(id: 9_999, title: "not loaded")]))
    let shown = try await list.pager.first { $0[29].item?.title == "b" }
    #expect(shown[7].item?.title == "a")
    #expect(shown.ids == before.ids)
    #expect(shown.changes(from: before) == ListChanges(updates: [7, 29]))
    await list.pager.settled()
    #expect(list.log.begun() == 1)
    list.changes.yield(.items([Row(id: 7, title: "c"), Row(id: 7, title: "d")]))
    try await list.pager.first { $0[7].item?.title == "d" }
    #expect(list.log.begun() == 1)
  }

  @Test func P11_aLoadMayCallItsSourceOutOfDate() async throws {
    let (server, isStale, calls) = (ListServer(count: 100), Box(false), Box<[LoadType]>([]))
    let pager = Pager(
      config: PagingConfig(pageSize: 10),
      source: TraitedSource<Int> { params in
        calls.change { $0.append(params.type) }
        if isStale.change({ stale in
          defer { stale = false }
          return stale
        }) {
          throw PagingError.invalidated
        }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    isStale.change { $0 = true }
    try await pager.see(20..<30)
    #expect(calls.value.starts(with: [.refresh, .append, .refresh]))
    #expect(pager.snapshot.source.failures.isEmpty)
    isStale.change { $0 = true }
    try await pager.refresh().finished()
    #expect(pager.snapshot.source.failures.isEmpty)
  }
}
