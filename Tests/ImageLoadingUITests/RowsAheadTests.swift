import Testing

@testable import ImageLoadingUI

@Suite struct RowsAheadTests {
  /// A list whose rows have names apart from their places, so that a change of the list can be told from a move.
  private struct Window {
    var ids: [Int]
    var ahead: RowsAhead<Int>

    init(_ ids: some Sequence<Int>, distance: Int?) {
      self.ids = Array(ids)
      ahead = RowsAhead(distance: distance)
    }

    mutating func move(to visible: Range<Int>) -> [Int] {
      let ids = ids
      return ahead.moved(to: visible, count: ids.count, id: { ids[$0] }, index: { ids.firstIndex(of: $0) }).map {
        ids[$0]
      }
    }
  }

  @Test func I16_theRowsAheadAreWantedTheNearestFirst() {
    var window = Window(0..<100, distance: 3)
    let first = window.move(to: 0..<5)
    #expect(first == [5, 6, 7])
    // 8 to 12 were jumped over and never wanted; 5 to 7 were, and are on screen.
    let down = window.move(to: 6..<11)
    #expect(down == [11, 12, 13, 6, 7])
    let up = window.move(to: 5..<10)
    #expect(up == [4, 3, 2, 6, 7])
  }

  @Test func I16_standingStillKeepsTheDirection() {
    var window = Window(0..<100, distance: 2)
    _ = window.move(to: 20..<25)
    let up = window.move(to: 18..<23)
    #expect(up == [17, 16])
    let still = window.move(to: 18..<24)
    #expect(still == [17, 16])
  }

  @Test func I16_rowsInsertedAboveAreNoMove() {
    var window = Window(10..<100, distance: 2)
    _ = window.move(to: 0..<5)
    _ = window.move(to: 5..<10)
    window.ids.insert(contentsOf: 0..<10, at: 0)
    let after = window.move(to: 15..<20)
    #expect(after == [20, 21, 15, 16])
    window.ids.removeFirst(10)
    let back = window.move(to: 5..<10)
    #expect(back == [20, 21, 15, 16])
  }

  @Test func I16_withoutADistanceItIsTwoScreens() {
    var window = Window(0..<100, distance: nil)
    let rows = window.move(to: 0..<4)
    #expect(rows == Array(4..<12))
  }

  @Test func I16_theWindowEndsWithTheList() {
    var window = Window(0..<10, distance: 5)
    let rows = window.move(to: 4..<8)
    #expect(rows == [8, 9])
    let up = window.move(to: 2..<6)
    #expect(up == [1, 0])
    let outside = window.move(to: 40..<50)
    #expect(outside == [])
    var none = Window(0..<10, distance: -3)
    let nothing = none.move(to: 0..<3)
    #expect(nothing == [])
  }
}
