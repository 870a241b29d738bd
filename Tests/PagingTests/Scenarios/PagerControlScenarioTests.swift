import Loading
import PagingTesting
import Testing

@testable import Paging

/// A list that is driven by commands only: the ISF scenarios. Pages of 2, 1 ahead, first 5, no placeholders.
@Suite struct PagerControlScenarioTests {
  private let config = PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 5).withoutPlaceholders

  private func loaded(_ key: Int? = nil, _ config: PagingConfig? = nil) -> Scenario {
    Scenario.loaded(config ?? self.config, key: key)
  }

  @Test func ISF_01_whoeverObservesGetsTheFirstRows() {
    var scenario = loaded()
    #expect(scenario.news() == ["{r:L}", "{p:C} [0 1 2 3 4]"])
    #expect(scenario.running.isEmpty)
  }

  @Test func ISF_02_appendLoadsOnePageEachTime() {
    var scenario = loaded()
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(0...6))
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(0...8))
    #expect(scenario.news().count == 6, "one list for each page, and its loading")
  }

  @Test func ISF_03_commandsBeforeAnEmptyListIsThereDoNoHarm() {
    var scenario = Scenario(config, server: StillServer(count: 0))
    scenario.observe()
    scenario.load(.append)
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.news() == ["{r:L}", "{p:C,a:C}"])
    #expect(scenario.engine.finished == [1: 1, 2: 1])
    #expect(scenario.engine.errors.isEmpty)
  }

  @Test func commandsBeforeTheFirstRowsWaitForThem() {
    var scenario = Scenario(config, key: 50)
    scenario.observe()
    scenario.load(.append)
    scenario.load(.prepend)
    #expect(scenario.running == [.refresh])
    scenario.idle()
    #expect(scenario.rows == Array(48...56))
  }

  @Test func commandsThatWaitForFirstRowsEndWithTheirLoad() {
    for error in [Broken(), CancellationError()] as [any Error] {
      var scenario = Scenario(config)
      scenario.observe()
      scenario.load(.append)
      scenario.fail(error)
      #expect(scenario.engine.finished == [1: 1])
      #expect(type(of: scenario.engine.errors[1] ?? Offline()) == type(of: error))
      #expect(scenario.running.isEmpty)
    }
    // After a failure there is nothing to load more of; what repeats it is a retry.
    var scenario = Scenario(config)
    scenario.observe()
    scenario.fail()
    scenario.load(.append)
    #expect(scenario.engine.finished == [1: 1])
    #expect(scenario.engine.errors[1] is Broken)
    #expect(scenario.running.isEmpty)
    scenario.retry()
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(0...6))
  }

  @Test func ISF_04_prependLoadsOnePageEachTime() {
    var scenario = loaded(50)
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(48...54))
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(46...54))
  }

  @Test func ISF_05_bothSidesAtOnce() {
    var scenario = loaded(50)
    scenario.load(.append)
    scenario.load(.prepend)
    #expect(scenario.running == [.append, .prepend])
    scenario.idle()
    #expect(scenario.rows == Array(48...56))
    #expect(scenario.pages.count == 3)
  }

  @Test func commandsAtTheEndsOfTheListAreOverAtOnce() {
    var scenario = Scenario.loaded(config, server: StillServer(count: 5))
    #expect(scenario.states == "{p:C,a:C}")
    scenario.load(.append)
    scenario.load(.prepend)
    #expect(scenario.running.isEmpty)
    #expect(scenario.engine.finished == [1: 1, 2: 1])
  }

  @Test func commandsLeaveTheAnchorWhereItIs() {
    var scenario = loaded(50)
    scenario.look(at: 2)
    scenario.load(.append)
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(48...56))
    let index = scenario.anchorIndex
    #expect(index == 4)
    scenario.refresh()
    scenario.idle()
    #expect(scenario.snapshot.index(ofItem: 52) != nil)
    #expect(scenario.engine.state.anchor?.kind == .kept)
  }

  /// In place of ISF-07: what is loaded again is what is on screen; the rest comes as it is reached.
  @Test func P9_aRefreshLoadsWhatIsOnScreenNotAllThatWasLoaded() {
    var scenario = loaded(50)
    scenario.load(.append)
    scenario.idle()
    scenario.refresh()
    scenario.idle()
    #expect(scenario.rows == Array(50...54))
    scenario = loaded(50)
    scenario.load(.append)
    scenario.idle()
    scenario.look(at: 1..<6)
    scenario.refresh()
    scenario.idle()
    #expect(scenario.rows == Array(50...56), "five rows on screen, and the page that they reach into")
  }

  private func narrow() throws -> PagingConfig {
    try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 5, maxSize: 7).withoutPlaceholders
  }

  @Test func ISF_09_appendingDropsAtTheFront() throws {
    var scenario = loaded(50, try narrow())
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(48...54))
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(50...56))
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(55...58))
  }

  @Test func ISF_10_prependingDropsAtTheBack() throws {
    var scenario = loaded(50, try narrow())
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(50...56))
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(48...54))
    scenario.load(.prepend)
    scenario.idle()
    #expect(scenario.rows == Array(46...49))
  }

  @Test func ISF_13_aFailedFirstLoadShowsNoListAndIsRetried() throws {
    var scenario = Scenario(config)
    scenario.observe()
    let source = scenario.engine.openSources
    scenario.fail()
    #expect(scenario.snapshot.phase == .failed(try #require(scenario.engine.state.states.refresh.failure)))
    scenario.retry()
    scenario.idle()
    #expect(scenario.rows == Array(0...4))
    #expect(scenario.engine.openSources == source)
  }

  @Test func ISF_14_aFailedPageIsRetried() {
    var scenario = loaded()
    let source = scenario.engine.openSources
    scenario.load(.append)
    scenario.fail()
    scenario.retry()
    scenario.idle()
    #expect(scenario.rows == Array(0...6))
    #expect(scenario.engine.openSources == source)
    scenario = loaded(50)
    scenario.load(.prepend)
    scenario.fail()
    scenario.retry()
    scenario.idle()
    #expect(scenario.rows == Array(48...54))
  }

  @Test func aCommandTriesAFailedPageAgainAsARetryDoes() {
    var scenario = loaded()
    scenario.load(.append)
    scenario.fail()
    scenario.load(.append)
    scenario.idle()
    #expect(scenario.rows == Array(0...6))
  }
}
