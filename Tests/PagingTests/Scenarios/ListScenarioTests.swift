import Loading
import Testing

@testable import Paging

/// Placeholders, anchors and what a source reads of them: the HNT, STA, PST and PSG scenarios.
@Suite struct ListScenarioTests {
  // MARK: - Reports

  @Test func HNT_01_beforeAnyReportThereIsNone() {
    #expect(Viewports().union == nil)
    #expect(Scenario(PagingConfig()).engine.state.viewports.union == nil)
  }

  /// In place of HNT-03, SNP-52 and SNP-53: no report is weighed against another, the latest counts.
  @Test func P3_theLatestReportOfAContentCounts() {
    var viewports = Viewports()
    let (pager, screen) = (ContentID.pager, ContentID(rawValue: 1))
    viewports.report(Viewport(lower: 40, upper: 41), from: pager)
    viewports.report(Viewport(lower: 10, upper: 11), from: pager)
    #expect(viewports.union == Viewport(lower: 10, upper: 11))
    viewports.report(Viewport(lower: 70, upper: 71), from: screen)
    #expect(viewports.union == Viewport(lower: 10, upper: 71))
    viewports.report(Viewport(lower: 60, upper: 61), from: pager)
    #expect(viewports.union == Viewport(lower: 60, upper: 71))
  }

  @Test func HNT_04_aCommandLeavesTheReportAlone() {
    var scenario = Scenario.loaded(PagingConfig(pageSize: 3, prefetchDistance: 1), key: 50)
    scenario.look(at: 54)
    let viewport = scenario.engine.state.viewports.union
    scenario.load(.append)
    scenario.load(.prepend)
    scenario.idle()
    scenario.retry()
    #expect(scenario.engine.state.viewports.union == viewport)
    #expect(scenario.anchorIndex == 54)
  }

  // MARK: - Counts

  private func page(_ count: Int, before: Int? = nil, after: Int? = nil) -> OpaquePage {
    OpaquePage(
      Page<Int, Row>(
        (0..<count).map { Row(id: $0) }, previousKey: 1, nextKey: 1, itemsBefore: before, itemsAfter: after))
  }

  @Test func STA_02_countsAreKeptAndCountedDown() {
    var placeholders = Placeholders(isEnabled: true)
    placeholders.started(with: page(0, before: 50, after: 50))
    #expect([placeholders.before, placeholders.after] == [50, 50])
    placeholders.prepended(page(0, before: 25), isEnd: false)
    placeholders.appended(page(0, after: 25), isEnd: false)
    #expect([placeholders.before, placeholders.after] == [25, 25])
    placeholders.prepended(page(1), isEnd: false)
    placeholders.appended(page(1), isEnd: false)
    #expect([placeholders.before, placeholders.after] == [24, 24])
    // What is dropped leaves as many as it showed, so that no row moves.
    placeholders.dropped(76, at: .prepend)
    placeholders.dropped(76, at: .append)
    #expect([placeholders.before, placeholders.after] == [100, 100])
  }

  @Test func withPlaceholdersOffThereAreNever() {
    var placeholders = Placeholders(isEnabled: false)
    placeholders.started(with: page(0, before: 50, after: 50))
    placeholders.prepended(page(1), isEnd: false)
    placeholders.appended(page(1, after: 20), isEnd: false)
    placeholders.dropped(7, at: .append)
    #expect(placeholders == Placeholders(isEnabled: false))
  }

  /// Two rows, so many placeholders on a side, and a page there that brings rows and a count.
  private func grown(
    _ side: EdgeSide, from placeholders: Int, by rows: Int, left: Int
  ) -> (list: [Int?], changes: ListChanges) {
    let known = side == .prepend ? (placeholders, 0) : (0, placeholders)
    var scenario = Scenario(PagingConfig(pageSize: 5, prefetchDistance: 1))
    scenario.observe()
    scenario.load(
      Page([Row(id: 10), Row(id: 11)], previousKey: -1, nextKey: 1, itemsBefore: known.0, itemsAfter: known.1))
    let before = scenario.snapshot
    scenario.load(side.loadType)
    let start = side == .prepend ? 10 - rows : 12
    scenario.load(
      Page(
        (start..<start + rows).map { Row(id: $0) }, previousKey: -2, nextKey: 2, itemsBefore: left, itemsAfter: left))
    return (scenario.engine.list, scenario.snapshot.changes(from: before))
  }

  @Test func PSG_01_nothingComes() {
    for side in EdgeSide.allCases {
      let (list, changes) = grown(side, from: 0, by: 0, left: 0)
      #expect(list == [10, 11])
      #expect(changes.isEmpty)
    }
  }

  @Test func PSG_02_rowsComeWithoutPlaceholders() {
    let front = grown(.prepend, from: 0, by: 2, left: 0)
    #expect(front.list == [8, 9, 10, 11])
    #expect(front.changes == ListChanges(insertions: [0, 1]))
    let back = grown(.append, from: 0, by: 2, left: 0)
    #expect(back.list == [10, 11, 12, 13])
    #expect(back.changes == ListChanges(insertions: [2, 3]))
  }

  @Test func PSG_04_placeholdersGrow() {
    let front = grown(.prepend, from: 0, by: 2, left: 3)
    #expect(front.list == [nil, nil, nil, 8, 9, 10, 11])
    #expect(front.changes == ListChanges(insertions: [0, 1, 2, 3, 4]))
    let back = grown(.append, from: 0, by: 2, left: 3)
    #expect(back.list == [10, 11, 12, 13, nil, nil, nil])
    #expect(back.changes == ListChanges(insertions: [2, 3, 4, 5, 6]))
  }

  @Test func PSG_05_onlyPlaceholdersCome() {
    let front = grown(.prepend, from: 0, by: 0, left: 3)
    #expect(front.list == [nil, nil, nil, 10, 11])
    #expect(front.changes == ListChanges(insertions: [0, 1, 2]))
    let back = grown(.append, from: 0, by: 0, left: 3)
    #expect(back.list == [10, 11, nil, nil, nil])
    #expect(back.changes == ListChanges(insertions: [2, 3, 4]))
  }

  @Test func PSG_06_somePlaceholdersAreFilledAndSomeCome() {
    let front = grown(.prepend, from: 3, by: 2, left: 2)
    #expect(front.list == [nil, nil, 8, 9, 10, 11])
    #expect(front.changes == ListChanges(insertions: [0], updates: [2, 3]))
    let back = grown(.append, from: 3, by: 2, left: 2)
    #expect(back.list == [10, 11, 12, 13, nil, nil])
    #expect(back.changes == ListChanges(insertions: [5], updates: [2, 3]))
  }

  @Test func PSG_07_theOtherPlaceholdersGo() {
    let front = grown(.prepend, from: 7, by: 2, left: 0)
    #expect(front.list == [8, 9, 10, 11])
    #expect(front.changes == ListChanges(removals: [0, 1, 2, 3, 4], updates: [0, 1]))
    let back = grown(.append, from: 7, by: 2, left: 0)
    #expect(back.list == [10, 11, 12, 13])
    #expect(back.changes == ListChanges(removals: [4, 5, 6, 7, 8], updates: [2, 3]))
  }

  @Test func PSG_08_someOfTheOthersGo() {
    let front = grown(.prepend, from: 10, by: 3, left: 4)
    #expect(front.list == [nil, nil, nil, nil, 7, 8, 9, 10, 11])
    #expect(front.changes == ListChanges(removals: [0, 1, 2], updates: [4, 5, 6]))
    let back = grown(.append, from: 10, by: 3, left: 4)
    #expect(back.list == [10, 11, 12, 13, 14, nil, nil, nil, nil])
    #expect(back.changes == ListChanges(removals: [9, 10, 11], updates: [2, 3, 4]))
  }

  @Test func fewerRowsThanPlaceholdersSayNothingOfTheRest() {
    for side in EdgeSide.allCases {
      let (list, changes) = grown(side, from: 2, by: 2, left: 0)
      #expect(list.compactMap { $0 } == list)
      #expect(changes == ListChanges(updates: side == .prepend ? [0, 1] : [2, 3]))
    }
  }

  /// Three rows in two pages are dropped at one end.
  private func dropped(_ side: EdgeSide, placeholders: Int?) -> (list: [Int?], changes: ListChanges) {
    var config = PagingConfig(pageSize: 2)
    config.placeholders = placeholders != nil
    let before = side == .prepend ? placeholders : 0
    let after = side == .prepend ? 0 : placeholders
    let pages = side == .prepend ? [0..<1, 1..<3, 3..<5] : [0..<2, 2..<4, 4..<5]
    var scenario = Scenario(config)
    scenario.observe()
    for rows in pages {
      let items = rows.map { Row(id: $0) }
      let page = Page(items, previousKey: -1, nextKey: rows.upperBound, itemsBefore: before, itemsAfter: after)
      scenario.load(page)
      scenario.load(.append)
    }
    let whole = scenario.snapshot
    scenario.engine.state.shown.dropPage(at: side)
    scenario.engine.state.shown.dropPage(at: side)
    return (scenario.engine.list, scenario.snapshot.changes(from: whole))
  }

  @Test func PSG_09_withoutPlaceholdersRowsAreRemoved() {
    let front = dropped(.prepend, placeholders: nil)
    #expect(front.list == [3, 4])
    #expect(front.changes == ListChanges(removals: [0, 1, 2]))
    let back = dropped(.append, placeholders: nil)
    #expect(back.list == [0, 1])
    #expect(back.changes == ListChanges(removals: [2, 3, 4]))
  }

  @Test func PSG_10_rowsBecomePlaceholdersBesideOthers() {
    let front = dropped(.prepend, placeholders: 1)
    #expect(front.list == [nil, nil, nil, nil, 3, 4])
    #expect(front.changes == ListChanges(updates: [1, 2, 3]))
    let back = dropped(.append, placeholders: 1)
    #expect(back.list == [0, 1, nil, nil, nil, nil])
    #expect(back.changes == ListChanges(updates: [2, 3, 4]))
  }

  @Test func PSG_11_orTheFirstOnes() {
    let front = dropped(.prepend, placeholders: 0)
    #expect(front.list == [nil, nil, nil, 3, 4])
    #expect(front.changes == ListChanges(updates: [0, 1, 2]))
    let back = dropped(.append, placeholders: 0)
    #expect(back.list == [0, 1, nil, nil, nil])
    #expect(back.changes == ListChanges(updates: [2, 3, 4]))
  }

  @Test func PSG_16_aSnapshotHasRowsAndPlaceholders() {
    let plain = PagingSnapshot<Row>(pages: [[Row(id: 7)]])
    #expect(plain.map { $0.item?.id } == [7])
    let padded = PagingSnapshot<Row>(pages: [[Row(id: 7)]], before: 1, after: 3)
    #expect(padded.map { $0.item?.id } == [nil, 7, nil, nil, nil])
    #expect(padded.items.map(\.id) == [7])
    #expect(padded.count == 5)
    // In place of PSG-15: a screen that is a step behind reads a blank row.
    for index in [-1, 5, Int.min, Int.max] { #expect(padded[index].item == nil) }
  }
}
