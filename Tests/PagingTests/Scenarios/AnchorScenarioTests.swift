import Loading
import Testing

@testable import Paging

/// What a source reads of the loaded pages: the PST scenarios, and STA-03.
@Suite struct AnchorScenarioTests {
  /// Pages 2…3, 4…5 and 6…7 of ten rows, and what the screen shows of them.
  private func list(_ key: Int, then steps: [LoadType]) -> (scenario: Scenario, seen: [ReportedSnapshot]) {
    let config = PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2)
    var scenario = Scenario.loaded(config, key: key, server: StillServer(count: 10))
    var seen = [scenario.engine.reported]
    for step in steps {
      scenario.load(step)
      scenario.load()
      seen.append(scenario.engine.reported)
    }
    return (scenario, seen)
  }

  @Test func STA_03_anAnchorIsTheSameWhicheverSnapshotTheScreenShows() {
    // The newest snapshot; one without the first page; one without the last; one without either.
    let cases = [
      (list(2, then: [.append, .append]), 2), (list(4, then: [.append, .prepend]), 1),
      (list(2, then: [.append, .append]), 1), (list(4, then: [.append, .prepend]), 0),
    ]
    for ((scenario, seen), behind) in cases {
      #expect(scenario.pages == [[2, 3], [4, 5], [6, 7]])
      for index in [0, 4, 9] {
        var scenario = scenario
        scenario.look(at: index..<index + 1, in: seen[behind])
        #expect(scenario.anchorIndex == index)
      }
    }
    // A snapshot with a page more, at either side, that was dropped since.
    for (key, steps) in [(0, [LoadType.append, .append, .append]), (2, [.append, .append, .append])] {
      for index in [0, 4, 9] {
        var (scenario, seen) = list(key, then: steps)
        let newest = seen[seen.count - 1]
        scenario.engine.state.shown.dropPage(at: key == 0 ? .prepend : .append)
        #expect(scenario.pages == [[2, 3], [4, 5], [6, 7]])
        scenario.look(at: index..<index + 1, in: newest)
        #expect(scenario.anchorIndex == index)
      }
    }
  }

  private func state(_ pages: [Range<Int>]) -> PagingState<Int, Row> {
    PagingState(pages: pages.map { Page($0.map { Row(id: $0) }) }, config: PagingConfig())
  }

  @Test func PST_01_theClosestRow() {
    for pages in [[0..<10], [0..<0, 0..<10, 0..<0], [0..<0, 0..<0, 0..<10]] {
      let state = state(pages)
      #expect([-1, 0, 5, 9, 15].map { state.closestItem(to: $0)?.id } == [0, 0, 5, 9, 9])
    }
    #expect(state([0..<0, 0..<0]).closestItem(to: 0) == nil)
    #expect(state([]).closestItem(to: 3) == nil)
  }

  @Test func PST_02_theClosestPage() {
    let state = state((0..<10).map { $0..<$0 + 1 })
    #expect([-1, 0, 5, 9, 15].map { state.closestPage(to: $0)?.items.first?.id } == [0, 0, 5, 9, 9])
    #expect(self.state([]).closestPage(to: 0) == nil)
  }

  @Test func PST_03_theClosestRowThatFits() {
    for pages in [[0..<4, 4..<7, 7..<10], [0..<4, 4..<4, 4..<7, 7..<10]] {
      let state = state(pages)
      func closest(_ index: Int, _ fits: (Int) -> Bool) -> Int? { state.closestItem(to: index) { fits($0.id) }?.id }
      #expect(closest(-1) { _ in true } == 0)
      #expect(closest(-1) { $0 == 7 } == 7)
      #expect(closest(5) { $0 != 5 } == 4)
      #expect(closest(5) { $0 > 5 } == 6)
      #expect(closest(5) { $0 != 5 && $0 != 4 } == 6)
      #expect(closest(2) { $0 == 8 } == 8)
      #expect(closest(7) { $0 == 2 } == 2)
      #expect(closest(15) { _ in true } == 9)
      #expect(closest(15) { $0 == 1 } == 1)
      #expect(closest(5) { _ in false } == nil)
    }
  }

  @Test func theIndicesThatASourceReadsCountLoadedRows() throws {
    // The catalogue's indices count placeholders: ten of them in front shift nothing here.
    var scenario = Scenario.loaded(PagingConfig(pageSize: 10, prefetchDistance: 1, initialLoadSize: 10), key: 10)
    for (index, anchor) in [(10, 0), (15, 5), (5, -5), (25, 15)] {
      scenario.look(at: index)
      let loaded = scenario.engine.state.shown.loadedPages(anchoredAt: scenario.engine.state.viewports.union)
      let state: PagingState<Int, Row> = loaded.state(Int.self, Row.self, config: PagingConfig())
      #expect(state.anchorIndex == anchor)
      #expect(state.closestItem(to: anchor)?.id == min(max(index, 10), 19))
      #expect(state.pages.first?.itemsBefore == 10)
      #expect(state.pages.last?.itemsAfter == 80)
    }
  }
}
