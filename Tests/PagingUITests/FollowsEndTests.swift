import Testing

@testable import PagingUI

@Suite struct FollowsEndTests {
  /// A list whose end is known, with the given number of rows below the screen.
  private func following(rowsBelow: Int) -> FollowsEnd {
    var end = FollowsEnd(isEndKnown: true, isEmpty: false)
    end.viewportMoved(rowsBelow: rowsBelow)
    return end
  }

  @Test func U8_atTheEndAnAddedRowIsScrolledTo() {
    var end = following(rowsBelow: 0)
    let scrolls1 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(scrolls1)
    #expect(end.unseen == 0)
  }

  @Test func U8_elsewhereTheCountRisesAndFallsAsRowsAreSeen() {
    var end = following(rowsBelow: 5)
    let scrolls1 = end.rowsChanged(.added(2), hasOwn: false, isAtEnd: true)
    #expect(!scrolls1)
    let scrolls2 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(!scrolls2)
    #expect(end.unseen == 3)
    end.viewportMoved(rowsBelow: 4)
    #expect(end.unseen == 3)
    end.viewportMoved(rowsBelow: 2)
    #expect(end.unseen == 2)
    end.viewportMoved(rowsBelow: 0)
    #expect(end.unseen == 0)
    let scrolls3 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(scrolls3)
  }

  @Test func U8_onesOwnRowScrollsFromAnywhere() {
    var end = following(rowsBelow: 50)
    _ = end.rowsChanged(.added(2), hasOwn: false, isAtEnd: true)
    let scrolls1 = end.rowsChanged(.added(1), hasOwn: true, isAtEnd: true)
    #expect(scrolls1)
    #expect(end.unseen == 0)
  }

  @Test func U8_aScreenOnItsWayToTheEndStillFollowsUnlessItTurnsBack() {
    var end = following(rowsBelow: 0)
    let scrolls1 = end.rowsChanged(.added(3), hasOwn: false, isAtEnd: true)
    #expect(scrolls1)
    end.viewportMoved(rowsBelow: 2)
    let scrolls2 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(scrolls2)
    end.viewportMoved(rowsBelow: 3)
    end.viewportMoved(rowsBelow: 4)
    let scrolls3 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(!scrolls3)
    #expect(end.unseen == 1)
  }

  @Test func U8_pagesOnTheWayToTheEndAreNoNews() {
    var end = FollowsEnd(isEndKnown: false, isEmpty: false)
    end.viewportMoved(rowsBelow: 0)
    let scrolls1 = end.rowsChanged(.added(20), hasOwn: true, isAtEnd: true)
    #expect(!scrolls1)
    #expect(end.unseen == 0)
    end.viewportMoved(rowsBelow: 0)
    let scrolls2 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(scrolls2)
  }

  @Test func U8_aListThatWasReplacedIsFollowedAnewFromItsEnd() {
    var end = following(rowsBelow: 9)
    _ = end.rowsChanged(.added(4), hasOwn: false, isAtEnd: true)
    let scrolls1 = end.rowsChanged(.replaced, hasOwn: true, isAtEnd: false)
    #expect(!scrolls1)
    #expect(end.unseen == 0)
    #expect(!end.isEndKnown)
  }

  @Test func U8_aListThatWasEmptiedIsAtItsEnd() {
    var end = following(rowsBelow: 9)
    let scrolls1 = end.rowsChanged(.emptied, hasOwn: false, isAtEnd: true)
    #expect(!scrolls1)
    let scrolls2 = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(scrolls2)
  }

  @Test func U8_rowsThatWereLetGoOfAndComeBackAreNoNews() {
    var end = following(rowsBelow: 90)
    _ = end.rowsChanged(.added(0), lastStayed: false, hasOwn: false, isAtEnd: false)
    let scrolls1 = end.rowsChanged(.added(20), hasOwn: false, isAtEnd: true)
    #expect(!scrolls1)
    #expect(end.unseen == 0)
    _ = end.rowsChanged(.added(1), hasOwn: false, isAtEnd: true)
    #expect(end.unseen == 1)
  }

  @Test func U8_onlyRowsBehindTheLastThatStayedCountAsAdded() {
    #expect(EdgeChange.atEnd(insertions: [0, 1, 8, 9], count: (8, 10)) == .added(2))
    #expect(EdgeChange.atEnd(insertions: [0, 1], count: (8, 10)) == .added(0))
    #expect(EdgeChange.atEnd(insertions: [0, 1], count: (0, 2)) == .added(2))
    #expect(EdgeChange.atEnd(insertions: [0, 1], count: (3, 2)) == .replaced)
    #expect(EdgeChange.atEnd(insertions: [], count: (3, 0)) == .emptied)
  }
}
