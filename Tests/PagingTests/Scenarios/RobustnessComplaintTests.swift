import Loading
import PagingTesting
import Testing

@testable import Paging

/// What users of Paging 3 complain of, by the numbers of the catalogue's part 4: bad servers, bad timing, bad luck.
@Suite(.timeLimit(.minutes(10))) struct RobustnessComplaintTests {
  @Test func CMP_15_theSameKeyTwiceFailsItsEdgeAndNothingElse() async throws {
    let source = RowSource(clock: ManualClock()) { params in
      let key = params.key ?? 0
      return .page(Page([Row(id: key)], nextKey: key == 2 ? 2 : key + 1))
    }
    let pager = Pager(config: PagingConfig(pageSize: 1), source: source)
    for _ in 0..<2 { _ = try? await pager.load(.append).finished() }
    #expect(pager.snapshot.ids == [0, 1, 2])
    #expect(code(pager.snapshot.source.append) == .keyCycle)
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids == [0])
  }

  @Test func CMP_18_emptyPagesAreFollowedForAWhile() {
    var config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    config.emptyPageBudget = 4
    var scenario = Scenario.loaded(config)
    scenario.look(at: 2)
    for key in 0..<4 {
      #expect(scenario.running == [.append])
      scenario.load(Page([], previousKey: 1, nextKey: 100 + key))
    }
    #expect(scenario.running.isEmpty)
    #expect(code(scenario.engine.state.states.append) == .emptyPages)
    #expect(scenario.rows == [0, 1, 2])
    // Tap to continue: from where it stopped.
    scenario.retry()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(103))
    scenario.load(Page([Row(id: 3), Row(id: 4)], previousKey: 1, nextKey: 104))
    #expect(scenario.rows == Array(0..<5))
    #expect(scenario.running.isEmpty)
  }

  @Test func CMP_19_whatIsReadOrBoundWithoutBeingReportedLoadsNothing() {
    let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 9).withoutPlaceholders
    var scenario = Scenario.loaded(config)
    for row in scenario.snapshot { #expect(row.item != nil) }
    #expect(scenario.running.isEmpty)
    // A container that shows everything it has says so once, and gets what is ahead of that once.
    scenario.look(at: 0..<9)
    scenario.idle()
    #expect(scenario.rows == Array(0..<12))
    scenario.look(at: 0..<9)
    #expect(scenario.running.isEmpty)
  }

  @Test func CMP_20_aScreenThatIsBehindDoesNoHarm() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 26, initialLoadSize: 26).withoutPlaceholders)
    let old = scenario.engine.reported
    let oldSnapshot = scenario.snapshot
    scenario.engine.server.count = 25
    scenario.refresh()
    scenario.idle()
    #expect(scenario.rows.count == 25)
    #expect(scenario.snapshot[25].item == nil)
    #expect(oldSnapshot[25].item?.id == 25)
    for rows in [25..<26, 0..<0, -5 ..< -1, 3..<Int.max, Int.min..<Int.max, 1000..<1001] {
      scenario.look(at: rows, in: old)
      scenario.look(at: rows)
      #expect(scenario.engine.brokenInvariant == nil)
    }
  }

  @Test func CMP_21_whatALoadThrowsFailsItsEdgeAndACancellationIsNoFailure() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 3, prefetchDistance: 1), key: 50)
    _ = scenario.news()
    scenario.look(at: 58)
    scenario.fail(Offline(number: 7))
    #expect(scenario.engine.state.states.append.failure?.error as? Offline == Offline(number: 7))
    scenario.retry()
    scenario.fail(CancellationError())
    #expect(scenario.news() == ["{a:L}", "{a:E}", "{a:L}", "{}"])
    #expect(scenario.running.isEmpty)
    scenario.look(at: 58)
    #expect(scenario.running == [.append])
  }

  @Test func CMP_22_eachEdgeIsRetriedByItselfOrByAPolicy() async throws {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 2), key: 50)
    scenario.look(at: 50..<52)
    scenario.fail()
    scenario.fail()
    #expect(scenario.states == "{p:E,a:E}")
    scenario.retry(.append)
    #expect(scenario.running == [.append])
    scenario.load()
    #expect(scenario.states == "{p:E}")
    scenario.retry(.prepend)
    scenario.load()
    #expect(scenario.rows == Array(49..<53))
    // A policy repeats what may pass, on the pager's clock.
    let clock = ManualClock()
    let source = RowSource(clock: clock, steps: [.failure(Offline()), .page(Page([Row(id: 1)]))])
    var config = PagingConfig(pageSize: 5)
    config.retry = .exponential(maxAttempts: 3) { $0 is Offline ? .transient : .permanent }
    let pager = Pager(config: config, clock: clock, source: source)
    let settled = Task { await pager.settled() }
    await clock.sleepers(atLeast: 1)
    #expect(pager.snapshot.phase == .loading)
    await clock.advance(by: .seconds(60))
    await settled.value
    #expect(pager.snapshot.ids == [1])
  }

  @Test func CMP_23_aStormOfInvalidationsEndsInOneGeneration() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 3), key: 50)
    for _ in 0..<100 { scenario.invalidate() }
    scenario.idle()
    #expect(scenario.engine.events.filter { $0.name == "generation" }.count == 2)
    #expect(scenario.engine.cancelled.isEmpty, "no load was thrown away")
    // What can be said of single rows costs no load at all.
    scenario.command { state, _, now in
      state.sourceRefreshed(OpaquePage(Page<Int, Row>([Row(id: 51, title: "read")])), now: now)
    }
    #expect(scenario.running.isEmpty)
    #expect(scenario.snapshot[51].item?.title == "read")
  }

  @Test func CMP_24_aLoadThatCallsItselfInvalidAgainAndAgainStops() {
    var scenario = Scenario(PagingConfig(pageSize: 3))
    scenario.observe()
    var loads = 0
    while scenario.running == [.refresh], loads < 20 {
      scenario.fail(PagingError.invalidated)
      loads += 1
    }
    #expect(loads == 4)
    #expect(code(scenario.engine.state.states.refresh) == .invalidated)
    // A page in between is progress, and the count begins anew.
    scenario.retry()
    scenario.load()
    scenario.refresh()
    scenario.fail(PagingError.invalidated)
    #expect(scenario.running == [.refresh])
    scenario.load()
    #expect(scenario.states == "{p:C}")
  }

  @Test func CMP_25_rowsThatAreDeletedUnderTheReaderDoNoHarm() {
    for left in [0, 1, 10, 49, 50, 51, 60] {
      var scenario = Scenario.loaded(PagingConfig(pageSize: 5), key: 50)
      scenario.look(at: 53..<58)
      scenario.idle()
      scenario.engine.server.count = left
      scenario.invalidate()
      scenario.idle()
      #expect(scenario.engine.brokenInvariant == nil, "\(left) rows are left")
      #expect(scenario.running.isEmpty)
      #expect(scenario.engine.state.states.source.isEmpty)
      // Placeholders that are not there any more don't stay.
      #expect(scenario.engine.list.count == left)
      #expect(scenario.rows.isEmpty == (left == 0))
    }
  }
}

extension LoadStates {
  /// The failures of these states, by load type.
  fileprivate var source: [LoadFailure] { [refresh, prepend, append].compactMap(\.failure) }
}
