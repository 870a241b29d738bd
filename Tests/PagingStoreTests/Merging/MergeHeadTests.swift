import Testing

@testable import PagingStore

/// The head: what live items may do, what a late head answer may not, and what sessions and ID lists refuse.
@Suite struct MergeHeadTests {
  let rules = [OrderRule.keyed, .cursor]
  func items(_ list: MergeList) -> [Int64] { list.order.entries.map(\.item) }

  @Test func B31_liveItemIsAppended() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], live: true)
      try list.live(91)
      #expect(items(list) == [91, 90] && list.order.stored[0].newer.state == .live)
    }
  }

  @Test func B34_aPendingRunThatDoesNotTouchLeavesAGap() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], live: true)
      try list.disconnect()
      list.connect()
      try list.load(.head, nil, list.page([99, 98], older: "t98"))
      #expect(list.order.stored.count == 2)
    }
  }

  @Test func B36_B37_B38_heldItemsArePlacedOnceByTheHeadPage() throws {
    for rule in rules {
      for isInPage in [true, false] {
        var list = MergeList.with(rule, [90], live: true)
        try list.disconnect()
        list.connect()
        let request = try list.send(.head)
        #expect(try list.live(92) == .held)
        #expect(items(list) == [90])
        try list.answer(request, list.page(isInPage ? [92, 91, 90] : [91, 90]))
        #expect(items(list) == [92, 91, 90] && list.order.held.isEmpty && list.order.stored[0].newer.state == .live)
      }
    }
  }

  @Test func aHeldItemThatALaterHeadPageLacksIsGone() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90])
      list.connect()
      try list.live(92)
      try list.load(.head, nil, list.page([91, 90]))
      #expect(items(list) == [91, 90] && list.order.held.isEmpty)
    }
  }

  @Test func aHeldItemGoesIntoItsGapWhenAPageClosesIt() throws {
    var list = MergeList.with(.keyed, [90], [60], live: true)
    let request = try list.send(.older, from: list.run(0))
    #expect(try list.live(70) == .held)
    try list.answer(request, list.page([80, 60]))
    #expect(items(list) == [90, 80, 70, 60] && list.order.held.isEmpty)
  }

  @Test func B39_aHeadPageOlderThanALiveItemKeepsIt() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], live: true)
      let request = try list.send(.head)
      try list.live(91)
      try list.answer(request, list.page([90, 89]))
      #expect(items(list) == [91, 90, 89] && list.order.stored[0].newer.state == .live)
    }
  }

  @Test func B40_anOlderHeadAnswerDoesNotBecomeTheTop() throws {
    for rule in rules {
      var list = MergeList.with(rule, [50])
      let first = try list.send(.head)
      list.sequence += 1
      let second = try list.send(.head)
      try list.answer(second, list.page([90], older: "t90"))
      #expect(try list.answer(first, list.page([70], older: "t70")).wasStale)
      #expect(items(list) == [90, 50])
    }
  }

  @Test func B41_B49_aLateEventMakesNoFalseNeighbour() throws {
    var list = MergeList.with(.keyed, [90, 89], live: true)
    #expect(try list.live(70) == .held)
    #expect(items(list) == [90, 89])
    var gap = MergeList.with(.keyed, [90, 80], [50], live: true)
    #expect(try gap.live(85) == .inserted)
    #expect(try gap.live(60) == .held)
    #expect(items(gap) == [90, 85, 80, 50])
  }

  @Test func B42_aSubscriptionThatBrokeMeanwhileLeavesTheHeadOpen() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90])
      list.connect()
      let request = try list.send(.head)
      try list.disconnect()
      list.connect()
      try list.answer(request, list.page([91, 90]))
      #expect(list.order.stored[0].newer.state == .open)
    }
  }

  @Test func B43_B44_anOldWindowIsLeftAloneByLiveItemsAndByTheJump() throws {
    for rule in rules {
      var list = MergeList.with(rule, [50, 49])
      list.connect()
      #expect(try list.live(91) == .held)
      try list.load(.head, nil, list.page([91, 90], older: "t90"))
      #expect(list.order.stored.count == 2 && items(list) == [91, 90, 50, 49])
    }
  }

  @Test func aNewerPageThatReachesTheHeadProvesItToo() throws {
    for rule in rules {
      var list = MergeList.with(rule, [50])
      list.connect()
      try list.load(.newer, 0, list.page([60], end: true))
      #expect(list.order.stored[0].newer.state == .live && items(list) == [60, 50])
    }
  }

  @Test func aDeletedItemThatComesLiveOpensTheHead() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], live: true)
      try list.delete([91])
      #expect(try list.live(91) == .ignored)
      #expect(items(list) == [90] && list.order.stored[0].newer.state == .open)
    }
  }

  @Test func B52_aWindowThatBridgesTwoRunsJoinsThem() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [50])
      try list.load(.around, nil, list.page([90, 70, 50]))
      #expect(list.order.stored.count == 1)
    }
  }

  @Test func B53_aDetachedWindowJoinsWhenItOverlapsLater() throws {
    var list = MergeList.with(.cursor, [90], [50])
    #expect(try list.load(.around, nil, list.page([71, 70])).refusal == .detached)
    try list.load(.older, 0, list.page([72, 71], older: "t71"))
    try list.load(.around, nil, list.page([71, 70, 69], newer: "x", older: "t69"))
    #expect(list.shown == "(n90)[90 72 71 70 69](t69) | (n50)[50](o50)")
  }

  @Test func B65_B66_aSessionTakesNewRowsAtItsEndOnly() throws {
    var list = MergeList(.ranked)
    list.connect()
    try list.load(.head, nil, list.page([5, 9, 3], older: "p2"))
    try list.load(.older, 0, list.page([9, 7, 5], older: "p3"))
    #expect(list.shown == "[5 9 3 7](p3)")
    #expect(try list.load(.head, nil, list.page([1])).refusal == .needsReplacing)
    #expect(try list.live(99) == .ignored)
    try list.load(.older, 0, list.page([4], end: true, truth: true))
    #expect(list.shown == "[5 9 3 7 4]end" && list.breaches.isEmpty)
  }

  @Test func B67_threePagesOfSeenItemsAreTheEnd() throws {
    var list = MergeList(.excluding)
    try list.load(.head, nil, list.page([5, 9], older: "p"))
    for _ in 0..<2 { try list.load(.older, 0, list.page([5, 9], older: "p")) }
    #expect(list.shown == "[5 9](p)")
    try list.load(.older, 0, list.page([9], older: "p"))
    #expect(list.order.stored[0].older.state == .reached)
  }

  @Test func B68_anExpiredSessionIsDeadAndKeepsItsRows() throws {
    var list = MergeList(.ranked)
    try list.load(.head, nil, list.page([5, 9], older: "p"))
    try list.reject(try list.send(.older, from: list.run(0)), canRecover: true)
    #expect(list.shown == "[5 9]dead")
  }

  @Test func B69_B70_anIDListChangesOnlyAsAWholeAndByDeletion() throws {
    var list = MergeList(.ids)
    try list.replace(try list.send(.head), [list.page(Array(1...1_000), end: true)])
    #expect(list.order.entries.count == 1_000)
    #expect(try list.load(.around, nil, list.page([300, 9_999])).refusal == .needsReplacing)
    try list.delete([300])
    #expect(list.order.entries.count == 999 && list.order.stored.count == 1)
  }

  @Test func B72_absenceRemovesNothingFromASession() throws {
    var list = MergeList(.ranked)
    try list.load(.head, nil, list.page([5, 9, 3], older: "p"))
    let outcome = try list.load(.older, 0, list.page([3, 8], older: "q"))
    #expect(outcome.removed.isEmpty && items(list) == [5, 9, 3, 8])
  }

  @Test func B73_anItemThatMovesToTheTopIsThereOnce() throws {
    var list = MergeList.with(.keyed, [90, 80, 70], live: true)
    let request = try list.send(.older, from: list.run(0))
    let raised = MergeItem(70, sortBytes: list.key(95))
    let outcome = try list.transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.liveItemArrived(raised, in: order, at: moment, numbers: &numbers)
    }
    #expect(outcome.live == .appended && items(list) == [70, 90, 80])
    try list.answer(request, list.page([60]))
    #expect(items(list).filter { $0 == 70 }.count == 1 && list.order.broken(.keyed) + list.breaches == [])
  }

  @Test func B82_aDeletedItemStaysDeletedForAnswersThatLeftBefore() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90], [50])
      let request = try list.send(.older, from: list.run(0))
      try list.delete([80])
      let outcome = try list.answer(request, list.page([80, 79], older: "t79"))
      #expect(items(list) == [90, 79, 50] && outcome.dropped == [80])
      try list.load(.head, nil, list.page([90, 80, 79]))
      #expect(items(list) == [90, 80, 79, 50])
    }
  }

  @Test func B86_aRejectedTokenIsNeverSentAgain() throws {
    var keyed = MergeList.with(.keyed, [90], [50])
    try keyed.load(.older, 0, keyed.page([80], older: "t"))
    try keyed.reject(try keyed.send(.older, from: keyed.run(0)))
    #expect(keyed.shown == "[90 80] | [50]")
    for canRecover in [true, false] {
      var opaque = MergeList.with(.cursor, [90], [50])
      let request = try opaque.send(.older, from: opaque.run(0))
      try opaque.reject(request, canRecover: canRecover)
      #expect(opaque.shown == (canRecover ? "(n90)[90] | (n50)[50](o50)" : "(n90)[90]dead | (n50)[50](o50)"))
      #expect(try opaque.reject(request, canRecover: canRecover).wasStale, "the second time it is another edge")
    }
  }

  @Test func B89_evictedRowsComeBackAndDeletedOnesStayJoined() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89, 88], end: true)
      let low = list.order.stored[0].low
      try list.evict(low...low, older: "cut")
      #expect(list.shown == "\(rule == .keyed ? "" : "(n90)")[90 89](cut)")
      try list.load(.older, 0, list.page([88], end: true))
      #expect(items(list) == [90, 89, 88] && list.order.stored[0].older.state == .reached)
      try list.delete([88])
      #expect(list.order.stored[0].older.state == .reached)
    }
  }
}
