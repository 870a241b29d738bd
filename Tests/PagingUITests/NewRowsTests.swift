import Paging
import Testing

@testable import PagingUI

@Suite struct NewRowsTests {
  @Test func U3_rowsAtAKnownStartAreNewUntilTheyAreSeen() {
    var new = NewRows(isStartKnown: true)
    new.viewportMoved(rowsAbove: 12)
    new.rowsChanged(.added(3), firstStayed: true, isAtStart: true)
    #expect(new.unseen == 3)
    new.rowsChanged(.added(2), firstStayed: true, isAtStart: true)
    new.viewportMoved(rowsAbove: 9)
    #expect(new.unseen == 5)
    new.viewportMoved(rowsAbove: 4)
    #expect(new.unseen == 4)
    new.viewportMoved(rowsAbove: 0)
    new.viewportMoved(rowsAbove: 9)
    #expect(new.unseen == 0)
  }

  @Test func U3_pagesOnTheWayToTheStartAreNoNews() {
    var new = NewRows(isStartKnown: false)
    new.rowsChanged(.added(20), firstStayed: true, isAtStart: false)
    new.rowsChanged(.added(20), firstStayed: true, isAtStart: true)
    #expect(new.unseen == 0)
    new.rowsChanged(.added(1), firstStayed: true, isAtStart: true)
    #expect(new.unseen == 1)
  }

  @Test func U3_aLoadThatRunsAtTheStartDoesNotUnlearnIt() {
    var new = NewRows(isStartKnown: true)
    new.rowsChanged(.added(0), firstStayed: true, isAtStart: false)
    new.rowsChanged(.added(4), firstStayed: true, isAtStart: true)
    #expect(new.unseen == 4)
  }

  @Test func U3_rowsThatWereLetGoOfAndComeBackAreNoNews() {
    var new = NewRows(isStartKnown: true)
    new.rowsChanged(.added(0), firstStayed: false, isAtStart: false)
    new.rowsChanged(.added(20), firstStayed: true, isAtStart: true)
    #expect(new.unseen == 0)
  }

  @Test func U3_aNewFirstRowIsCountedWhereTheOldOneWent() {
    var new = NewRows(isStartKnown: true)
    new.rowsChanged(.added(2), firstStayed: false, isAtStart: true)
    #expect(new.unseen == 2)
    new.rowsChanged(.added(2), firstStayed: false, isAtStart: false)
    #expect(new.unseen == 2, "a window further down, which says nothing of the start")
  }

  @Test(arguments: [EdgeChange.replaced, .emptied]) func U3_anotherListHasNothingNew(_ change: EdgeChange) {
    var new = NewRows(isStartKnown: true)
    new.rowsChanged(.added(2), firstStayed: true, isAtStart: true)
    new.rowsChanged(change, firstStayed: false, isAtStart: true)
    #expect(new.unseen == 0)
    #expect(new.isStartKnown)
  }

  @Test func U3_onlyRowsInFrontOfTheFirstThatStayedCountAsAdded() {
    #expect(EdgeChange.atStart(insertions: [0, 1, 8, 9], count: (8, 10)) == .added(2))
    #expect(EdgeChange.atStart(insertions: [8, 9], count: (8, 10)) == .added(0))
    #expect(EdgeChange.atStart(insertions: [0, 1], count: (0, 2)) == .added(2))
    #expect(EdgeChange.atStart(insertions: [0, 1], count: (3, 2)) == .replaced)
    #expect(EdgeChange.atStart(insertions: [], count: (3, 0)) == .emptied)
  }

  @Test func U3_aPageIsTwoScreensWithinWhatServersGive() {
    let suggested = [-3, 1, 5, 6, 8, 12, 20, 50, 51, .max].map { PagingConfig.suggestedPageSize(rowsThatFit: $0) }
    #expect(suggested == [10, 10, 10, 15, 20, 25, 40, 100, 100, 100])
  }
}
