import Testing

@testable import PagingStore

extension MergeTableTests {
  @Test func ROW11_headPageThatOverlapsTheHeadRun() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89, 88], [50])
      list.connect()
      let outcome = try list.load(.head, nil, list.page([92, 91, 90, 88], older: "inside"))
      expect(list, rule, keyed: "live[92 91 90 88] | [50]", opaque: "live[92 91 90 88](o88) | (n50)[50](o50)")
      #expect(outcome.removed == [89])
    }
  }

  @Test func ROW11_rowsAboveAHeadPageGoOnlyWhenASecondAgrees() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89, 88])
      list.connect()
      try list.load(.head, nil, list.page([89, 88], older: "inside"))
      expect(list, rule, keyed: "[90 89 88]", opaque: "(n90)[90 89 88](o88)")
      try list.load(.head, nil, list.page([89, 88], older: "inside"))
      expect(list, rule, keyed: "live[89 88]", opaque: "live[89 88](o88)")
    }
  }

  @Test func ROW12_headPageThatOverlapsNothingIsANewHead() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [50, 49], live: true)
      let request = try list.send(.head)
      try list.disconnect()
      list.connect()
      let second = try list.send(.head)
      try list.answer(request, list.page([90, 89], newer: "n90", older: "t89"))
      expect(list, rule, keyed: "(n90)[90 89](t89) | [50 49]", opaque: "(n90)[90 89](t89) | [50 49](o49)")
      #expect(list.order.stored[0].high - list.order.stored[1].high > 1 << 39, "wide apart")
      _ = second
    }
  }

  @Test func ROW12_theOldHeadIsNoLongerLive() throws {
    var list = MergeList.with(.cursor, [50, 49], live: true)
    try list.load(.head, nil, list.page([90, 89], older: "t89"))
    #expect(list.shown == "live[90 89](t89) | [50 49](o49)")
  }

  @Test func ROW13_emptyPageStoresItsToken() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50])
      let generation = list.order.stored[0].older.generation
      try list.load(.older, 0, list.page([], older: "further"))
      expect(list, rule, keyed: "[90](further) | [50]", opaque: "(n90)[90](further) | (n50)[50](o50)")
      #expect(list.order.stored[0].older.generation != generation)
    }
  }

  @Test func ROW14_theSameTokenThreeTimesIsADeadEdge() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50])
      try list.load(.older, 0, list.page([], older: "again"))
      for count in 1...2 {
        try list.load(.older, 0, list.page([], older: "again"))
        #expect(list.order.stored[0].older.failures == count && list.order.stored[0].older.state == .open)
      }
      try list.load(.older, 0, list.page([], older: "again"))
      expect(list, rule, keyed: "[90]dead(again) | [50]", opaque: "(n90)[90]dead(again) | (n50)[50](o50)")
    }
  }

  @Test func ROW14_itemsWithTheSameTokenCountAsWell() throws {
    var list = MergeList.with(.cursor, [90], [50])
    try list.load(.older, 0, list.page([80], older: "o90"))
    #expect(list.order.stored[0].older.failures == 1)
    try list.load(.older, 0, list.page([70], older: "t70"))
    #expect(list.order.stored[0].older.failures == 0)
  }

  @Test func ROW15_emptyBoundedAnswerJoins() throws {
    for rule in [OrderRule.keyed, .cursor] {
      for kind in [MergeRequest.Kind.older, .newer] {
        var list = MergeList.with(rule, [90], [50])
        try list.load(kind, kind == .older ? 0 : 1, list.page([], bounded: true))
        expect(list, rule, keyed: "[90 50]", opaque: "(n90)[90 50](o50)")
        if rule == .cursor {
          let position = try #require(try list.order.entry(of: 90)).position
          #expect(list.order.cuts[position]?.older == "o90" && list.order.cuts[position]?.newer == "n50")
        }
      }
    }
  }

  @Test func ROW16_theEndOfTheOldestRunIsReached() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90])
      try list.load(.older, 0, list.page([80], end: true))
      expect(list, rule, keyed: "[90 80]end", opaque: "(n90)[90 80]end")
      var empty = MergeList.with(rule, [90])
      try empty.load(.older, 0, empty.page([], end: true))
      expect(empty, rule, keyed: "[90]end", opaque: "(n90)[90]end")
    }
  }

  @Test func ROW17_anEndAboveOlderRunsIsAPermanentGap() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50])
      try list.load(.older, 0, list.page([80], end: true))
      expect(list, rule, keyed: "[90 80]serverEnd | [50]", opaque: "(n90)[90 80]serverEnd | (n50)[50](o50)")
    }
  }

  @Test func ROW17_anAuthoritativeEndRemovesOlderRuns() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90], [50, 49])
      let outcome = try list.load(.older, 0, list.page([80], end: true, truth: true))
      expect(list, rule, keyed: "[90 80]end", opaque: "(n90)[90 80]end")
      #expect(outcome.removed == [50, 49])
    }
  }

  @Test func ROW17_anAuthoritativeEndKeepsWhatCameLater() throws {
    var list = MergeList.with(.keyed, [90], [50])
    let request = try list.send(.older, from: list.run(0))
    try list.load(.around, nil, list.page([30]))
    try list.answer(request, list.page([80], end: true, truth: true))
    #expect(list.shown == "[90 80]serverEnd | [30]")
  }

  @Test func ROW18_aroundPageThatIsContainedChangesNothing() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89, 88, 87])
      try list.load(.around, nil, list.page([89, 88], newer: "x", older: "y"))
      expect(list, rule, keyed: "[90 89 88 87]", opaque: "(n90)[90 89 88 87](o87)")
      #expect(list.lastPlan.writes.isEmpty)
    }
  }

  @Test func ROW18_aroundPageOnOneSideExtends() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49])
      try list.load(.around, nil, list.page([60, 50], newer: "x", older: "y"))
      expect(list, rule, keyed: "[90 89] | (x)[60 50 49]", opaque: "(n90)[90 89](o89) | (x)[60 50 49](o49)")
    }
  }

  @Test func ROW18_aroundPageBridges() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], [50, 49])
      try list.load(.around, nil, list.page([89, 70, 50], newer: "x", older: "y"))
      expect(list, rule, keyed: "[90 89 70 50 49]", opaque: "(n90)[90 89 70 50 49](o49)")
    }
  }

  @Test func ROW18_disjointAroundPageIsARunByKeyOrAListOfItsOwn() throws {
    var keyed = MergeList.with(.keyed, [90], [50])
    try keyed.load(.around, nil, keyed.page([71, 70], newer: "x", older: "y"))
    #expect(keyed.shown == "[90] | (x)[71 70](y) | [50]")
    var opaque = MergeList.with(.cursor, [90], [50])
    let outcome = try opaque.load(.around, nil, opaque.page([71, 70], newer: "x", older: "y"))
    #expect(outcome.refusal == .detached && opaque.lastPlan.writes.isEmpty)
  }

  @Test func ROW19_liveItemIsAppendedToALiveHead() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89], live: true)
      let generation = list.order.stored[0].newer.generation
      #expect(try list.live(91) == .appended)
      expect(list, rule, keyed: "live[91 90 89]", opaque: "live[91 90 89](o89)")
      #expect(list.order.stored[0].newer.generation != generation && list.order.stored[0].newer.token == nil)
    }
  }

  @Test func ROW20_liveItemIsHeldWhileTheHeadIsOpen() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90])
      list.connect()
      #expect(try list.live(91) == .held)
      #expect(list.order.entries.count == 1)
      var empty = MergeList(rule)
      empty.connect()
      #expect(try empty.live(91) == .held && empty.order.entries.isEmpty)
    }
  }

  @Test func ROW21_lateLiveItemGoesOnlyWhereItsNeighboursAreKnown() throws {
    var list = MergeList.with(.keyed, [90, 80], [50, 40], live: true)
    #expect(try list.live(85) == .inserted)
    #expect(try list.live(70) == .held, "in a gap")
    #expect(try list.live(30) == .held, "below what is known")
    #expect(list.shown == "live[90 85 80] | [50 40]")
    #expect(list.order.broken(.keyed) + list.breaches == [])
  }

  @Test func ROW22_aBrokenStreamOpensTheHeadAndDropsWhatWasHeld() throws {
    var list = MergeList.with(.keyed, [90], [50], live: true)
    try list.live(70)
    try list.disconnect()
    #expect(list.shown == "[90] | [50]" && list.order.held.isEmpty)
    #expect(list.order.broken(.keyed) + list.breaches == [])
  }

  @Test func ROW23_aDeletedBoundMovesInAndStaysJoined() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89, 88, 87], [50])
      let before = list.order.stored[0]
      try list.delete([90, 88])
      expect(list, rule, keyed: "[89 87] | [50]", opaque: "(n90)[89 87](o87) | (n50)[50](o50)")
      #expect(list.order.stored[0].newer.generation != before.newer.generation)
      #expect(list.order.stored[0].older.generation == before.older.generation)
    }
  }

  @Test func ROW24_evictionLeavesAGapOpenFromBothSides() throws {
    for rule in [OrderRule.keyed, .cursor] {
      var list = MergeList.with(rule, [90, 89, 88, 87], live: true, end: true)
      let rows = list.order.entries
      let old = list.run(0)
      let outcome = try list.evict(rows[2].position...rows[1].position, older: "cutO", newer: "cutN")
      expect(list, rule, keyed: "live[90](cutO) | (cutN)[87]end", opaque: "live[90](cutO) | (cutN)[87]end")
      #expect(outcome.removed == [89, 88] && list.run(0) == old && list.run(1) != old)
    }
  }

  @Test func ROW24_evictingTheTailOrTheHead() throws {
    var list = MergeList.with(.keyed, [90, 89, 88], live: true, end: true)
    var rows = list.order.entries
    try list.evict(rows[2].position...rows[2].position)
    #expect(list.shown == "live[90 89]")
    rows = list.order.entries
    try list.evict(rows[0].position...rows[0].position)
    #expect(list.shown == "[89]")
    #expect(list.order.broken(.keyed) + list.breaches == [])
  }

  @Test func ROW25_refreshReplacesAllAndRaisesTheEpoch() throws {
    for rule in [OrderRule.keyed, .cursor, .ranked, .excluding, .ids] {
      var list = MergeList.with(rule, [90, 89], [50])
      let stale = try list.send(.older, from: list.run(0))
      let epoch = list.order.epoch
      let request = try list.send(.head)
      try list.replace(request, [list.page([95, 90], older: "t90"), list.page([85, 50], newer: "n85", older: "t50")])
      #expect(list.shown == "[95 90 85 50](t50)")
      #expect(list.order.epoch == epoch + 1 && list.order.broken(rule) + list.breaches == [])
      if rule != .keyed { #expect(list.order.cuts.values.map(\.older) == ["t90"]) }
      #expect(try list.answer(stale, list.page([88])).wasStale)
      #expect(list.shown == "[95 90 85 50](t50)")
    }
  }
}
