import Loading
import PagingTesting
import Testing

@testable import Paging

/// What a screen sees and says: the PRE scenarios. Pages of 3, 3 ahead, first 9, no placeholders, unless one says otherwise.
@Suite struct PresenterScenarioTests {
  private func started(_ key: Int? = nil, _ config: PagingConfig? = nil) -> Scenario {
    let standard = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 9).withoutPlaceholders
    var scenario = Scenario(config ?? standard, key: key)
    scenario.engine.refreshesAtTheAnchor()
    return scenario
  }

  private func loaded(_ key: Int? = nil, _ config: PagingConfig? = nil) -> Scenario {
    var scenario = started(key, config)
    scenario.observe()
    scenario.load()
    _ = scenario.news()
    return scenario
  }

  // MARK: - Commands

  @Test func PRE_03_aCommandTakesEffectOnce() {
    var scenario = loaded()
    scenario.refresh()
    #expect(scenario.running == [.refresh])
    scenario.fail()
    scenario.retry()
    #expect(scenario.running == [.refresh])
    #expect(scenario.engine.finished[1] == 1)
  }

  @Test func PRE_04_aCommandBeforeAnybodyObservesIsDone() {
    var scenario = started()
    scenario.refresh()
    scenario.load()
    #expect(scenario.rows == Array(0..<9))
    #expect(scenario.engine.finished == [1: 1])
    scenario = started()
    scenario.retry()
    #expect(scenario.running == [.refresh], "it starts the pager, and there was nothing to retry")
    #expect(scenario.engine.finished == [1: 1])
  }

  @Test func PRE_05_aRefreshBeforeTheFirstRowsIsDone() {
    var scenario = started()
    scenario.observe()
    scenario.refresh()
    #expect(scenario.running == [.refresh])
    scenario.load()
    #expect(scenario.rows == Array(0..<9))
    #expect(scenario.engine.finished == [1: 1])
  }

  // MARK: - Reports

  @Test func PRE_07_reportsReachTheGenerationThatIsShown() {
    let config = PagingConfig(pageSize: 5, initialLoadSize: 5)
    var scenario = loaded(0, config)
    #expect(scenario.placeholders == [0, 95])
    scenario.look(at: 20)
    #expect(scenario.anchorIndex == 20)
    scenario.refresh()
    scenario.look(at: 40)
    #expect(scenario.engine.state.position.rowsBefore == 40, "heard while the second generation loads")
    scenario.load(at: scenario.running.firstIndex(of: .refresh) ?? 0)
    #expect(scenario.pages == [[20, 21, 22, 23, 24]])
    #expect(scenario.placeholders == [20, 75])
    #expect(scenario.engine.state.position.rowsBefore == 40)
    scenario.look(at: 50)
    #expect(scenario.anchorIndex == 50)
  }

  /// In place of PRE-08 and PRE-09: after a refresh the reader is still where he was, so that edge loads on by itself.
  @Test(arguments: [false, true]) func P10_theViewportMovesWithItsAnchorAndLoadsOn(fails: Bool) {
    var scenario = loaded()
    scenario.look(at: 8)
    scenario.idle()
    #expect(scenario.rows == Array(0..<12))
    scenario.refresh()
    if fails {
      scenario.fail()
      #expect(scenario.rows == Array(0..<12), "a refresh that fails changes nothing")
      scenario.retry()
    } else {
      scenario.refresh()
    }
    scenario.load()
    #expect(scenario.rows == Array(8..<17))
    #expect(scenario.engine.state.anchor == AnchorOutcome(kind: .kept, index: 0))
    #expect(scenario.running == [.prepend])
    scenario.idle()
    #expect(scenario.rows == Array(5..<17))
  }

  @Test func PRE_13_readingIsNoReport() {
    let scenario = loaded(50, PagingConfig(pageSize: 3, initialLoadSize: 9))
    let snapshot = scenario.snapshot
    #expect(snapshot[50].item?.id == 50)
    #expect(snapshot[58].item?.id == 58)
    #expect(snapshot[0].item == nil)
    #expect(snapshot[99].item == nil)
    #expect(snapshot.map { $0.item?.id }.count == 100)
    #expect(scenario.running.isEmpty)
  }

  // MARK: - Rows and states are one value

  @Test func PRE_17_aStateIsSeenWithItsRows() {
    let config = PagingConfig(pageSize: 10, prefetchDistance: 1, initialLoadSize: 10).withoutPlaceholders
    var scenario = started(50, config)
    var seen: [Int] = []
    func look(_ scenario: Scenario) {
      let snapshot = scenario.snapshot
      if snapshot.states == CombinedLoadStates(source: .idle), !snapshot.isEmpty { seen.append(snapshot.count) }
    }
    scenario.observe()
    look(scenario)
    scenario.load()
    look(scenario)
    scenario.look(at: 9)
    look(scenario)
    scenario.load()
    look(scenario)
    scenario.look(at: 0)
    look(scenario)
    scenario.load()
    look(scenario)
    #expect(seen == [10, 20, 30])
  }

  @Test func PRE_20_equalStatesAreShownOnce() {
    var scenario = loaded(50)
    scenario.look(at: 0)
    scenario.look(at: 8)
    #expect(scenario.news() == ["{p:L}", "{p:L,a:L}"])
    scenario.look(at: 7)
    scenario.look(at: 0)
    scenario.retry()
    #expect(scenario.news() == [], "nothing that anybody could see")
  }

  // MARK: - Changes

  @Test func PRE_24_whatIsAppendedIsInserted() {
    var scenario = loaded()
    let before = scenario.snapshot
    scenario.look(at: 7)
    scenario.idle()
    #expect(scenario.snapshot.changes(from: before) == ListChanges(insertions: [9, 10, 11]))
  }

  @Test func PRE_25_whatIsPrependedIsInserted() {
    var scenario = loaded(50)
    let before = scenario.snapshot
    scenario.look(at: 0)
    scenario.idle()
    #expect(scenario.rows.first == 47)
    #expect(scenario.snapshot.changes(from: before) == ListChanges(insertions: [0, 1, 2]))
  }

  private func narrow() throws -> PagingConfig {
    try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 3, maxSize: 4).withoutPlaceholders
  }

  @Test func PRE_27_whatIsDroppedAtTheFrontIsRemoved() throws {
    var scenario = loaded(1, try narrow())
    scenario.look(at: 0)
    scenario.idle()
    #expect(scenario.rows == Array(0..<4))
    let before = scenario.snapshot
    scenario.look(at: 3)
    scenario.idle()
    #expect(scenario.rows == Array(1..<5))
    #expect(scenario.snapshot.changes(from: before) == ListChanges(removals: [0], insertions: [3]))
  }

  @Test func whatIsDroppedAtTheBackIsRemoved() throws {
    var scenario = loaded(96, try narrow())
    scenario.look(at: 2)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{a:C} [96 97 98] [99]"])
    let before = scenario.snapshot
    scenario.look(at: 0)
    scenario.idle()
    #expect(scenario.rows == Array(95..<99))
    #expect(scenario.snapshot.changes(from: before) == ListChanges(removals: [3], insertions: [0]))
    // In place of PRE-31: the drop and the page that caused it are one snapshot.
    #expect(scenario.news() == ["{p:L,a:C}", "{} [95] [96 97 98]"])
  }

  /// In place of PRE-15 and PRE-32.
  @Test func P25_aPageAndTheDropThatItCausesAreOneSnapshot() throws {
    var scenario = loaded(1, try narrow())
    scenario.look(at: 0)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{p:C} [0] [1 2 3]"])
    scenario.look(at: 3)
    scenario.idle()
    #expect(scenario.news() == ["{p:C,a:L}", "{} [1 2 3] [4]"])
    scenario = loaded(50, try PagingConfig(pageSize: 1, maxSize: 4))
    scenario.look(at: 50)
    scenario.idle()
    scenario.look(at: 52)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [49] [50 51 52]", "{a:L}", "{} [50 51 52] [53]"])
  }

  // MARK: - Failures

  @Test func PRE_35_aFailedAppendIsRetried() {
    var scenario = loaded()
    scenario.look(at: 8)
    scenario.fail()
    #expect(scenario.news() == ["{p:C,a:L}", "{p:C,a:E}"])
    #expect(scenario.rows == Array(0..<9))
    scenario.retry()
    scenario.load()
    #expect(scenario.rows == Array(0..<12))
    #expect(scenario.news() == ["{p:C,a:L}", "{p:C} [0 1 2 3 4 5 6 7 8] [9 10 11]"])
  }

  @Test func PRE_36_aFailedPrependIsRetried() {
    var scenario = loaded(50)
    scenario.look(at: 0)
    scenario.fail()
    #expect(scenario.news() == ["{p:L}", "{p:E}"])
    #expect(scenario.rows == Array(50..<59))
    scenario.retry()
    scenario.load()
    #expect(scenario.rows == Array(47..<59))
    #expect(scenario.states == "{}")
  }

  @Test func PRE_37_aFailedFirstLoadIsRetriedInItsGeneration() {
    var scenario = started()
    scenario.observe()
    let source = scenario.engine.openSources
    scenario.fail()
    #expect(scenario.news() == ["{r:L}", "{r:E}"])
    #expect(scenario.rows.isEmpty)
    scenario.retry()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{p:C} [0 1 2 3 4 5 6 7 8]"])
    #expect(scenario.engine.openSources == source)
  }

  @Test func PRE_38_orRefreshedInANewOne() {
    var scenario = started()
    scenario.observe()
    let source = scenario.engine.openSources
    scenario.fail()
    scenario.refresh()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{r:E}", "{r:L}", "{p:C} [0 1 2 3 4 5 6 7 8]"])
    #expect(scenario.engine.openSources.isDisjoint(with: source))
    #expect(scenario.engine.openSources.count == 1)
  }

  @Test func aFailedRefreshIsRetriedAndTheRowsStay() {
    var scenario = loaded()
    scenario.refresh()
    scenario.fail()
    #expect(scenario.news() == ["{r:L,p:C}", "{r:E,p:C}"])
    scenario.look(at: 8)
    scenario.load()
    #expect(scenario.rows == Array(0..<12), "the edges can be used")
    scenario.retry()
    scenario.idle()
    #expect(scenario.states == "{}")
    #expect(scenario.rows.contains(8))
  }

  /// In place of PRE-30: the edges of the rows that are still shown keep their states meanwhile.
  @Test func P9_theStatesOfTheShownRowsStayWhileAnInvalidPageIsMadeGood() {
    var scenario = loaded()
    scenario.look(at: 8)
    scenario.load()
    _ = scenario.news()
    scenario.look(at: 11)
    scenario.fail(PagingError.invalidated)
    #expect(scenario.news() == ["{p:C,a:L}", "{r:L,p:C}"])
    scenario.load()
    #expect(scenario.rows == Array(11..<20))
    scenario.idle()
    #expect(scenario.rows == Array(8..<20))
    #expect(scenario.states == "{}")
  }
}
