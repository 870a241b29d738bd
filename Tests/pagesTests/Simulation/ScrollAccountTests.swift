import Testing

@testable import pages

@Suite struct ScrollAccountTests {
  private func seconds(_ count: Int) -> Duration { .seconds(count) }

  @Test func whatIsLoadedSeenAndLetGoIsCounted() {
    var account = ScrollAccount(rows: 100)
    account.visitBegan(at: .zero)
    account.shows(0..<10, at: .zero)
    #expect(!account.screenIsFull)
    account.loaded(0..<30)
    account.holds(0..<30, at: seconds(1))
    #expect(account.screenIsFull)
    #expect(account.openings == [seconds(1)])
    account.shows(5..<15, at: seconds(2))
    #expect(account.waits.isEmpty, "rows that were there in time, and the opening, are no waits")
    // 20 rows more, for which the first ten, all seen, are let go.
    account.loaded(30..<50)
    account.holds(10..<50, at: seconds(3))
    #expect(account.mostRowsHeld == 40)
    #expect(account.rowsWasted == 0)
    // The end is let go and was never seen; the start comes back.
    account.loaded(0..<10)
    account.holds(0..<30, at: seconds(4))
    #expect(account.rowsWasted == 20)
    #expect(account.rowsLoadedAgain == 10)
    #expect(account.pagesLoadedAgain == 1)
    account.visitEnded(at: seconds(5))
    #expect(account.rowsLoaded == 60)
    // Rows 15 to 30 were never on screen, nor the second copies of 0 to 10, but for 5 to 10 that the screen shows.
    #expect(account.rowsWasted == 20 + 15 + 5)
  }

  @Test func aWaitLastsFromTheFirstMissingRowToTheLast() {
    var account = ScrollAccount(rows: 100)
    account.visitBegan(at: .zero)
    account.holds(0..<20, at: .zero)
    account.shows(0..<10, at: .zero)
    account.shows(15..<25, at: seconds(10))
    account.shows(25..<35, at: seconds(11))
    account.holds(0..<30, at: seconds(12))
    #expect(account.waits.isEmpty)
    account.holds(0..<40, at: seconds(14))
    #expect(account.waits == [seconds(4)])
    account.shows(50..<60, at: seconds(20))
    account.visitEnded(at: seconds(23))
    #expect(account.waits == [seconds(4), seconds(3)])
  }

  @Test func aJumpReplacesWhatIsHeldAndAVisitForgetsTheOneBefore() {
    var account = ScrollAccount(rows: 100)
    account.visitBegan(at: .zero)
    account.loaded(0..<20)
    account.holds(0..<20, at: .zero)
    account.shows(0..<10, at: .zero)
    account.loaded(10..<40)
    account.holds(10..<40, at: .zero)
    #expect(account.rowsWasted == 10, "ten rows whose first copy was not seen before its second came")
    #expect(account.rowsLoadedAgain == 10)
    account.visitEnded(at: .zero)
    account.visitBegan(at: .zero)
    account.loaded(0..<20)
    account.holds(0..<20, at: .zero)
    #expect(account.rowsLoadedAgain == 10, "who comes back loads anew: nothing was let go")
    #expect(account.openings.count == 1)
  }

  @Test func percentilesAreOfTheTimesThemselves() {
    let times = SimulationFigures.Times((1...100).map { .milliseconds($0) })
    #expect(times.count == 100 && times.total == 5050)
    #expect(times.p50 == 50 && times.p95 == 95 && times.max == 100)
    let one = SimulationFigures.Times([.milliseconds(7)])
    #expect(one.p50 == 7 && one.p95 == 7 && one.max == 7)
    #expect(SimulationFigures.Times([]).max == 0)
  }
}
