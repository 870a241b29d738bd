import Paging
import Testing

@testable import PagingStore

/// Answers that come when the list is another one than when they were asked for.
@Suite struct LateAnswerTests {
  private let list: StoredList<Note>
  private let store: ListStore

  init() throws {
    store = try ListStore.inMemory()
    list = store.list("list", policy: ListPolicy(order: .keyed))
  }

  @Test func S4_B14_anAnswerToAnEdgeThatWasAdvancedIsRefusedAndItsItemsAreKept() throws {
    try list.take(notePage(50, 31))
    let early = try list.request(.olderThanAll)
    let late = try list.request(.olderThanAll)
    try list.apply(notePage(30, 21), for: early)
    let outcome = try list.apply(notePage(30, 21, text: "late"), for: late)
    #expect(outcome.wasStale)
    #expect(!outcome.changedOrder)
    #expect(try list.shape() == "50…21")
    // Asked for no earlier than what is stored: as fresh as that.
    let rows = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 100))
    #expect(try list.rows(of: rows).compactMap(\.item).filter { $0.text == "late" }.count == 10)
  }

  @Test func S4_B13_anAnswerAfterTheListWasReplacedTouchesNoOrder() throws {
    try list.take(notePage(50, 31))
    let late = try list.request(.olderThanAll)
    let refresh = try list.request(.head)
    try list.replace(with: notePage(90, 81), for: refresh)
    #expect(try list.shape() == "90…81")
    let outcome = try list.apply(notePage(30, 21), for: late)
    #expect(outcome.wasStale)
    #expect(try list.shape() == "90…81")
  }

  @Test func S4_B15_aNewRunDoesntTakeAnOldRunsAnswer() throws {
    try list.take(notePage(50, 31))
    try list.take(notePage(90, 71))
    let gap = try #require(try list.gaps().first)
    let late = try list.request(.newer(than: gap))
    try list.take(notePage(70, 50), for: .older(than: gap))
    #expect(try list.shape() == "90…31")
    try list.take(notePage(150, 131))
    #expect(try list.shape() == "150…131 | 90…31")
    let outcome = try list.apply(notePage(60, 51, bound: true), for: late)
    #expect(outcome.wasStale)
    #expect(try list.shape() == "150…131 | 90…31")
  }

  @Test func S4_B40_headAnswersThatOvertakeEachOther() throws {
    let first = try list.request(.head)
    try list.take(notePage(10, 1))
    let second = try list.request(.head)
    try list.apply(notePage(90, 71), for: second)
    let outcome = try list.apply(notePage(60, 51), for: first)
    #expect(outcome.wasStale)
    #expect(try list.shape() == "90…71 | 10…1")
  }

  @Test func S4_aGapThatIsGoneCantBeAskedAbout() throws {
    try list.take(notePage(50, 31))
    try list.take(notePage(90, 71))
    let gap = try #require(try list.gaps().first)
    try list.take(notePage(70, 50), for: .older(than: gap))
    #expect(storeCode { _ = try list.request(.older(than: gap)) } == .notFound)
    #expect(storeCode { _ = try list.request(.newer(than: gap)) } == .notFound)
    let other: StoredList<Note> = store.list("other")
    try other.take(notePage(50, 31))
    #expect(storeCode { _ = try other.request(.older(than: gap)) } == .notFound)
  }

  @Test func S4_anEdgeOfNothingAsksForTheHead() throws {
    let request = try list.request(.olderThanAll)
    #expect(request.token == nil)
    #expect(request.boundary == nil)
    try list.apply(notePage(50, 31), for: request)
    #expect(try list.shape() == "50…31")
  }

  @Test func S4_aFresherCopyIsBySequenceOrByVersion() throws {
    func text(_ id: Int) throws -> String? {
      let window = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 100))
      return try list.rows(of: window).compactMap(\.item).first { $0.id == id }?.text
    }
    let early = try list.request(.head)
    try list.take(RemotePage([Note(id: 1, text: "stored")]))
    let other: StoredList<Note> = store.list("other")
    let beforeSecond = try other.request(.head)
    try list.take(RemotePage([Note(id: 1, text: "second")]))
    // Left before what is stored did.
    try list.apply(RemotePage([Note(id: 1, text: "early")]), for: early)
    #expect(try text(1) == "second")
    // The request that brought “second” left after this one, though nothing else was written between the two.
    try other.apply(RemotePage([Note(id: 1, text: "other")]), for: beforeSecond)
    #expect(try text(1) == "second")
    // A version says it, whenever it was asked for.
    let old = try other.request(.head)
    try list.take(RemotePage([Note(id: 2, text: "v5", revision: 5)]))
    try list.take(RemotePage([Note(id: 2, text: "v4", revision: 4)]))
    #expect(try text(2) == "v5")
    try other.apply(RemotePage([Note(id: 2, text: "v6", revision: 6)]), for: old)
    #expect(try text(2) == "v6")
  }

  @Test func S4_rankedOrdersSwitchAtOnceAndKeepTheOneBefore() throws {
    let ranked: StoredList<Note> = store.list("ranked", policy: ListPolicy(order: .ranked(.session)))
    let first = try ranked.request(.head)
    try ranked.switchOver(to: RemotePage([3, 1, 2].map { Note(id: $0) }), for: first, session: "a")
    #expect(try ranked.shape() == "3 1 2")
    let second = try ranked.request(.head)
    let overtaken = try ranked.request(.head)
    try ranked.switchOver(to: RemotePage([2, 3, 1].map { Note(id: $0) }), for: second, session: "b")
    #expect(try ranked.shape() == "2 3 1")
    #expect(try ranked.switchOver(to: RemotePage([Note(id: 9)]), for: overtaken).wasStale)
    #expect(try ranked.shape() == "2 3 1")
    #expect(try ranked.showPreviousSession())
    #expect(try ranked.shape() == "3 1 2")
  }
}
