import Loading
import Testing

@testable import Paging

/// One generation as it grows and drops pages: the SNP scenarios up to 24, and their neighbours.
@Suite struct SnapshotScenarioTests {
  // MARK: - The first page

  @Test func SNP_02_aListReadFromItsStart() throws {
    var scenario = Scenario(try .ones(), key: 0)
    scenario.observe()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{p:C} [0 1]"])
    #expect(scenario.placeholders == [0, 98])
    #expect(scenario.running.isEmpty, "nobody has looked yet")
  }

  @Test func aListReadFromTheMiddle() throws {
    var scenario = Scenario(try .ones(), key: 50)
    scenario.observe()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{} [50 51]"])
    #expect(scenario.placeholders == [50, 48])
  }

  @Test func aListReadFromItsEnd() throws {
    var scenario = Scenario(try .ones(), key: 98)
    scenario.observe()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{a:C} [98 99]"])
    scenario = Scenario.loaded(try .ones(), key: 99)
    #expect(scenario.pages == [[99]])
  }

  // MARK: - One page

  @Test func SNP_05_aRowAtTheTopLoadsThePageBefore() throws {
    var scenario = try loaded(.ones(), 50)
    scenario.look(at: 50)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [49] [50 51]"])
    #expect(scenario.placeholders == [49, 48])
  }

  @Test func SNP_06_aRowAtTheBottomLoadsThePageAfter() throws {
    var scenario = try loaded(.ones(), 50)
    scenario.look(at: 51)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [50 51] [52]"])
    #expect(scenario.placeholders == [50, 47])
  }

  @Test func SNP_07_theFirstPageOfTheListEndsThatSide() throws {
    var scenario = try loaded(.ones(), 1)
    scenario.look(at: 1)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{p:C} [0] [1 2]"])
  }

  @Test func SNP_08_aDropTakesTheEndBack() throws {
    var scenario = try loaded(.ones(), 1)
    scenario.look(at: 1)
    scenario.idle()
    _ = scenario.news()
    scenario.look(at: 2)
    scenario.idle()
    #expect(scenario.news() == ["{p:C,a:L}", "{} [1 2] [3]"])
    #expect(scenario.placeholders == [1, 96])
  }

  @Test func SNP_09_theLastPageOfTheListEndsThatSide() throws {
    var scenario = try loaded(.ones(), 97)
    scenario.look(at: 98)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{a:C} [97 98] [99]"])
  }

  @Test func SNP_10_aDropTakesTheOtherEndBack() throws {
    var scenario = try loaded(.ones(), 97)
    scenario.look(at: 98)
    scenario.idle()
    _ = scenario.news()
    scenario.look(at: 97)
    scenario.idle()
    #expect(scenario.news() == ["{p:L,a:C}", "{} [96] [97 98]"])
    #expect(scenario.placeholders == [96, 1])
  }

  // MARK: - Drops

  @Test func SNP_11_prependingDropsAtTheBack() throws {
    var scenario = try loaded(.twos(), 50)
    scenario.look(at: 50)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [48 49] [50 51]"])
    scenario.look(at: 48)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [46 47] [48 49]"])
    #expect(scenario.placeholders == [46, 50])
  }

  @Test func SNP_12_appendingDropsAtTheFront() throws {
    var scenario = try loaded(.twos(), 50)
    scenario.look(at: 51)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [50 51] [52 53]"])
    scenario.look(at: 53)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [52 53] [54 55]"])
    #expect(scenario.placeholders == [52, 44])
  }

  @Test func SNP_13_aLongPageWithinTheDistanceIsNotDroppedAtTheBack() throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 2, initialLoadSize: 5, maxSize: 5)
    var scenario = Scenario.loaded(config, key: 50)
    _ = scenario.news()
    scenario.look(at: 50)
    scenario.idle()
    #expect(
      scenario.news() == ["{p:L}", "{p:L} [49] [50 51 52 53 54]", "{} [48] [49] [50 51 52 53 54]"])
  }

  @Test func SNP_14_norAtTheFront() throws {
    let config = try PagingConfig(pageSize: 1, prefetchDistance: 2, initialLoadSize: 5, maxSize: 5)
    var scenario = Scenario.loaded(config, key: 50)
    _ = scenario.news()
    scenario.look(at: 54)
    scenario.idle()
    #expect(
      scenario.news() == ["{a:L}", "{a:L} [50 51 52 53 54] [55]", "{} [50 51 52 53 54] [55] [56]"])
  }

  /// In place of SNP-15: the page that the reader came back to is not dropped by the load that he left behind.
  @Test func P14_aPrependThatTheReaderHasLeftDropsNothingThatHeSees() throws {
    var scenario = try loaded(.twos(), 50)
    scenario.look(at: 50)
    scenario.idle()
    scenario.look(at: 48)
    scenario.look(at: 51)
    #expect(scenario.running == [.prepend, .append])
    scenario.load()
    #expect(scenario.pages == [[48, 49], [50, 51]], "the page that came is the one farthest from the reader")
    #expect(scenario.running == [.append], "the load for the reader goes on")
    scenario.idle()
    #expect(scenario.pages == [[50, 51], [52, 53]])
  }

  /// In place of SNP-16, its mirror image.
  @Test func P14_anAppendThatTheReaderHasLeftDropsNothingThatHeSees() throws {
    var scenario = try loaded(.twos(), 50)
    scenario.look(at: 51)
    scenario.idle()
    scenario.look(at: 53)
    scenario.look(at: 50)
    #expect(scenario.running == [.append, .prepend])
    scenario.load()
    #expect(scenario.pages == [[50, 51], [52, 53]])
    #expect(scenario.running == [.prepend])
    scenario.idle()
    #expect(scenario.pages == [[48, 49], [50, 51]])
  }

  @Test func aDropCancelsTheLoadAtThatEnd() throws {
    // Two screens, so that both ends are wanted; then the one at the front is gone.
    var scenario = try loaded(.twos(), 50)
    scenario.look(at: 51)
    scenario.idle()
    scenario.look(at: 50)
    scenario.look(at: 53)
    #expect(scenario.running == [.prepend, .append])
    scenario.load(at: 1)
    #expect(scenario.pages == [[52, 53], [54, 55]])
    #expect(scenario.running.isEmpty, "the prepend went with the page that it led on from")
    #expect(scenario.states == "{}")
    scenario.engine.loadLate(at: 0)
    #expect(scenario.pages == [[52, 53], [54, 55]])
  }

  // MARK: - Several pages

  @Test func SNP_17_severalPagesBeforeFollowOneAnother() throws {
    var scenario = try loaded(.aheads(), 50)
    scenario.look(at: 50)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{p:L} [49] [50 51 52]", "{} [48] [49] [50 51 52]"])
  }

  @Test func severalPagesAfterFollowOneAnother() throws {
    var scenario = try loaded(.aheads(), 50)
    scenario.look(at: 52)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{a:L} [50 51 52] [53]", "{} [50 51 52] [53] [54]"])
  }

  @Test func SNP_19_eachOfThemDropsOneAtTheFront() throws {
    var scenario = try loaded(.aheads(), 50)
    scenario.look(at: 50)
    scenario.idle()
    _ = scenario.news()
    scenario.look(at: 52)
    scenario.load()
    #expect(scenario.placeholders == [49, 46])
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{a:L} [49] [50 51 52] [53]", "{} [50 51 52] [53] [54]"])
    #expect(scenario.placeholders == [50, 45])
    // The reader goes back up one row: what was dropped is wanted again, after this report.
    scenario.look(at: 51)
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{} [49] [50 51 52] [53]"])
  }

  @Test func eachOfThemDropsOneAtTheBack() throws {
    var scenario = try loaded(.aheads(), 50)
    scenario.look(at: 52)
    scenario.idle()
    _ = scenario.news()
    scenario.look(at: 50)
    scenario.load()
    #expect(scenario.placeholders == [49, 46])
    scenario.idle()
    #expect(scenario.news() == ["{p:L}", "{p:L} [49] [50 51 52] [53]", "{} [48] [49] [50 51 52]"])
    #expect(scenario.placeholders == [48, 47])
    scenario.look(at: 51)
    scenario.idle()
    #expect(scenario.news() == ["{a:L}", "{} [49] [50 51 52] [53]"])
  }

  @Test func aViewportThatNeedsMoreThanTheCapKeepsAllItsRows() throws {
    var scenario = try loaded(.aheads(), 50)
    scenario.look(at: 50..<53)
    scenario.idle()
    #expect(scenario.pages == [[48], [49], [50, 51, 52], [53], [54]], "seven rows, of which the cap allows five")
    #expect(scenario.running.isEmpty)
  }

  private func loaded(_ config: PagingConfig, _ key: Int) throws -> Scenario {
    var scenario = Scenario.loaded(config, key: key)
    _ = scenario.news()
    return scenario
  }
}
