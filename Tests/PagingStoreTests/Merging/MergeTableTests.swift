import Testing

@testable import PagingStore

/// The merge table, a test for each row that a page of the older edge causes; the newer edge mirrors them.
@Suite struct MergeTableTests {
  @Test func ROW1_unknownItemsNarrowTheGap() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49])
      let outcome = try list.load(.older, 0, list.page([80, 79], older: "t79"))
      expect(list, rule, keyed: "[90 89 80 79](t79) | [50 49]", opaque: "(n90)[90 89 80 79](t79) | (n50)[50 49](o49)")
      #expect(outcome.inserted == [80, 79] && outcome.closedGaps == 0 && outcome.removed.isEmpty)
    }
  }

  @Test func ROW1_mirrored_newerItemsNarrowTheGapFromBelow() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49])
      try list.load(.newer, 1, list.page([60, 59], newer: "t60"))
      expect(list, rule, keyed: "[90 89] | (t60)[60 59 50 49]", opaque: "(n90)[90 89](o89) | (t60)[60 59 50 49](o49)")
    }
  }

  @Test func ROW2_pageThatEndsInsideTheNextRunJoinsIt() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49, 48], [20])
      let before = list.order.entries
      let outcome = try list.load(.older, 0, list.page([70, 50, 49], older: "inside"))
      expect(list, rule, keyed: "[90 89 70 50 49 48] | [20]", opaque: "(n90)[90 89 70 50 49 48](o48) | (n20)[20](o20)")
      #expect(outcome.closedGaps == 1 && outcome.inserted == [70])
      #expect(before.allSatisfy { list.order.entries.contains($0) }, "what overlaps stays where it is")
    }
  }

  @Test func ROW2_mirrored_newerPageJoinsTheRunAbove() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49])
      try list.load(.newer, 1, list.page([90, 89, 70], newer: "inside"))
      expect(list, rule, keyed: "[90 89 70 50 49]", opaque: "(n90)[90 89 70 50 49](o49)")
    }
  }

  @Test func ROW3_pageInsideItsOwnRunMovesTheTokenOnlyFromTheLastRow() throws {
    var list = MergeList.with(.cursor, [90, 89, 88], [50])
    try list.load(.older, 0, list.page([90, 89], older: "t89"))
    #expect(list.shown == "(n90)[90 89 88](o88) | (n50)[50](o50)")
    #expect(list.order.stored[0].older.failures == 1)
    try list.load(.older, 0, list.page([89, 88], older: "t88"))
    #expect(list.shown == "(n90)[90 89 88](t88) | (n50)[50](o50)")
    #expect(list.order.stored[0].older.failures == 0)
  }

  @Test func ROW4_pageThatHoldsTheNextRunAndContinues() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50, 49], [20])
      let outcome = try list.load(.older, 0, list.page([70, 50, 49, 40], older: "t40"))
      expect(list, rule, keyed: "[90 70 50 49 40](t40) | [20]", opaque: "(n90)[90 70 50 49 40](t40) | (n20)[20](o20)")
      #expect(outcome.closedGaps == 1)
    }
  }

  @Test func ROW5_pageThatReachesBeyondTheNextRunClosesAllGapsItSpans() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50, 49], [20, 19])
      let outcome = try list.load(.older, 0, list.page([70, 50, 30, 20], older: "inside"))
      expect(list, rule, keyed: "[90 70 50 30 20 19]", opaque: "(n90)[90 70 50 30 20 19](o19)")
      #expect(outcome.closedGaps == 2 && outcome.removed == [49])
    }
  }

  @Test func ROW6_keyedPageThatPassesARunWithoutItsItemsRemovesIt() throws {
    var list = MergeList.with(.keyed, [90], [50, 49], [20])
    let outcome = try list.load(.older, 0, list.page([70, 40], older: "t40"))
    #expect(list.shown == "[90 70 40](t40) | [20]")
    #expect(outcome.removed == [50, 49] && outcome.closedGaps == 1)
  }

  @Test func ROW6_opaqueRunStaysUntilAPageReachesPastIt() throws {
    var list = MergeList.with(.cursor, [90], [50, 49], [20])
    try list.load(.older, 0, list.page([70, 40], older: "t40"))
    #expect(list.shown == "(n90)[90 70 40](t40) | (n50)[50 49](o49) | (n20)[20](o20)")
    try list.load(.older, 0, list.page([30, 20]))
    #expect(list.shown == "(n90)[90 70 40 30 20](o20)")
  }

  @Test func ROW7_boundedNothingMoreJoins() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50, 49])
      let outcome = try list.load(.older, 0, list.page([70], older: "bound", bounded: true))
      expect(list, rule, keyed: "[90 70 50 49]", opaque: "(n90)[90 70 50 49](o49)")
      #expect(outcome.closedGaps == 1)
    }
  }

  @Test func ROW7_mirrored_boundedFillFromBelowJoins() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50])
      try list.load(.newer, 1, list.page([70], newer: "bound", bounded: true))
      expect(list, rule, keyed: "[90 89 70 50]", opaque: "(n90)[90 89 70 50](o50)")
    }
  }

  @Test func ROW8_boundedNothingMoreDoesNotJoinAChangedEdge() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50, 49], [20])
      let request = try list.send(.older, from: list.run(0))
      let top = try #require(try list.order.entry(of: 50)).position
      try list.evict(top...top, newer: "cut")
      let outcome = try list.answer(request, list.page([70], older: "bound", bounded: true))
      expect(
        list, rule, keyed: "[90 70](bound) | (cut)[49] | [20]",
        opaque: "(n90)[90 70](bound) | (cut)[49](o49) | (n20)[20](o20)")
      #expect(outcome.closedGaps == 0 && outcome.inserted == [70])
    }
  }

  @Test func ROW8_aWholeRunThatIsGoneIsNotJoinedThroughTheNext() throws {
    var list = MergeList.with(.keyed, [90], [50, 49], [20])
    let request = try list.send(.older, from: list.run(0))
    let run = list.order.stored[1]
    try list.evict(run.low...run.high)
    try list.answer(request, list.page([], bounded: true))
    #expect(list.order.stored.count == 2)
  }

  @Test func ROW9_opaqueItemsInAnotherOrderMove() throws {
    var list = MergeList.with(.cursor, [90], [50, 49, 48, 47])
    let outcome = try list.load(.older, 0, list.page([70, 50, 48, 49, 47]))
    #expect(outcome.hasConflict && outcome.moved.count == 1)
    #expect(list.order.entries.map(\.item) == [90, 70, 50, 48, 49, 47])
    #expect(list.order.stored.count == 1)
  }

  @Test func ROW9_aRowThatCameLaterIsNotMoved() throws {
    var list = MergeList.with(.cursor, [90, 89], live: true)
    let request = try list.send(.head)
    try list.live(91)
    let outcome = try list.answer(request, list.page([90, 89, 91], older: "t"))
    #expect(outcome.moved.isEmpty && list.order.entries.map(\.item) == [91, 90, 89])
  }

  @Test func ROW9_keyedItemWithANewKeyMoves() throws {
    var list = MergeList.with(.keyed, [90, 80, 70])
    let raised = MergeItem(70, sortBytes: list.key(95))
    let outcome = try list.load(.head, nil, MergePage([raised, list.item(90), list.item(80)]))
    #expect(list.order.entries.map(\.item) == [70, 90, 80] && outcome.moved == [70])
    #expect(list.order.broken(.keyed).isEmpty)
  }

  @Test func ROW10_itemOfANewerRunStaysAndTheGapRemains() throws {
    var list = MergeList.with(.cursor, [90, 89], [50, 49], [20])
    try list.load(.older, 1, list.page([89, 40], older: "t40"))
    #expect(list.shown == "(n90)[90 89](o89) | (n50)[50 49 40](t40) | (n20)[20](o20)")
    try list.load(.older, 1, list.page([90], older: "t39"))
    #expect(list.shown == "(n90)[90 89](o89) | (n50)[50 49 40](t39) | (n20)[20](o20)")
  }

  func expect(
    _ list: MergeList, _ rule: OrderRule, keyed: String, opaque: String, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(list.shown == (rule == .keyed ? keyed : opaque), sourceLocation: place)
    #expect(list.order.broken(rule) + list.breaches == [], sourceLocation: place)
  }
}
