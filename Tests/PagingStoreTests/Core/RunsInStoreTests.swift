import Paging
import Testing

@testable import PagingStore

/// Runs and gaps through the store: what is on the screen, and after the file was opened anew.
@Suite struct RunsInStoreTests {
  private let lists: NoteLists

  init() throws { lists = try NoteLists() }

  private func withGap(_ list: StoredList<Note>) throws -> Gap {
    try list.take(notePage(50, 31))
    try list.take(notePage(90, 71))
    return try #require(try list.gaps().first)
  }

  @Test func B1_aHeadPageThatTouchesNothingLeavesAGap() throws {
    for list in lists.both {
      _ = try withGap(list)
      #expect(try list.shape() == "90…71 | 50…31")
    }
  }

  @Test func B2_aFillFromAboveNarrowsTheGapAndTheGapStaysItself() throws {
    for list in lists.both {
      let gap = try withGap(list)
      let outcome = try list.take(notePage(70, 61), for: .older(than: gap))
      #expect(try list.shape() == "90…61 | 50…31")
      #expect(try list.gaps().map(\.id) == [gap.id])
      #expect(outcome.inserted == 10)
      #expect(outcome.closedGaps == 0)
    }
  }

  @Test func B3_aFillThatOverlapsJoins() throws {
    for list in lists.both {
      let gap = try withGap(list)
      let outcome = try list.take(notePage(70, 45), for: .older(than: gap))
      #expect(try list.shape() == "90…31")
      #expect(outcome.closedGaps == 1)
      #expect(outcome.inserted == 20)
      #expect(try list.runs().last?.older.token == "<31")
    }
  }

  @Test func B4_B5_aFillFromBelowThenABoundedOneFromAbove() throws {
    for list in lists.both {
      let gap = try withGap(list)
      try list.take(notePage(60, 51), for: .newer(than: gap))
      #expect(try list.shape() == "90…71 | 60…31")
      let request = try list.request(.older(than: gap))
      #expect(request.boundary == 71)
      #expect(request.bound == 60)
      #expect(request.token == "<71")
      let outcome = try list.apply(notePage(70, 61, bound: true), for: request)
      #expect(try list.shape() == "90…31")
      #expect(outcome.closedGaps == 1)
    }
  }

  @Test func B7_whatAPageLacksThatCoversARunLeavesThisListOnly() throws {
    let other: StoredList<Note> = lists.store.list("other", policy: ListPolicy(order: .keyed))
    try other.take(notePage(50, 41))
    try lists.keyed.take(notePage(50, 41))
    try lists.keyed.take(notePage(90, 81))
    var page = notePage(80, 39)
    page.items.removeAll { $0.id == 45 }
    let outcome = try lists.keyed.take(page, for: .older(than: try #require(try lists.keyed.gaps().first)))
    #expect(try lists.keyed.shape() == "90…46 44…39")
    #expect(outcome.removed == 1)
    #expect(try other.shape() == "50…41")
  }

  @Test func B10_B11_aPageThatIsKnownChangesNothing() throws {
    for list in lists.both {
      try list.take(notePage(90, 31))
      let before = try list.version()
      var page = notePage(60, 51)
      page.olderToken = nil
      page.newerToken = nil
      let first = try list.take(page, for: .olderThanAll)
      let second = try list.take(page, for: .olderThanAll)
      #expect(!first.changedOrder)
      #expect(!second.changedOrder)
      #expect(second.updated == 0)
      #expect(try list.version() == before)
      #expect(try list.shape() == "90…31")
    }
  }

  @Test func B16_aShortPageWithAContinuationIsNoEnd() throws {
    for list in lists.both {
      let gap = try withGap(list)
      try list.take(notePage(70, 68), for: .older(than: gap))
      #expect(try list.shape() == "90…68 | 50…31")
      try list.take(notePage(30, 28), for: .olderThanAll)
      #expect(try list.runs().last?.older.state == .open)
    }
  }

  @Test func B17_anEmptyPageWithANewTokenIsFollowed() throws {
    let gap = try withGap(lists.cursor)
    try lists.cursor.take(RemotePage([], olderToken: "on"), for: .older(than: gap))
    #expect(try lists.cursor.shape() == "90…71 | 50…31")
    #expect(try lists.cursor.request(.older(than: gap)).token == "on")
  }

  @Test func B18_anEdgeThatLeadsNowhereThreeTimesIsDead() throws {
    let gap = try withGap(lists.cursor)
    for _ in 0..<3 { try lists.cursor.take(RemotePage([], olderToken: "<71"), for: .older(than: gap)) }
    let dead = try #require(try lists.cursor.gaps().first)
    #expect(!dead.fillableSides.contains(.above))
  }

  @Test func B19_B20_anEndAboveStoredRows() throws {
    let gap = try withGap(lists.cursor)
    try lists.cursor.take(RemotePage([], reachedEnd: true), for: .older(than: gap))
    #expect(try lists.cursor.shape() == "90…71 ‖ 50…31")

    var policy = ListPolicy()
    policy.endIsAuthoritative = true
    let strict: StoredList<Note> = lists.store.list("strict", policy: policy)
    let strictGap = try withGap(strict)
    try strict.take(RemotePage([], reachedEnd: true), for: .older(than: strictGap))
    #expect(try strict.shape() == "90…71")
    #expect(try strict.runs().last?.older.state == .reached)
  }

  @Test func B21_theListEndsWhereItsOldestRunDoes() throws {
    for list in lists.both {
      try list.take(notePage(50, 31))
      #expect(try list.runs().last?.older.state == .open)
      try list.take(notePage(30, 21, end: true), for: .olderThanAll)
      #expect(try list.runs().last?.older.state == .reached)
      #expect(try list.shape() == "50…21")
    }
  }

  @Test func B22_B23_anEmptyPageIsAnEmptyListOnlyAtItsEnd() throws {
    for list in lists.both {
      try list.take(RemotePage([], olderToken: "on"))
      #expect(try list.runs().last?.older.state != .reached)
      try list.take(RemotePage([], reachedEnd: true))
      #expect(try list.runs().last?.older.state == .reached)
      #expect(try list.shape() == "")
    }
  }

  @Test func B30_twoGapsFillInAnyOrderToTheSameList() throws {
    for (number, isTurned) in [false, true].enumerated() {
      let list: StoredList<Note> = lists.store.list("pair \(number)", policy: ListPolicy(order: .keyed))
      try list.take(notePage(20, 11))
      try list.take(notePage(40, 31))
      try list.take(notePage(60, 51))
      let gaps = try list.gaps()
      #expect(gaps.count == 2)
      let upper = try list.request(.older(than: gaps[0]))
      let lower = try list.request(.older(than: gaps[1]))
      let answers = [(notePage(50, 40), upper), (notePage(30, 20), lower)]
      for (page, request) in isTurned ? answers.reversed() : answers where try list.apply(page, for: request).wasStale {
        // Its run was joined to another one meanwhile; what is left of the gap is asked for again.
        try list.take(page, for: .older(than: try #require(try list.gaps().first)))
      }
      #expect(try list.shape() == "60…11")
    }
  }
}
