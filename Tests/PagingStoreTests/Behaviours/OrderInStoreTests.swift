import Foundation
import Paging
import Testing

@testable import PagingStore

/// What answers, events and deletions do to the order of a list, as it is on screen and in the file.
@Suite struct OrderInStoreTests {
  private let lists: NoteLists

  init() throws { lists = try NoteLists() }

  /// 120…111 | 90…81 | 60…51, and the upper gap.
  private func withTwoGaps(_ list: StoredList<Note>, without missing: Int? = nil) throws -> Gap {
    try list.take(notePage(60, 51))
    var page = notePage(90, 81)
    page.items.removeAll { $0.id == missing }
    try list.take(page)
    try list.take(notePage(120, 111))
    return try #require(try list.gaps().first)
  }

  @Test func B6_onePageOverTwoGapsClosesBoth() throws {
    for list in lists.both {
      let gap = try withTwoGaps(list)
      let outcome = try list.take(notePage(110, 55), for: .older(than: gap))
      #expect(try list.shape() == "120…51")
      #expect(outcome.closedGaps == 2)
      #expect(try list.runs().count == 1)
    }
  }

  @Test func B8_aRowThatCameAfterTheQuestionLeftIsKept() throws {
    let gap = try withTwoGaps(lists.keyed, without: 85)
    let request = try lists.keyed.request(.older(than: gap))
    try lists.keyed.take(notePage(86, 84), for: .around(85))
    #expect(try lists.keyed.shape() == "120…111 | 90…81 | 60…51")
    var page = notePage(110, 55)
    page.items.removeAll { $0.id == 85 }
    try lists.keyed.apply(page, for: request)
    #expect(try lists.keyed.shape() == "120…51")
  }

  @Test func B9_aRunOfWhichAPageHasNothingIsGoneWhereThePageReachesTheNext() throws {
    for list in lists.both {
      let gap = try withTwoGaps(list)
      var page = notePage(110, 55)
      page.items.removeAll { (81...90).contains($0.id) }
      try list.take(page, for: .older(than: gap))
      #expect(try list.shape() == "120…91 80…51")
      #expect(try list.runs().count == 1)
      #expect(try lists.store.item(85, of: Note.self) != nil, "the item itself stays")
    }
  }

  @Test func B12_nothingMoreIsNotBelievedOfARunThatWasGivenUp() throws {
    for list in lists.both {
      try list.take(notePage(50, 31, end: true))
      try list.take(notePage(90, 71))
      let gap = try #require(try list.gaps().first)
      let request = try list.request(.older(than: gap))
      let upper = try #require(try list.runs().first)
      try list.discard(below: upper.number)
      try list.apply(notePage(70, 51, bound: true), for: request)
      #expect(try list.shape() == "90…51")
      #expect(try list.runs().last?.older.state == .open, "below 51 something may be")
    }
  }

  @Test func B24_aRunWhoseNewestRowIsDeletedIsStillMetThere() throws {
    for list in lists.both {
      try list.take(notePage(50, 31))
      try list.take(notePage(90, 71))
      let session = try list.liveSession()
      try session.receiveDeletions([50])
      #expect(try list.shape() == "90…71 | 49…31")
      var page = notePage(70, 45)
      page.items.removeAll { $0.id == 50 }
      try list.take(page, for: .older(than: try #require(try list.gaps().first)))
      #expect(try list.shape() == "90…51 49…31")
      #expect(try list.runs().count == 1)
      session.end()
    }
  }

  @Test func B25_whereTheWholeHeadIsDeletedTheNextRunIsTheHead() throws {
    for list in lists.both {
      let session = try list.liveSession()
      try list.take(notePage(50, 31))
      try list.take(notePage(90, 71))
      #expect(try list.runs().first?.newer.state == .live)
      try session.receiveDeletions(Array(71...90))
      #expect(try list.shape() == "50…31")
      #expect(try list.runs().map(\.newer.state) == [.open], "what lies above 50 is not known")
      session.end()
    }
  }

  @Test func B27_B28_equalTimesAndNumbersInTextStandAlikeAfterEverySplitAndReload() throws {
    struct Stamped: StoredItem, Equatable {
      let id: String
      let time: Int64
      var sortKey: ListSortKey? { ListSortKey(time) }
    }
    let all = ["100", "11", "10", "9", "2"].map { Stamped(id: $0, time: 7) } + [Stamped(id: "50", time: 3)]
    let folder = try CoreFolder()
    for size in 1...all.count {
      let store = try ListStore(at: folder.url.appending(path: "split \(size).db"))
      let list: StoredList<Stamped> = store.list("list", policy: ListPolicy(order: .keyed))
      for start in stride(from: 0, to: all.count, by: size) {
        // A page is given upside down: its keys decide.
        let page = RemotePage(
          Array(all[start..<min(all.count, start + size)].reversed()), olderToken: "\(start)",
          reachedEnd: start + size >= all.count)
        try list.apply(page, for: try list.request(start == 0 ? .head : .olderThanAll))
      }
      for store in [store, try ListStore(at: folder.url.appending(path: "split \(size).db"))] {
        let again: StoredList<Stamped> = store.list("list", policy: ListPolicy(order: .keyed))
        #expect(try again.allItems() == all, "pages of \(size)")
        #expect(try again.facts().runs.count == 1)
      }
    }
  }

  @Test func B37_whatWasHeldStandsOnceAboveThePageThatProvesTheHead() throws {
    for list in lists.both {
      try list.take(notePage(50, 41))
      let session = try list.liveSession()
      let request = try list.request(.head)
      try session.receive(notes(51, 51))
      #expect(try list.shape() == "50…41")
      try list.apply(notePage(50, 45), for: request)
      #expect(try list.shape() == "51…41")
      #expect(try list.runs().first?.newer.state == .live)
      session.end()
    }
  }

  @Test func B41_anEventForARowBelowTheHeadPageMakesNoFalseNeighbour() throws {
    try lists.keyed.take(notePage(50, 31))
    let session = try lists.keyed.liveSession()
    try lists.keyed.take(notePage(90, 81))
    try session.receive(notes(60, 60))
    #expect(try lists.keyed.shape() == "90…81 | 50…31")
    #expect(try lists.store.item(60, of: Note.self) != nil)
    session.end()
  }
}
