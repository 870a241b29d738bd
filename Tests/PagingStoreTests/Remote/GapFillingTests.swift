import Foundation
import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Gaps that a remote fills, one page a call.
@Suite(.timeLimit(.minutes(10))) struct GapFillingTests {
  /// A list that holds 50 to 31, and then, with a gap, what 40 newer notes brought.
  private static func apart(
    _ policy: ListPolicy = ListPolicy(), _ make: (NoticeServer) -> some PageSource<String, Notice> = { $0.downward }
  ) async throws -> (list: StoredList<Notice>, server: NoticeServer) {
    let server = NoticeServer(from: 50, to: 1)
    let list = try ListStore.inMemory().list("home", policy: policy, remote: make(server))
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    return (list, server)
  }

  @Test func B1_aHeadPageThatTouchesNothingLeavesAGap() async throws {
    let (list, _) = try await Self.apart()
    #expect(try await list.picture() == "90-71 gap 50-31")
  }

  @Test func B2_aPageFromAboveNarrowsTheGap() async throws {
    let (list, _) = try await Self.apart()
    let gap = try #require(try await list.gaps().first)
    #expect(gap.fillableSides == [.above])
    let outcome = try await list.fill(gap, from: .above, size: 10)
    #expect(outcome.inserted == 10)
    #expect(outcome.closedGaps == 0)
    #expect(try await list.picture() == "90-61 gap 50-31")
    #expect(try await list.gaps().map(\.id) == [gap.id], "it is the same gap to the screen")
  }

  @Test func B3_aPageThatReachesTheOldRowsClosesTheGap() async throws {
    let (list, _) = try await Self.apart()
    let gap = try #require(try await list.gaps().first)
    let outcome = try await list.fill(gap, from: .above, size: 26)
    #expect(outcome.inserted == 20)
    #expect(outcome.closedGaps == 1)
    #expect(try await list.picture() == "90-31")
    // What continues the list is the old run's token, not the page's, which points into it.
    try await list.tail(10)
    #expect(try await list.picture() == "90-21")
  }

  @Test func S3_fillingRepeatsUntilTheRunsMeet() async throws {
    let (list, server) = try await Self.apart()
    let before = server.asked
    while let gap = try await list.gaps().first { try await list.fill(gap, from: .above, size: 6) }
    #expect(try await list.picture() == "90-31")
    #expect(server.asked - before == 4)
  }

  @Test func B4_aWindowAroundTheLowerEdgeFillsFromBelow() async throws {
    let line = Line()
    let server = NoticeServer(from: 50, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.anchored(over: line))
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    let gap = try #require(try await list.gaps().first)
    #expect(gap.fillableSides == [.above, .below])
    try await list.fill(gap, from: .below, size: 20)
    #expect(try await list.picture() == "90-71 gap 60-31")
  }

  @Test func S3_theSideThatCannotBeAskedIsAClearError() async throws {
    let (list, server) = try await Self.apart()
    let gap = try #require(try await list.gaps().first)
    let before = server.asked
    let error = await #expect(throws: ListStoreError.self) { try await list.fill(gap, from: .below) }
    #expect(error?.code == .noRemote)
    #expect(server.asked == before)
    #expect(try await list.picture() == "90-71 gap 50-31")
  }

  @Test func S3_aListWithoutARemoteFillsNothing() async throws {
    let list = try ListStore.inMemory().list("home", of: Notice.self)
    let gap = Gap(id: 1, list: 1, fillableSides: [.above])
    let error = await #expect(throws: ListStoreError.self) { try await list.fill(gap, from: .above) }
    #expect(error?.code == .noRemote)
  }

  @Test func S3_aGapThatIsNoMoreNeedsNoRequest() async throws {
    let (list, server) = try await Self.apart()
    let gap = try #require(try await list.gaps().first)
    try await list.fill(gap, from: .above, size: 40)
    let before = server.asked
    #expect(try await list.fill(gap, from: .above) == MergeOutcome())
    #expect(server.asked == before)
  }

  @Test func B94_twoTriggersAtOneEdgeAreOneRequest() async throws {
    let gate = Gate()
    let server = NoticeServer(from: 50, to: 1)
    let source = CursorPageSource<String, Notice> { params in
      if params.key != nil { try await gate.pass() }
      var page = try server.page(params)
      page.previousKey = nil
      return page
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    let gap = try #require(try await list.gaps().first)
    let before = server.asked
    async let one = list.fill(gap, from: .above, size: 10)
    async let other = list.fill(gap, from: .above, size: 10)
    await gate.waiting(atLeast: 1)
    while list.core.book(ListAsker<Notice>.Flights.self, of: list.id, make: { .init() }).statistics.joins < 1 {
      await Task.yield()
    }
    gate.open()
    let outcomes = try await [one, other]
    #expect(server.asked == before + 1)
    #expect(outcomes[0] == outcomes[1])
    #expect(outcomes[0].inserted == 10)
    #expect(try await list.picture() == "90-61 gap 50-31")
  }

  @Test func B94_theTwoEdgesOfAGapAreAskedSideBySide() async throws {
    let gate = Gate()
    let server = NoticeServer(from: 50, to: 1)
    let source = AnchoredPageSource<String, Notice> { id, size in
      guard let id else { return try server.page(LoadParams(.refresh, loadSize: size)) }
      try await gate.pass()
      return try server.page(around: id, limit: size)
    } next: { params in
      try await gate.pass()
      return try server.page(params)
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    let gap = try #require(try await list.gaps().first)
    async let above = list.fill(gap, from: .above, size: 10)
    async let below = list.fill(gap, from: .below, size: 10)
    await gate.waiting(atLeast: 2)
    gate.open()
    _ = try await [above, below]
    #expect(try await list.picture() == "90-61 gap 55-31")
  }

  @Test func B16_aShortPageIsNotTheEnd() async throws {
    let source = ScriptedCursors { cursor in
      cursor == nil ? Page(Notice.from(20, to: 18), nextKey: "a") : Page(Notice.from(17, to: 1))
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    #expect(try list.facts().tail?.older.state == .open)
    try await list.tail(20)
    #expect(try list.facts().tail?.older.state == .reached)
    #expect(try await list.picture() == "20-1")
  }

  @Test func B17_anEmptyPageWithANewTokenMovesOn() async throws {
    let source = ScriptedCursors { cursor in
      switch cursor {
      case nil: Page(Notice.from(20, to: 18), nextKey: "a")
      case "a": Page([], nextKey: "b")
      default: Page(Notice.from(17, to: 15), nextKey: "c")
      }
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    try await list.tail(20)
    #expect(try list.facts().tail?.older.token == "\"b\"")
    #expect(try await list.picture() == "20-18")
    try await list.tail(20)
    #expect(try await list.picture() == "20-15")
  }

  @Test func B18_anEmptyPageWithTheSameTokenThreeTimesIsADeadEdge() async throws {
    let asked = Count()
    let source = ScriptedCursors { cursor in
      asked.up()
      return cursor == nil ? Page(Notice.from(20, to: 18), nextKey: "a") : Page([], nextKey: "a")
    }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    for _ in 1...3 { try await list.tail(20) }
    #expect(try list.facts().tail?.older.state == .dead)
    let before = asked.value
    let error = await #expect(throws: PagingError.self) { try await list.tail(20) }
    #expect(error?.code == .cursorExpired)
    #expect(asked.value == before, "a dead edge is not asked again")
    #expect(try await list.picture() == "20-18")
  }
}
