import Testing

@testable import PagingStore

/// What a reader of the list sees, as far as the order decides it: runs, gaps and ends.
@Suite struct MergeBehaviourTests {
  let rules = [OrderRule.keyed, .cursor]

  /// [50..31], then a head page [90..71].
  func twoRuns(_ rule: OrderRule) throws -> MergeList {
    var list = MergeList.with(rule, Array((31...50).reversed()))
    try list.load(.head, nil, list.page(Array((71...90).reversed()), older: "t71"))
    return list
  }

  func runs(_ list: MergeList) -> [[Int64]] {
    list.order.stored.map { run in
      list.order.entries.filter { run.low <= $0.position && $0.position <= run.high }.map(\.item)
    }
  }
  func falling(_ range: ClosedRange<Int64>) -> [Int64] { range.reversed() }

  @Test func B1_headPageAboveTheStoredRunLeavesAGap() throws {
    for rule in rules { #expect(runs(try twoRuns(rule)) == [falling(71...90), falling(31...50)]) }
  }

  @Test func B2_fillFromAboveNarrowsTheGap() throws {
    for rule in rules {
      var list = try twoRuns(rule)
      try list.load(.older, 0, list.page(falling(61...70), older: "t61"))
      #expect(runs(list) == [falling(61...90), falling(31...50)])
    }
  }

  @Test func B3_fillThatOverlapsJoinsWithoutDoubles() throws {
    for rule in rules {
      var list = try twoRuns(rule)
      let token = list.order.stored[1].older.token
      try list.load(.older, 0, list.page(falling(45...70), older: "inside"))
      #expect(runs(list) == [Array(falling(31...90))] && list.order.stored[0].older.token == token)
    }
  }

  @Test func B4_B5_fillFromBelowAndThenABoundedOneFromAbove() throws {
    for rule in rules {
      var list = try twoRuns(rule)
      try list.load(.newer, 1, list.page(falling(51...60), newer: "t60"))
      #expect(runs(list) == [falling(71...90), falling(31...60)])
      try list.load(.older, 0, list.page(falling(61...70), bounded: true))
      #expect(runs(list) == [Array(falling(31...90))])
    }
  }

  @Test func B6_B7_onePageOverTwoGapsRemovesWhatItLacks() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60, 59, 58], [20, 19])
      try list.load(.older, 0, list.page([70, 60, 58, 30, 20]))
      #expect(runs(list) == [[90, 70, 60, 58, 30, 20, 19]])
    }
  }

  @Test func B8_aRowThatCameAfterDepartureIsKeptInOrder() throws {
    var list = MergeList.with(.keyed, [90], [60, 58], [20], live: true)
    let request = try list.send(.older, from: list.run(0))
    #expect(try list.live(59) == .inserted)
    try list.answer(request, list.page([70, 60, 58, 20]))
    #expect(runs(list) == [[90, 70, 60, 59, 58, 20]])
  }

  @Test func B9_aPageThatMissesAWholeRunAndReachesTheNextRemovesIt() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60, 59], [20, 19])
      try list.load(.older, 0, list.page([70, 20]))
      #expect(runs(list) == [[90, 70, 20, 19]])
    }
  }

  @Test func B10_B11_aPageInsideARunAndTheSamePageTwiceWriteNoOrder() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89, 88, 87])
      try list.load(.around, nil, list.page([89, 88]))
      #expect(list.lastPlan.writes.isEmpty)
      let request = try list.send(.older, from: list.run(0))
      let page = list.page([80, 79], older: "t79")
      try list.answer(request, page)
      let before = list.shown
      #expect(try list.answer(request, page).wasStale && list.lastPlan.writes.isEmpty && list.shown == before)
      let head = try list.send(.head)
      try list.answer(head, list.page([91, 90]))
      #expect(try list.answer(head, list.page([91, 90])).wasStale && list.lastPlan.writes.isEmpty)
    }
  }

  @Test func B12_evictionAcrossTheGapKeepsItOpen() throws {
    var list = MergeList.with(.keyed, [90], [60, 59])
    let request = try list.send(.older, from: list.run(0))
    let high = list.order.stored[1].high
    try list.evict(high...high)
    try list.answer(request, list.page([70], bounded: true))
    #expect(runs(list) == [[90, 70], [59]])
  }

  @Test func B13_B14_B15_answersForWhatIsNoMoreLeaveTheOrderAlone() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60])
      let first = try list.send(.older, from: list.run(0))
      let second = try list.send(.older, from: list.run(0))
      try list.answer(second, list.page([80], older: "t80"))
      #expect(try list.answer(first, list.page([85], older: "t85")).wasStale)
      let third = try list.send(.older, from: list.run(1))
      let run = list.order.stored[1]
      try list.evict(run.low...run.high)
      #expect(try list.answer(third, list.page([50])).wasStale)
      let fourth = try list.send(.older, from: list.run(0))
      try list.replace(try list.send(.head), [list.page([95], older: "t95")])
      #expect(try list.answer(fourth, list.page([70])).wasStale)
      #expect(runs(list) == [[95]])
    }
  }

  @Test func B16_B17_shortAndEmptyPagesAreNoEnd() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60])
      try list.load(.older, 0, list.page([89, 88, 87], older: "t87"))
      try list.load(.older, 0, list.page([], older: "t80"))
      #expect(
        list.order.stored[0].older.token == "t80" && list.order.stored[0].older.state == .open
          && list.order.stored.count == 2)
    }
  }

  @Test func B21_theEndShowsOnlyAtTheOldestRun() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [60])
      try list.load(.older, 1, list.page([50], end: true))
      #expect(list.order.stored.map(\.older.state) == [.open, .reached])
      try list.load(.older, 0, list.page([70, 60]))
      #expect(list.order.stored.map(\.older.state) == [.reached])
    }
  }

  @Test func B22_aFilteredFirstPageIsNoEmptyList() throws {
    for rule in rules {
      var list = MergeList(rule)
      list.connect()
      try list.load(.head, nil, list.page([], older: "t"))
      #expect(list.shown == "[](t)")
      #expect(try list.live(91) == .held, "it may belong below what comes yet")
      try list.load(.older, 0, list.page([80], older: "t80"))
      #expect(runs(list) == [[80]] && list.order.stored[0].older.token == "t80")
    }
  }

  @Test func B23_anEmptyListTakesItsFirstLiveItemWithoutAGap() throws {
    for rule in rules {
      var list = MergeList(rule)
      list.connect()
      try list.load(.head, nil, list.page([], end: true))
      #expect(list.shown == "live[]end")
      #expect(try list.live(91) == .appended)
      #expect(list.shown == "live[91]end" && list.breaches.isEmpty)
    }
  }

  @Test func B24_afterTheNewestOfARunIsDeletedTheNextPageStillJoins() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], [60, 59])
      try list.delete([60, 89])
      #expect(runs(list) == [[90], [59]])
      try list.load(.older, 0, list.page([70, 59]))
      #expect(runs(list) == [[90, 70, 59]])
    }
  }

  @Test func B25_theNextRunIsTheHeadWhenTheNewestIsDeleted() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], [60], live: true)
      try list.delete([90, 89])
      #expect(runs(list) == [[60]] && list.order.stored[0].newer.state == .open)
    }
  }

  @Test func B27_B28_tiesAndNumbersKeepTheServersOrderInEverySplit() throws {
    // The same time for all, and the tie-break as a number: 10 is newer than 9.
    func item(_ tie: UInt8) -> MergeItem { MergeItem(Int64(tie), sortBytes: SortBytes(bytes: [7, tie])) }
    let all = (1...12).reversed().map { item(UInt8($0)) }
    for size in 1...6 {
      var list = MergeList(.keyed)
      for start in Swift.stride(from: 0, to: all.count, by: size) {
        let page = MergePage(Array(all[start..<min(all.count, start + size)]))
        if start == 0 { try list.load(.head, nil, page) } else { try list.load(.older, 0, page) }
      }
      #expect(runs(list) == [falling(1...12)])
    }
  }

  @Test func B29_whenPositionsRunOutTheyAreSpreadAndTheOrderStays() throws {
    var list = MergeList(.keyed, stride: 2, spacing: 4)
    var items: [Int64] = [90, 10]
    try list.load(.head, nil, list.page(items))
    for item in [50, 30, 70, 40, 20] as [Int64] {
      items = (items + [item]).sorted(by: >)
      try list.load(.around, nil, list.page(items))
      #expect(list.order.entries.map(\.item) == items && list.order.stored.count == 1)
    }
    #expect(list.order.renumberings > 0)
    #expect(list.order.broken(.keyed) + list.breaches == [])
  }

  @Test func B30_twoGapsFilledInEitherOrderGiveTheSameList() throws {
    for rule in rules {
      var shown: Set<[[Int64]]> = []
      for isFirst in [true, false] {
        var list = MergeList.with(rule, [90], [60], [30])
        let upper = try list.send(.older, from: list.run(0))
        let lower = try list.send(.older, from: list.run(1))
        let answers = [(upper, list.page([70, 60])), (lower, list.page([40, 30]))]
        for (request, page) in isFirst ? answers : answers.reversed() { try list.answer(request, page) }
        // The one whose run went into another asks again.
        while list.order.stored.count > 1 {
          try list.load(.older, 0, list.page(list.order.stored.count == 2 ? [70, 60, 40, 30] : [70, 60]))
        }
        shown.insert(runs(list))
      }
      #expect(shown == [[[90, 70, 60, 40, 30]]])
    }
  }
}
