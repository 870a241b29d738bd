import Testing

@testable import pages

/// Rows that need no pager.
private struct PlainRows: BrowseRows {
  var ids: [Int?]
  var standIn: Int?
  var count: Int { ids.count }

  func id(at index: Int) -> Int? { ids.indices.contains(index) ? ids[index] : nil }
  func index(ofItem id: Int) -> Int? { ids.firstIndex(of: id) }
}

@Suite struct BrowseModelTests {
  /// What can happen to a reader's screen.
  private enum Step: CaseIterable {
    case up, down, pageUp, pageDown, first, last, grow, shrink, insertAbove, removeAbove, append, toggleStart, hold
  }

  /// Every script of five steps, on lists and screens of several sizes: the cursor is on screen, the screen inside the list.
  @Test func everyShortScriptKeepsTheCursorOnTheScreen() {
    var scripts = 0
    for count in [0, 1, 3, 7] {
      for height in [1, 2, 4] {
        var script: [Step] = []
        func extend(_ model: BrowseModel<Int>, _ rows: PlainRows, _ start: Bool) {
          scripts += 1
          check(model, rows, start, script)
          guard script.count < 4 else { return }
          for step in Step.allCases {
            var (model, rows, start) = (model, rows, start)
            script.append(step)
            take(step, &model, &rows, &start)
            extend(model, rows, start)
            script.removeLast()
          }
        }
        var model = BrowseModel<Int>(height: height)
        let rows = PlainRows(ids: Array(1000..<(1000 + count)))
        model.listChanged(to: rows)
        extend(model, rows, false)
      }
    }
    #expect(scripts > 300_000)
  }

  private func take(_ step: Step, _ model: inout BrowseModel<Int>, _ rows: inout PlainRows, _ start: inout Bool) {
    switch step {
    case .up: model.move(by: -1, in: rows)
    case .down: model.move(by: 1, in: rows)
    case .pageUp: model.scroll(by: -model.height, in: rows)
    case .pageDown: model.scroll(by: model.height, in: rows)
    case .first: model.move(to: 0, in: rows)
    case .last: model.move(to: .max, in: rows)
    case .grow: model.resized(to: model.height + 2)
    case .shrink: model.resized(to: model.height - 2)
    case .insertAbove: rows.ids.insert(contentsOf: [(rows.ids.first ?? 0).map { $0 - 2 }, nil], at: 0)
    case .removeAbove: rows.ids.removeFirst(min(2, rows.count))
    case .append: rows.ids += [2000 + rows.count, 2001 + rows.count]
    case .toggleStart: start.toggle()
    case .hold: model.hold(model.selected, in: rows)
    }
    switch step {
    case .insertAbove, .removeAbove, .append, .toggleStart: model.listChanged(to: rows, hasStartLine: start)
    default: break
    }
  }

  private func check(_ model: BrowseModel<Int>, _ rows: PlainRows, _ start: Bool, _ script: [Step]) {
    let isGood =
      model.height >= 1 && model.top >= (start ? -1 : 0) && model.viewport.lowerBound >= 0
      && model.viewport.upperBound <= rows.count
      && (rows.count == 0 ? model.selected == 0 : model.viewport.contains(model.selected))
      && model.viewport.count >= min(rows.count, max(1, model.height - 2))
    if !isGood { Issue.record("top \(model.top), cursor \(model.selected) of \(rows.count) after \(script)") }
  }

  @Test func rowsThatComeAboveMoveNothing() {
    var rows = PlainRows(ids: Array(0..<50))
    var model = BrowseModel<Int>(height: 10)
    model.listChanged(to: rows)
    model.move(to: 20, in: rows)
    model.move(by: -3, in: rows)
    let (top, selected) = (model.top, model.selected)
    rows.ids = Array(-30..<50)
    model.listChanged(to: rows)
    #expect(model.top == top + 30)
    #expect(model.selected == selected + 30)
    rows.ids = Array(15..<50)
    model.listChanged(to: rows)
    #expect(rows.ids[model.selected] == 17)
  }

  @Test func aHeldRowStaysWhileRowsComeAboveIt() {
    var rows = PlainRows(ids: Array(0..<5) + [100] + Array(60..<90))
    var model = BrowseModel<Int>(height: 10)
    model.listChanged(to: rows)
    model.move(to: 5, in: rows)
    // From below: the row under the gap stays where it is.
    model.hold(6, in: rows)
    rows.ids = Array(0..<5) + [100] + Array(40..<90)
    model.listChanged(to: rows)
    #expect(rows.ids[model.top + 6] == 60)
    // From above: the row over it does, and the cursor stays on its line.
    rows.ids = Array(0..<5) + [100] + Array(60..<90)
    model.move(to: 5, in: rows)
    let line = model.selected - model.top
    model.hold(4, in: rows)
    rows.ids = Array(0..<25) + [100] + Array(60..<90)
    model.listChanged(to: rows)
    #expect(rows.ids[model.selected] == 5)
    #expect(model.selected - model.top == line)
  }

  @Test func theLineAboveTheFirstRowShowsOnlyAtTheStart() {
    let rows = PlainRows(ids: Array(0..<50))
    var model = BrowseModel<Int>(height: 10)
    model.listChanged(to: rows, hasStartLine: true)
    #expect(model.top == -1)
    #expect(model.viewport == 0..<9)
    model.move(to: 30, in: rows)
    #expect(model.viewport.contains(30))
    model.listChanged(to: rows, hasStartLine: false)
    model.move(to: 0, in: rows)
    #expect(model.top == 0)
  }

  @Test func aRowThatIsLookedForComesToTheTopWhenItIsThere() {
    var rows = PlainRows(ids: Array(0..<50))
    var model = BrowseModel<Int>(height: 10)
    model.listChanged(to: rows)
    model.go(to: 200, in: rows)
    #expect(model.top == 0)
    rows.ids = Array(150..<300)
    model.listChanged(to: rows)
    #expect(rows.ids[model.top] == 200)
    #expect(model.selected == model.top)
  }

  @Test func aRowThatWasGoneToComesBackAfterARefreshAroundThePlaceBefore() {
    let all = PlainRows(ids: Array(0..<300))
    for goes in [{ $0.go(toIndex: 20, in: all) }, { $0.go(to: 20, in: all) }] as [(inout BrowseModel<Int>) -> Void] {
      var model = BrowseModel<Int>(height: 10)
      model.listChanged(to: all)
      model.move(to: 250, in: all)
      goes(&model)
      #expect(model.top == 20)
      // What was on its way comes first with the rows around the place that the reader has left.
      let around = PlainRows(ids: Array(240..<260), standIn: 10)
      model.listChanged(to: around)
      #expect(model.viewport.contains(10))
      model.listChanged(to: all)
      #expect(model.top == 20 && model.selected == 20)
      // But not once the reader has moved on.
      model.listChanged(to: around)
      model.move(by: 1, in: around)
      model.listChanged(to: all)
      #expect(model.top > 200)
    }
  }

  @Test func aPlaceThatIsLookedForComesToTheTopWhenTheListIsThatLong() {
    var rows = PlainRows(ids: [])
    var model = BrowseModel<Int>(height: 10)
    model.listChanged(to: rows)
    // Found before the first page is there.
    model.go(toIndex: 200, in: rows)
    rows.ids = Array(0..<50)
    model.listChanged(to: rows)
    #expect(model.top == 0)
    rows.ids = Array(0..<300)
    model.listChanged(to: rows)
    #expect(model.top == 200 && model.selected == 200)
    // Who moves on is not taken back.
    rows.ids = Array(0..<20)
    model.listChanged(to: rows)
    model.go(toIndex: 100, in: rows)
    model.move(by: 1, in: rows)
    let top = model.top
    rows.ids = Array(0..<300)
    model.listChanged(to: rows)
    #expect(model.top == top)
  }

  @Test func aScreenThatShrinksKeepsTheRowUnderTheCursor() {
    let rows = PlainRows(ids: Array(0..<500))
    var model = BrowseModel<Int>(height: 60)
    model.listChanged(to: rows)
    model.move(to: 200, in: rows)
    for height in [60, 24, 3, 1, 24, 60] {
      model.resized(to: height)
      #expect(model.selected == 200)
      #expect(model.viewport.contains(200))
    }
  }
}
