import Loading
import PagingTesting
import Testing

@testable import Paging

/// One generation whose loads fail or are called invalid, jumps, and what is said to a source: the SNP scenarios from 25.
@Suite struct FailureScenarioTests {
  private func loaded(_ config: PagingConfig, _ key: Int = 50) throws -> Scenario {
    var scenario = Scenario.loaded(config, key: key)
    _ = scenario.news()
    return scenario
  }

  // MARK: - Retry

  @Test func SNP_26_retryLoadsWhatFailed() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 51)
    scenario.fail()
    scenario.retry()
    scenario.load()
    #expect(scenario.news() == ["{a:L}", "{a:E}", "{a:L}", "{} [50 51] [52]"])
  }

  @Test func retryOfAPrependLoadsWhatFailed() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 50)
    scenario.fail()
    scenario.retry()
    scenario.load()
    #expect(scenario.news() == ["{p:L}", "{p:E}", "{p:L}", "{} [49] [50 51]"])
  }

  @Test func SNP_27_retryWithNothingFailedDoesNothing() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 51)
    scenario.load()
    _ = scenario.news()
    scenario.retry()
    #expect(scenario.news() == [])
    #expect(scenario.running.isEmpty)
  }

  @Test func SNP_28_aSecondRetryDoesNothing() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 51)
    scenario.fail()
    scenario.retry()
    scenario.load()
    _ = scenario.news()
    scenario.retry()
    #expect(scenario.news() == [])
    #expect(scenario.running.isEmpty)
  }

  @Test func SNP_29_retryLoadsBothSidesThatFailed() throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 2, maxSize: 4)
    var scenario = try loaded(config)
    scenario.look(at: 51)
    scenario.fail()
    scenario.look(at: 50)
    scenario.fail()
    #expect(scenario.news() == ["{a:L}", "{a:E}", "{p:L,a:E}", "{p:E,a:E}"])
    scenario.retry()
    #expect(scenario.running == [.prepend, .append])
    scenario.idle()
    #expect(scenario.news() == ["{p:L,a:L}", "{a:L} [49] [50 51]", "{} [49] [50 51] [52]"])
  }

  @Test func SNP_30_whatFailedWaitsForARetryWhateverIsReported() throws {
    var scenario = Scenario(try .ones())
    scenario.observe()
    scenario.load(
      Page([Row(id: 50), Row(id: 51)], previousKey: -1, nextKey: 1, itemsBefore: 50, itemsAfter: 48))
    _ = scenario.news()
    scenario.look(at: 51)
    scenario.fail()
    #expect(scenario.news() == ["{a:L}", "{a:E}"])
    scenario.retry()
    scenario.fail()
    #expect(scenario.news() == ["{a:L}", "{a:E}"])
    scenario.look(at: 52)
    #expect(scenario.news() == [] && scenario.running.isEmpty, "wanting it more is no retry")
    scenario.look(at: 50)
    scenario.fail()
    #expect(scenario.news() == ["{p:L,a:E}", "{p:E,a:E}"])
    scenario.retry()
    scenario.fail()
    scenario.fail()
    #expect(scenario.news() == ["{p:L,a:L}", "{p:E,a:L}", "{p:E,a:E}"])
    scenario.look(at: 49)
    #expect(scenario.news() == [] && scenario.running.isEmpty)
  }

  @Test func SNP_31_retryOfTheFirstLoad() throws {
    var scenario = Scenario(try .ones(), key: 50)
    scenario.observe()
    scenario.fail()
    #expect(scenario.news() == ["{r:L}", "{r:E}"])
    scenario.retry()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(50))
    #expect(scenario.engine.openSources.count == 1, "the same generation")
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{} [50 51]"])
  }

  @Test func SNP_33_twoRetriesAreOneLoad() throws {
    var scenario = Scenario(try .ones(), key: 50)
    scenario.observe()
    scenario.fail()
    _ = scenario.news()
    scenario.retry()
    scenario.retry()
    scenario.fail()
    #expect(scenario.news() == ["{r:L}", "{r:E}"])
    #expect(scenario.running.isEmpty)
  }

  @Test func reportsBeforeTheFirstRowsStartNothing() throws {
    // In place of SNP-04 and SNP-32.
    var scenario = Scenario(try .ones(), key: 50)
    scenario.observe()
    scenario.look(at: 0)
    scenario.fail()
    scenario.look(at: 0)
    #expect(scenario.news() == ["{r:L}", "{r:E}"])
    scenario.retry()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{} [50 51]"], "there was no row to look at")
    scenario.look(at: 50)
    #expect(scenario.running == [.prepend])
  }

  // MARK: - Placeholders off, two pages

  @Test func SNP_34_withPlaceholdersOffNoCountIsShown() throws {
    var scenario = try loaded(.ones().withoutPlaceholders)
    #expect(scenario.placeholders == [0, 0])
    scenario.look(at: 0)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [49] [50 51]"])
    #expect(scenario.placeholders == [0, 0])
    scenario = try loaded(.ones().withoutPlaceholders)
    scenario.look(at: 1)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [50 51] [52]"])
    #expect(scenario.placeholders == [0, 0])
  }

  @Test func SNP_35_twoPagesStay() throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 3, maxSize: 3)
    var scenario = try loaded(config)
    scenario.look(at: 52)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [50 51 52] [53]"])
    scenario = try loaded(config)
    scenario.look(at: 50)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [49] [50 51 52]"])
  }

  // MARK: - What a source is told

  @Test func SNP_37_withoutAReportThereIsNoAnchor() throws {
    let scenario = Scenario(try .ones(), key: 50)
    #expect(scenario.anchorIndex == nil)
    #expect(scenario.pages == [])
    #expect(scenario.placeholders == [0, 0])
    #expect(Scenario.loaded(try .ones(), key: 50).anchorIndex == nil)
  }

  @Test func SNP_39_aPlaceholderIsAnAnchorByItsIndex() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 10)
    #expect(scenario.anchorIndex == 10)
    let state: PagingState<Int, Row> = scenario.engine.state.shown
      .loadedPages(anchoredAt: scenario.engine.state.viewports.union)
      .state(Int.self, Row.self, config: try .ones())
    let anchor = try #require(state.anchorIndex)
    #expect(anchor == -40, "40 rows before the first loaded one")
    #expect(state.closestItem(to: anchor)?.id == 50)
    #expect(state.closestPage(to: anchor)?.items.map(\.id) == [50, 51])
  }

  @Test func aLoadedRowIsAnAnchorByItsIndex() throws {
    for (row, closest) in [(50, 50), (51, 51), (90, 51)] {
      var scenario = try loaded(.ones())
      scenario.look(at: row)
      #expect(scenario.anchorIndex == row)
      let state: PagingState<Int, Row> = scenario.engine.state.shown
        .loadedPages(anchoredAt: scenario.engine.state.viewports.union)
        .state(Int.self, Row.self, config: try .ones())
      #expect(state.closestItem(to: try #require(state.anchorIndex))?.id == closest)
    }
  }

  @Test func SNP_40_aReportFarAboveLoadsUpToIt() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 48)
    scenario.idle()
    // Up to the row, and one more row ahead of it.
    #expect(scenario.pages.first == [47])
    #expect(scenario.news().first == "{p:L}")
    #expect(scenario.running.isEmpty)
  }

  @Test func SNP_41_aReportFarBelowLoadsUpToIt() throws {
    var scenario = try loaded(.ones())
    scenario.look(at: 53)
    scenario.idle()
    #expect(scenario.pages.last == [54])
    #expect(scenario.news().first == "{a:L}")
    #expect(scenario.running.isEmpty)
  }

  // MARK: - Jumps

  @Test func SNP_43_aReportFarInsidePlaceholdersJumpsOnce() throws {
    var scenario = try loaded(jumping(10))
    scenario.look(at: 0)
    #expect(scenario.running == [.refresh])
    #expect(scenario.states == "{r:L}")
    scenario.load()
    #expect(scenario.pages == [[0, 1]])
    #expect(scenario.running.isEmpty)
  }

  @Test func SNP_44_theSameReportTwiceIsOneJump() throws {
    var scenario = try loaded(jumping(10))
    scenario.look(at: 0)
    scenario.look(at: 0)
    #expect(scenario.running == [.refresh])
    #expect(scenario.engine.cancelled.isEmpty)
    scenario.look(at: 3)
    #expect(scenario.running == [.refresh])
    #expect(scenario.engine.cancelled.isEmpty)
  }

  @Test(arguments: [true, false]) func theThresholdIsCountedFromTheLoadedRows(upwards: Bool) throws {
    // As many rows into the placeholders as the threshold says are read from the edge; one more jumps.
    for (distance, jumps) in [(10, false), (11, true)] {
      var scenario = try loaded(jumping(10))
      scenario.look(at: upwards ? 50 - distance : 51 + distance)
      #expect(scenario.running == [jumps ? .refresh : upwards ? .prepend : .append], "\(distance)")
    }
  }

  private func jumping(_ threshold: Int) throws -> PagingConfig {
    var config = try PagingConfig.ones()
    config.jumpThreshold = threshold
    return config
  }

  // MARK: - The end

  @Test func SNP_51_whatComesAfterTheEndDoesNoHarm() throws {
    for sides in [[50], [51], [50, 51]] {
      var scenario = try loaded(.ones())
      for side in sides { scenario.look(at: side) }
      _ = scenario.news()
      scenario.refresh()
      scenario.close()
      #expect(scenario.running.isEmpty, "everything was cancelled")
      let rows = scenario.rows
      while !scenario.engine.cancelled.isEmpty { scenario.engine.loadLate(at: 0) }
      scenario.invalidate()
      scenario.look(at: 50)
      scenario.refresh()
      #expect(scenario.running.isEmpty)
      #expect(scenario.rows == rows)
    }
  }
}
