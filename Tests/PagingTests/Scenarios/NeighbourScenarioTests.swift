import Loading
import Testing

@testable import Paging

/// What lies next to the catalogue's scenarios: mirror images, and one thing after another.
@Suite struct NeighbourScenarioTests {
  private let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 9)

  private func loaded(_ key: Int? = nil, _ config: PagingConfig? = nil, count: Int = 100) -> Scenario {
    var scenario = Scenario.loaded(config ?? self.config, key: key, server: StillServer(count: count))
    scenario.engine.refreshesAtTheAnchor()
    _ = scenario.news()
    return scenario
  }

  // MARK: - Invalid pages

  @Test func aPrependThatIsCalledInvalidStartsAGenerationAtTheAnchor() {
    var scenario = loaded(50)
    scenario.look(at: 51)
    scenario.fail(PagingError.invalidated)
    #expect(scenario.news() == ["{p:L}", "{r:L}"])
    scenario.load()
    #expect(scenario.rows == Array(51..<60))
    #expect(scenario.engine.state.anchor == AnchorOutcome(kind: .kept, index: 51))
  }

  @Test func oneInvalidPageAfterAnotherShowsNoGenerationInBetween() {
    var scenario = loaded()
    scenario.look(at: 8)
    scenario.fail(PagingError.invalidated)
    scenario.fail(PagingError.invalidated)
    #expect(scenario.news() == ["{p:C,a:L}", "{r:L,p:C}"])
    scenario.load()
    #expect(scenario.rows == Array(8..<17))
    #expect(scenario.engine.events.filter { $0.name == "generation" }.count == 1)
  }

  @Test func anInvalidPageBesideALoadOfTheOtherSide() {
    // The other side's page still shows until the next generation takes over, and what comes later doesn't.
    var scenario = loaded(50)
    scenario.look(at: 50..<59)
    #expect(scenario.running == [.prepend, .append])
    scenario.fail(at: 1, PagingError.invalidated)
    #expect(scenario.running == [.prepend, .refresh])
    scenario.load()
    #expect(scenario.rows == Array(47..<59))
    #expect(scenario.running == [.refresh])
    scenario.idle()
    #expect((50..<59).allSatisfy { scenario.rows.contains($0) })
    #expect(scenario.engine.state.anchor?.kind == .kept)
  }

  // MARK: - Wanted still

  @Test func whatAPageDidNotBringIsAskedForAgain() {
    // A report deep in placeholders: one page after the other until the row is there, and what is ahead of it.
    var scenario = loaded(0)
    scenario.look(at: 20)
    var loads = 0
    while !scenario.running.isEmpty, loads < 50 {
      scenario.load()
      loads += 1
    }
    #expect(scenario.rows == Array(0..<24))
    #expect(loads == 5)
  }

  @Test func whatTheReaderTurnsAwayFromIsNotAskedForAgain() {
    var scenario = loaded(0)
    scenario.look(at: 50)
    scenario.load()
    scenario.look(at: 4)
    scenario.load()
    #expect(scenario.rows == Array(0..<15), "the page that was on its way, and no more")
    #expect(scenario.running.isEmpty)
  }

  @Test func anEmptyFirstPageIsFollowedUpAndDown() {
    for side in EdgeSide.allCases {
      var scenario = Scenario(config)
      scenario.observe()
      scenario.load(Page([], previousKey: side == .prepend ? 9 : nil, nextKey: side == .append ? 9 : nil))
      #expect(scenario.running == [side.loadType])
      scenario.load(Page([Row(id: 5)]))
      #expect(scenario.rows == [5])
      #expect(scenario.states == "{p:C,a:C}")
    }
  }

  // MARK: - Refresh and failure

  @Test func aFailedRefreshKeepsWhatTheEdgesSay() {
    var scenario = loaded(50)
    scenario.look(at: 58)
    scenario.fail()
    scenario.refresh()
    scenario.fail()
    #expect(scenario.news() == ["{a:L}", "{a:E}", "{r:L,a:E}", "{r:E,a:E}"])
    scenario.retry()
    #expect(scenario.running == [.refresh], "the refresh comes first, and takes the place of the edge")
    scenario.load()
    #expect(scenario.rows.contains(58))
    scenario.idle()
    #expect(scenario.states == "{}")
    #expect(scenario.engine.finished.values.allSatisfy { $0 == 1 })
  }

  @Test func aRefreshTakesTheFailureOfAnEdgeAway() {
    var scenario = loaded(50)
    scenario.look(at: 58)
    scenario.fail()
    scenario.refresh()
    scenario.load()
    #expect(!scenario.states.contains("E"))
    #expect(scenario.rows.contains(58))
  }

  @Test func aRefreshOfAFailedRefreshIsANewOne() {
    var scenario = loaded(50)
    scenario.refresh()
    scenario.fail()
    scenario.refresh()
    #expect(scenario.running == [.refresh])
    scenario.load()
    #expect(scenario.states == "{}")
    #expect(scenario.news() == ["{r:L}", "{r:E}", "{r:L}", "{}"])
  }

  @Test func aListThatIsEmptyNowIsShownEmptyAndFillsAgain() {
    var scenario = loaded(0)
    scenario.look(at: 4)
    scenario.engine.server.count = 0
    scenario.refresh()
    scenario.idle()
    #expect(scenario.snapshot.phase == .empty)
    #expect(scenario.snapshot.anchor?.kind == .lost)
    scenario.engine.server.count = 5
    scenario.refresh()
    scenario.idle()
    #expect(scenario.rows == Array(0..<5))
  }

  // MARK: - Ends

  @Test func aListOfOnePageHasBothEnds() {
    var scenario = loaded(count: 9)
    #expect(scenario.states == "{p:C,a:C}")
    scenario.look(at: 0..<9)
    #expect(scenario.running.isEmpty)
    scenario = loaded(count: 10)
    #expect(scenario.states == "{p:C}")
    scenario.look(at: 0..<9)
    scenario.idle()
    #expect(scenario.rows == Array(0..<10))
    #expect(scenario.states == "{p:C,a:C}")
  }

  @Test func anEndThatWasDroppedIsReachedAgain() throws {
    var scenario = loaded(96, try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: 4))
    scenario.look(at: 97)
    scenario.idle()
    #expect(scenario.states == "{a:C}")
    scenario.look(at: 96)
    scenario.idle()
    #expect(scenario.pages == [[94, 95], [96, 97]])
    #expect(scenario.states == "{}")
    scenario.look(at: 97)
    scenario.idle()
    #expect(scenario.pages == [[96, 97], [98, 99]])
    #expect(scenario.states == "{a:C}")
  }

  @Test func aFailureThatWasDroppedIsGoneWithItsPage() throws {
    var scenario = loaded(50, try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: 4))
    scenario.look(at: 50)
    scenario.idle()
    scenario.look(at: 51)
    scenario.fail()
    #expect(scenario.states == "{a:E}")
    scenario.look(at: 48)
    scenario.load()
    #expect(scenario.pages == [[46, 47], [48, 49]])
    #expect(scenario.states == "{}")
    scenario.retry()
    #expect(scenario.running.isEmpty)
    scenario.look(at: 49)
    scenario.idle()
    #expect(scenario.pages == [[48, 49], [50, 51]])
  }

  // MARK: - Jumps

  @Test(arguments: [7, 93]) func aJumpIsUndoneByAnother(target: Int) throws {
    var config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    config.jumpThreshold = 5
    var scenario = loaded(50, config)
    scenario.look(at: target)
    scenario.idle()
    #expect(scenario.rows.contains(target))
    #expect(!scenario.rows.contains(50))
    #expect(scenario.anchorIndex == target)
    scenario.look(at: 50)
    #expect(scenario.running == [.refresh])
    scenario.idle()
    #expect(scenario.rows.contains(50))
    #expect(scenario.anchorIndex == 50)
    #expect(scenario.engine.brokenInvariant == nil)
  }

  private var jumping: PagingConfig {
    var config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    config.jumpThreshold = 5
    return config
  }

  @Test func aJumpThatFailsWaitsForARetry() {
    var scenario = loaded(50, jumping)
    scenario.look(at: 7)
    scenario.fail()
    #expect(scenario.news() == ["{r:L}", "{r:E}"], "it isn't repeated by itself, nor read page by page")
    #expect(scenario.running.isEmpty)
    scenario.look(at: 8)
    scenario.look(at: 90)
    #expect(scenario.running.isEmpty, "a report is no retry")
    #expect(scenario.rows == [50, 51, 52])
    scenario.retry()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(90), "where the reader is by now")
    scenario.idle()
    #expect(scenario.rows.contains(90))
    #expect(scenario.engine.state.states.refresh.failure == nil)
    #expect(scenario.engine.finished == [1: 1])
  }

  @Test func aJumpThatFailedIsMootWhereTheReaderCameBack() {
    var scenario = loaded(50, jumping)
    scenario.look(at: 7)
    scenario.fail()
    scenario.look(at: 52)
    #expect(scenario.running == [.append], "the edges can be used")
    scenario.load()
    scenario.retry()
    #expect(scenario.running.isEmpty)
    #expect(scenario.states == "{}")
    #expect(scenario.rows == Array(50..<56))
    #expect(scenario.engine.finished == [1: 1])
  }

  @Test func aJumpThatWasCancelledWaitsForAReport() {
    var scenario = loaded(50, jumping)
    scenario.look(at: 7)
    scenario.fail(CancellationError())
    #expect(scenario.running.isEmpty)
    #expect(scenario.states == "{}")
    scenario.look(at: 7)
    #expect(scenario.running == [.refresh])
    scenario.idle()
    #expect(scenario.rows.contains(7))
  }

  @Test func aSourceThatJumpsElsewhereIsNotAskedWithoutEnd() {
    var scenario = loaded(50, jumping)
    scenario.look(at: 7)
    var loads = 0
    // Whatever it is asked for, it gives its last rows.
    while !scenario.running.isEmpty, loads < 100 {
      let type = scenario.running[0]
      scenario.load(
        type == .refresh
          ? Page([97, 98, 99].map { Row(id: $0) }, previousKey: 97, itemsBefore: 97, itemsAfter: 0)
          : Page([], previousKey: 97, nextKey: 97))
      loads += 1
    }
    #expect(loads < 100)
    #expect(scenario.rows == [97, 98, 99])
  }
}
