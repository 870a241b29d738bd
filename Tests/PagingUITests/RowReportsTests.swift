import Testing

@testable import PagingUI

@Suite struct RowReportsTests {
  @Test func U2_rowsThatComeAndGoAreOneViewport() {
    var reports = RowReports()
    for row in [7, 3, 5, 4] { reports.appeared(row) }
    reports.disappeared(3)
    let news1 = reports.takeNews()
    #expect(news1 == 4..<8)
    let news2 = reports.takeNews()
    #expect(news2 == nil)
  }

  @Test func U2_aRowThatWasNotThereLeavesNothingToSay() {
    var reports = RowReports()
    reports.appeared(2)
    _ = reports.takeNews()
    reports.disappeared(9)
    let news1 = reports.takeNews()
    #expect(news1 == nil)
    #expect(reports.viewport == 2..<3)
  }

  @Test func U2_aScreenThatLosesItsLastRowSaysNothing() {
    var reports = RowReports()
    reports.appeared(2)
    _ = reports.takeNews()
    reports.disappeared(2)
    let news1 = reports.takeNews()
    #expect(news1 == nil)
    #expect(reports.viewport == nil)
  }

  @Test func U2_aRangeTakesThePlaceOfRowsAndRowsGoOnFromIt() {
    var reports = RowReports()
    reports.appeared(90)
    reports.areVisible(10..<20)
    let news1 = reports.takeNews()
    #expect(news1 == 10..<20)
    reports.disappeared(10)
    reports.appeared(20)
    let news2 = reports.takeNews()
    #expect(news2 == 11..<21)
  }

  @Test func U2_whatIsOnScreenMovesWithTheListAndIsNoNews() {
    var each = RowReports()
    var range = RowReports()
    for row in 4..<8 { each.appeared(row) }
    range.areVisible(4..<8)
    _ = (each.takeNews(), range.takeNews())
    // Ten rows came above, rows 4 and 7 are gone.
    let place = { (row: Int) in row == 4 || row == 7 ? nil : row + 10 }
    each.carry(place)
    range.carry(place)
    #expect(each.viewport == 15..<17)
    #expect(range.viewport == 15..<17)
    let news1 = each.takeNews()
    #expect(news1 == nil)
    range.carry { _ in nil }
    #expect(range.viewport == nil)
  }
}
