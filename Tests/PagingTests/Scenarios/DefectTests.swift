import Loading
import PagingTesting
import Testing

@testable import Paging

/// The defects of part 4.1 of the catalogue: each shown not to be here.
@Suite(.timeLimit(.minutes(10))) struct DefectTests {
  @Test func DEF_01_aLocalFailureIsSeenWhenTheMediatorSucceeds() {
    let failure = LoadFailure(number: 1, error: Broken())
    var states = CombinedLoadStates(source: .idle, mediator: .idle)
    states.source.refresh = .loading
    states.mediator?.refresh = .loading
    #expect(states.refresh == .loading)
    states.source.refresh = .failed(failure)
    #expect(states.refresh == .loading, "the mediator still loads")
    states.mediator?.refresh = .notLoading(endReached: false)
    #expect(states.refresh == .failed(failure), "no spinner without end")
    states.source.refresh = .loading
    #expect(states.refresh == .loading)
    states.source.refresh = .notLoading(endReached: false)
    #expect(states.refresh == .notLoading(endReached: false))
  }

  @Test(arguments: [true, false]) func DEF_02_theFirstPlaceholderAsksForItsRow(upwards: Bool) {
    // The page that comes is empty, so what is wanted is wanted still.
    let config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    var scenario = Scenario.loaded(config, key: 50)
    scenario.look(at: upwards ? 49 : 53)
    let type = upwards ? LoadType.prepend : .append
    #expect(scenario.running == [type])
    scenario.load(Page([], previousKey: 49, nextKey: 54, itemsBefore: 50, itemsAfter: 47))
    #expect(scenario.running == [type])
    scenario.load(Page([Row(id: upwards ? 49 : 53)], previousKey: 48, nextKey: 55, itemsBefore: 49, itemsAfter: 46))
    #expect(scenario.running == [type], "and one row ahead")
  }

  @Test func DEF_05_noCommandIsLostInAnother() {
    // A refresh, and the source's word right after it: both come true.
    var scenario = Scenario.loaded(PagingConfig(pageSize: 2), key: 50)
    scenario.refresh()
    scenario.invalidate()
    #expect(scenario.running == [.refresh])
    scenario.load()
    #expect(scenario.engine.finished == [1: 1])
    #expect(scenario.running == [.refresh], "one more, since it was said after the first had begun")
    scenario.load()
    #expect(scenario.engine.events.filter { $0.name == "generation" }.map(\.reason) == ["refresh", "invalidation"])
    // Both sides in one breath.
    scenario.load(.append)
    scenario.load(.prepend)
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.engine.finished == [1: 1, 2: 1, 3: 1, 4: 1])
    #expect(scenario.rows.first ?? 50 < 50)
    #expect(scenario.rows.last ?? 55 > 55)
  }

  @Test func DEF_07_commandsThatCannotBeDoneLeaveTheListAlive() async throws {
    let server = ListServer(count: 0)
    let pager = Pager(config: PagingConfig(pageSize: 5), source: server.source())
    var stream = pager.snapshots().makeAsyncIterator()
    try await pager.refresh().finished()
    try await pager.refresh().finished()
    #expect(pager.snapshot.phase == .empty)
    await #expect(throws: PagingError.self) { try await pager.jump(toItem: 7).finished() }
    await #expect(throws: PagingError.self) { try await pager.jump(toIndex: 7).finished() }
    #expect(pager.snapshot.source.failures.isEmpty)
    server.edit { $0 = [Row(id: 1)] }
    try await pager.refresh().finished()
    while let snapshot = await stream.next(), snapshot.ids != [1] {}
    #expect(pager.snapshot.ids == [1])
  }

  @Test func DEF_08_twoPagesStayWhateverTheirSizes() throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 0, initialLoadSize: 5, maxSize: 3)
    for type in [LoadType.append, .prepend] {
      var scenario = Scenario(config, key: 50)
      scenario.observe()
      var rows = 50..<55
      func page() -> Page<Int, Row> {
        Page(rows.map { Row(id: $0) }, previousKey: rows.lowerBound, nextKey: rows.upperBound)
      }
      scenario.load(page())
      for size in [5, 1, 7, 1, 1, 9] {
        let first = scenario.snapshot.placeholdersBefore
        scenario.look(at: type == .append ? first + scenario.rows.count - 1 : first)
        scenario.load(type)
        rows =
          type == .append ? rows.upperBound..<rows.upperBound + size : rows.lowerBound - size..<rows.lowerBound
        scenario.load(page())
        #expect(scenario.pages.count == 2)
        #expect(scenario.rows.contains(rows.lowerBound))
      }
    }
  }

  /// A source that says when it is gone.
  private final class MortalSource: PageSource {
    let gone: Hold

    init(_ gone: Hold) {
      self.gone = gone
    }

    deinit { gone.open() }

    func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> { Page([Row(id: 1)]) }
  }

  @Test func DEF_09_theSourcesOfPastGenerationsAreReleased() async throws {
    let holds = (0..<4).map { _ in Hold() }
    let made = Box(0)
    let pager = Pager<Int, Row>(config: PagingConfig(pageSize: 5)) {
      MortalSource(
        holds[
          made.change { made in
            defer { made += 1 }
            return made
          }])
    }
    await pager.settled()
    for generation in 0..<3 {
      try await pager.refresh().finished()
      try await holds[generation].pass()
    }
    #expect(made.value == 4)
    #expect(pager.snapshot.ids == [1])
  }

  @Test func DEF_12_whatIsWantedStaysWantedWhenRowsComeAbove() {
    let config = PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 9).withoutPlaceholders
    var scenario = Scenario.loaded(config, key: 50)
    scenario.look(at: 8)
    scenario.load(.prepend)
    #expect(scenario.running == [.append, .prepend])
    scenario.load(at: 1)
    #expect(scenario.rows.first == 47)
    // The row is 58 still, now at index 11; what comes after it is empty, so it is asked for again.
    #expect(scenario.anchorIndex == 11)
    scenario.load(Page([], previousKey: 59, nextKey: 60))
    #expect(scenario.running == [.append])
    scenario.load(Page((59...61).map { Row(id: $0) }, previousKey: 59, nextKey: 62))
    #expect(scenario.rows == Array(47...61))
    #expect(scenario.running.isEmpty)
    #expect(scenario.engine.state.position.rowsBefore == 11)
  }

  @Test func DEF_13_badSizesAreRefusedByNameBeforeAnythingRuns() throws {
    for (make, name) in [
      ({ () throws(PagingError) in try PagingConfig(pageSize: 0, maxSize: 100) }, "pageSize"),
      ({ () throws(PagingError) in try PagingConfig(pageSize: -1, maxSize: 100) }, "pageSize"),
      (
        { () throws(PagingError) in try PagingConfig(pageSize: 5, prefetchDistance: -1, maxSize: 100) },
        "prefetchDistance"
      ),
      (
        { () throws(PagingError) in try PagingConfig(pageSize: 5, initialLoadSize: 0, maxSize: 100) }, "initialLoadSize"
      ),
      ({ () throws(PagingError) in try PagingConfig(pageSize: 5, maxSize: 14) }, "maxSize"),
    ] as [(() throws(PagingError) -> PagingConfig, String)] {
      let error = #expect(throws: PagingError.self) { _ = try make() }
      #expect(error?.code == .contradictoryConfig)
      #expect(error?.message.contains(name) == true)
    }
    #expect(try PagingConfig(pageSize: 5, maxSize: 15).maxSize == 15)
    #expect(PagingConfig(pageSize: .max).initialLoadSize == .max, "no overflow")
    #expect(try PagingConfig(pageSize: 5, prefetchDistance: 0, maxSize: 5).prefetchDistance == 0)
    // In place of SNP-45: a threshold and a source that can't jump are no contradiction.
    var config = PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2)
    config.jumpThreshold = 10
    var scenario = Scenario(config, key: 50, server: StillServer(count: 100))
    scenario.observe()
    scenario.load()
    scenario.engine.server.count = 0
    scenario.look(at: 10)
    #expect(scenario.running == [.prepend], "it is read from the edge")
    #expect(scenario.states == "{p:L}")
  }
}
