import Testing

@testable import PagingStore

/// Answers that cross what happened since they were asked for, and the small parts that the rules rest on.
@Suite struct MergeGuardTests {
  let rules = [OrderRule.keyed, .cursor]
  func items(_ list: MergeList) -> [Int64] { list.order.entries.map(\.item) }

  @Test func ROW24_headsAndWindowsAskedForBeforeAnEvictionAreRefused() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], live: true)
      let head = try list.send(.head)
      let window = try list.send(.around)
      try list.live(91)
      let top = list.order.stored[0].high
      try list.evict(top...top)
      // Both answers were made before 91: with them the head would be proved without it.
      #expect(try list.answer(head, list.page([90, 89])).wasStale)
      #expect(try list.answer(window, list.page([90, 89])).wasStale)
      #expect(list.order.stored[0].newer.state == .open)
      try list.load(.head, nil, list.page([91, 90]))
      #expect(items(list) == [91, 90, 89] && list.order.stored[0].newer.state == .live)
    }
  }

  @Test func ROW25_liveItemsThatCameSinceStayOnTop() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90, 89], live: true)
      let request = try list.send(.head)
      try list.live(91)
      try list.replace(request, [list.page([90, 88], older: "t88")])
      #expect(list.shown == "live[91 90 88](t88)")
    }
  }

  @Test func ROW25_aLateRowBetweenThePagesRowsStays() throws {
    var list = MergeList.with(.keyed, [90, 80], live: true)
    let request = try list.send(.head)
    #expect(try list.live(85) == .inserted)
    try list.replace(request, [list.page([90, 80], older: "t80")])
    #expect(items(list) == [90, 85, 80])
  }

  @Test func ROW25_aRefreshThatLeftBeforeAnAppliedHeadIsRefused() throws {
    for rule in rules {
      var list = MergeList.with(rule, [90])
      let request = try list.send(.head)
      list.sequence += 1
      try list.load(.head, nil, list.page([91, 90]))
      let outcome = try list.replace(request, [list.page([90])])
      #expect(outcome.wasStale && list.lastPlan.writes.isEmpty)
    }
  }

  @Test func heldItemsForOneSpotShareItsRoom() throws {
    var list = MergeList.with(.keyed, [1_000], [500], live: true)
    let request = try list.send(.older, from: list.run(0))
    for item in (600..<700).reversed() as ReversedCollection<Range<Int64>> { #expect(try list.live(item) == .held) }
    try list.answer(request, list.page([500]))
    #expect(items(list) == [1_000] + Array((600..<700).reversed()) + [500])
    #expect(list.order.held.isEmpty && list.order.renumberings == 0 && list.order.broken(.keyed) == [])
  }

  @Test func roomIsFoundBetweenRowsOrNotAtAll() {
    let room = Room(stride: 10, spacing: 100)
    #expect(room.positions(2, below: nil, isJoinedAbove: false, above: nil, isJoinedBelow: false) == [0, -10])
    #expect(room.positions(2, below: 50, isJoinedAbove: true, above: nil, isJoinedBelow: false) == [40, 30])
    #expect(room.positions(2, below: 50, isJoinedAbove: false, above: nil, isJoinedBelow: false) == [-50, -60])
    #expect(room.positions(2, below: nil, isJoinedAbove: false, above: 50, isJoinedBelow: true) == [70, 60])
    #expect(room.positions(1, below: 3, isJoinedAbove: true, above: 1, isJoinedBelow: true) == [2])
    #expect(room.positions(2, below: 3, isJoinedAbove: true, above: 1, isJoinedBelow: true) == nil)
    #expect(room.positions(1, below: nil, isJoinedAbove: false, above: .max - 5, isJoinedBelow: true) == nil)
    #expect(room.positions(1, below: .min + 5, isJoinedAbove: true, above: nil, isJoinedBelow: false) == nil)
    let wide = room.positions(3, below: .max, isJoinedAbove: false, above: .min, isJoinedBelow: false) ?? []
    #expect(wide.count == 3 && zip(wide, wide.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func theLongestFallingChainStaysAndTheNearestAmongEquals() {
    #expect(FallingChain.indices(of: [9, 7, 5]) == [0, 1, 2])
    #expect(FallingChain.indices(of: [1, 9, 7, 5]) == [1, 2, 3])
    #expect(FallingChain.indices(of: [2, 9]) == [1])
    #expect(FallingChain.indices(of: [2, 9], prefersLow: true) == [0])
    #expect(FallingChain.indices(of: []) == [])
  }
}
