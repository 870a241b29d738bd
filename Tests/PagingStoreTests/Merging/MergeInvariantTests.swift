import Testing

@testable import PagingStore

/// The invariants of an order, each where it would be easiest to lose.
@Suite struct MergeInvariantTests {
  let rules = [OrderRule.keyed, .cursor]
  func check(_ list: MergeList, _ place: SourceLocation = #_sourceLocation) {
    #expect(list.order.broken(list.merger.rule) + list.breaches == [], sourceLocation: place)
  }

  @Test func INV1_anItemTwiceInOnePageStandsOnce() throws {
    for rule in rules {
      var list = MergeList(rule)
      try list.load(.head, nil, list.page([90, 80, 90, 80]))
      #expect(list.order.entries.map(\.item) == [90, 80])
      check(list)
    }
  }

  @Test func INV2_boundsAreRowsAfterDeletesOnBothSides() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89, 88], [50, 49, 48])
      try list.delete([90, 88, 50, 48])
      check(list)
      try list.delete([49])
      check(list)
      #expect(list.order.stored.count == 1)
    }
  }

  @Test func INV3_anUnsortedKeyedPageIsPlacedByItsKeys() throws {
    var list = MergeList(.keyed)
    let outcome = try list.load(.head, nil, list.page([70, 90, 80]))
    #expect(list.order.entries.map(\.item) == [90, 80, 70] && outcome.hasConflict)
    check(list)
  }

  @Test func INV3_anItemWithoutAKeyStaysOutOfAKeyedOrder() throws {
    var list = MergeList(.keyed)
    try list.load(.head, nil, MergePage([list.item(90), MergeItem(80)]))
    #expect(list.order.entries.map(\.item) == [90])
    check(list)
  }

  @Test func INV4_aRunThatCameLaterIsNotJoinedByAPageThatDoesNotKnowIt() throws {
    var list = MergeList.with(.keyed, [90], [20])
    let request = try list.send(.older, from: list.run(0))
    try list.load(.around, nil, list.page([55, 54]))
    #expect(try list.answer(request, list.page([70, 30])).wasStale, "between 70 and 55 there may be more by now")
    #expect(list.order.stored.count == 3)
    check(list)
  }

  @Test func INV4_aHeadPageThatIsOlderThanANewRunAboveItDoesNotJoinIt() throws {
    var list = MergeList.with(.keyed, [20])
    let request = try list.send(.head)
    try list.load(.around, nil, list.page([91, 90]))
    try list.answer(request, list.page([31, 30]))
    #expect(list.order.entries.map(\.item) == [91, 90, 31, 30, 20] && list.order.stored.count == 3)
    #expect(list.order.stored[0].newer.state == .open)
    check(list)
  }

  @Test func INV4_anUnknownItemInsideAnOpaqueRunBreaksTheRunThere() throws {
    var list = MergeList.with(.cursor, [90], [50, 49, 48])
    try list.load(.older, 0, list.page([70, 50, 49, 45], older: "t45"))
    #expect(list.shown == "(n90)[90 70 50 49 45](t45) | [48](o48)")
    check(list)
  }

  @Test func INV4_aLoneRowAtThePagesEndMovesAndTakesNothingWithIt() throws {
    var list = MergeList.with(.cursor, [90, 89, 88, 87, 86, 85])
    let outcome = try list.load(.head, nil, list.page([90, 89, 85]))
    #expect(outcome.removed.isEmpty && outcome.moved == [85])
    #expect(list.order.entries.map(\.item) == [90, 89, 85, 88, 87, 86])
    check(list)
  }

  @Test func INV4_besideTheOldPlaceOfALoneRowNothingIsKnown() throws {
    // 85 may have moved; or 88, 87 and 86 are gone, and it still stands above 84.
    var list = MergeList.with(.cursor, [90, 89, 88, 87, 86, 85, 84, 83], end: true)
    try list.load(.head, nil, list.page([90, 89, 85], older: "t85"))
    #expect(list.shown == "(n90)[90 89 85](t85) | [88 87 86] | [84 83]end")
    check(list)
    var ending = MergeList.with(.cursor, [90, 89, 88, 87, 86, 85], end: true)
    try ending.load(.head, nil, ending.page([90, 89, 85], older: "t85"))
    #expect(ending.shown == "(n90)[90 89 85](t85) | [88 87 86]")
    check(ending)
  }

  @Test func INV7_whereRowsComeBetweenTwoPagesTheirJointIsNone() throws {
    var list = MergeList.with(.cursor, [10], end: true)
    let early = try list.send(.head)
    try list.load(.around, nil, list.page([30, 10], newer: "n30", older: "o10"))
    #expect(list.order.cuts.values.contains { $0.newer == "n10" })
    try list.answer(early, list.page([20, 10], newer: "n20", older: "o10"))
    #expect(list.order.entries.map(\.item) == [30, 20, 10])
    #expect(!list.order.cuts.values.contains { $0.newer == "n10" }, "it would lead into the run that begins at 20")
    check(list)
  }

  @Test func INV3_ofTwoHeadsThatShareNothingTheOneAppliedSecondIsNotTheNewerForThat() throws {
    // Both were on their way at a time, and the one that left first may have been answered last.
    var list = MergeList.with(.cursor, [10])
    let first = try list.send(.head)
    list.sequence += 1
    let second = try list.send(.head)
    try list.answer(first, list.page([40], older: "o40"))
    #expect(try list.answer(second, list.page([20], older: "o20")).refusal == .stale)
    #expect(list.order.entries.map(\.item) == [40, 10])
    try list.load(.head, nil, list.page([60], older: "o60"))
    #expect(list.order.entries.map(\.item) == [60, 40, 10])
    check(list)
  }

  @Test func INV5_onlyTheHeadRunIsLive() throws {
    for rule in rules {
      var list = MergeList.with(rule, [50], live: true)
      try list.load(.head, nil, list.page([90], older: "t"))
      #expect(list.order.stored.map(\.newer.state) == [.live, .open])
      check(list)
    }
  }

  @Test func INV6_anEndAboveRowsIsNoEnd() throws {
    var list = MergeList.with(.keyed, [90, 89], end: true)
    try list.load(.around, nil, list.page([50]))
    #expect(list.order.stored.map(\.older.state) == [.serverEnd, .open])
    let run = list.order.stored[1]
    try list.evict(run.low...run.high)
    #expect(list.order.stored.map(\.older.state) == [.reached])
    check(list)
  }

  @Test func INV7_noTokenLeadsIntoItsRun() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60, 59], live: true)
      try list.load(.older, 0, list.page([70, 60], older: "inside"))
      #expect(list.order.stored[0].older.token == (rule == .keyed ? nil : "o59"))
      try list.live(91)
      #expect(list.order.stored[0].newer.token == nil)
    }
  }

  @Test func INV7_jointsThatLieInNoRunAreForgotten() throws {
    var list = MergeList.with(.cursor, [90])
    try list.load(.older, 0, list.page([80, 70], newer: "n80", older: "t70"))
    #expect(list.order.cuts.count == 1)
    try list.delete([80, 70])
    #expect(list.order.cuts.isEmpty)
    check(list)
  }

  @Test func INV8_everyChangeOfAnEdgeIsANewGeneration() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], [50, 49], live: true)
      try list.live(91)
      try list.load(.older, 0, list.page([], older: "x"))
      try list.load(.older, 0, list.page([], older: "x"))
      try list.load(.older, 0, list.page([70], older: "y"))
      try list.delete([91, 49])
      try list.load(.older, 0, list.page([50]))
      try list.disconnect()
      #expect(list.breaches == [])
    }
  }
}
