import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// New items that wait until the reader asks for them.
@Suite(.timeLimit(.minutes(10))) struct PendingTests {
  private let store: ListStore
  private let list: StoredList<Note>

  init() throws {
    store = try ListStore.inMemory()
    list = store.list("home", policy: ListPolicy(freshness: .newItemsControl))
  }

  private func current() throws -> LiveSession<Note> {
    let session = try list.liveSession()
    try list.take(notePage(50, 41))
    return session
  }

  @Test func B32_aLiveItemWaitsAndIsCounted() throws {
    let session = try current()
    #expect(try list.shape() == "50…41", "the first page shows at once")
    try session.receive(notes(51, 51))
    #expect(try list.shape() == "50…41")
    #expect(try list.currentPendingCount() == PendingCount(count: 1))
    session.end()
  }

  @Test func B33_aTapShowsAllThatWaits() throws {
    let session = try current()
    try session.receive([Note(id: 51), Note(id: 52), Note(id: 53)])
    #expect(try list.currentPendingCount().count == 3)
    try list.showPending()
    #expect(try list.shape() == "53…41")
    #expect(try list.currentPendingCount() == .none)
    try session.receive(notes(54, 54))
    #expect(try list.shape() == "53…41", "what comes next waits again")
    #expect(try list.currentPendingCount().count == 1)
  }

  @Test func B34_aPageThatTouchesNothingCountsAtLeastAndLeavesItsGap() throws {
    try list.take(notePage(50, 41))
    try list.take(notePage(90, 81))
    #expect(try list.shape() == "50…41")
    #expect(try list.currentPendingCount() == PendingCount(count: 10, isLowerBound: true))
    try list.showPending()
    #expect(try list.shape() == "90…81 | 50…41")
  }

  @Test func B35_whatTheRuleHidesDoesNotCount() throws {
    let session = try current()
    let ruled = list.showing { $0.text != "muted" }
    try session.receive([Note(id: 51, text: "muted"), Note(id: 52)])
    #expect(try ruled.currentPendingCount() == PendingCount(count: 1))
    #expect(try list.currentPendingCount() == PendingCount(count: 2))
    session.end()
  }

  @Test func B35_anItemThatChangesWhileItIsJudgedIsJudgedAnew() async throws {
    let folder = try CoreFolder()
    let list: StoredList<Note> = try ListStore(at: folder.file).list(
      "home", policy: ListPolicy(freshness: .newItemsControl))
    let session = try list.liveSession()
    try list.take(notePage(50, 41))
    try session.receive([Note(id: 51, text: "muted")])
    let isFirst = Locked(true)
    let ruled = list.showing { note in
      let isNow = isFirst.change { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isNow { try? session.receiveUpdates([Note(id: 51, text: "heard again")]) }
      return note.text != "muted"
    }
    var counts = ruled.pendingCount().makeAsyncIterator()
    #expect(await counts.next() == PendingCount.none)
    try session.receive(notes(52, 52))
    #expect(await counts.next() == PendingCount(count: 2), "the copy that was judged is not the one that is stored")
    session.end()
  }

  @Test func S7_moreThanAHundredAreAtLeastAHundred() throws {
    try list.take(notePage(50, 41))
    try list.take(notePage(300, 45))
    #expect(try list.currentPendingCount() == PendingCount(count: 100, isLowerBound: true))
    try list.showPending()
    #expect(try list.shape() == "300…41")
  }

  @Test func S7_nothingSlipsInWhereTheNewestShownRowWas() throws {
    let session = try current()
    try session.receiveDeletions([50, 49])
    try session.receive(notes(51, 51))
    #expect(try list.shape() == "48…41")
    #expect(try list.currentPendingCount().count == 1)
    try session.receiveDeletions(Array(41...48))
    try session.receive(notes(52, 52))
    #expect(try list.shape() == "52…51", "where no shown row is left nothing has to wait")
  }

  @Test func S7_theStreamTellsEachCountOnce() async throws {
    let session = try current()
    var counts = list.pendingCount().makeAsyncIterator()
    #expect(await counts.next() == PendingCount.none)
    try session.receiveUpdates([Note(id: 45, text: "new")])
    try session.receive(notes(51, 51))
    #expect(await counts.next() == PendingCount(count: 1))
    try list.showPending()
    #expect(await counts.next() == PendingCount.none)
    session.end()
  }

  @Test func S7_aCreatedItemShowsWhatWaits() throws {
    let session = try current()
    try session.receive(notes(51, 51))
    try list.insert(Note(id: 1_000))
    #expect(try list.shape() == "1000 51…41")
    try session.receive(notes(52, 52))
    #expect(try list.shape() == "1000 51…41", "its row stays while others wait")
  }

  @Test func S7_theServersCountIsPartOfItUntilAPageOfTheHead() throws {
    try list.take(notePage(50, 41))
    let newest = try #require(try list.core.pollAnchor(of: list.id)).item
    try list.core.hint(7, isLowerBound: true, newerThan: newest, in: list.id)
    #expect(try list.currentPendingCount() == PendingCount(count: 7, isLowerBound: true))
    try list.core.hint(3, isLowerBound: false, newerThan: newest + 1, in: list.id)
    #expect(try list.currentPendingCount().count == 7, "an answer about another row is too late")
    try list.take(notePage(52, 43))
    #expect(try list.currentPendingCount() == PendingCount(count: 2))
  }

  @Test func S7_aRemoteIsPolledAtTheIntervalOnlyWhileSomebodyObserves() async {
    let clock = ManualClock()
    let asked = Locked(0)
    let poll = PendingPoll()
    let ask: @Sendable () async -> Void = { asked.change { $0 += 1 } }
    poll.began(every: .seconds(60), clock: clock, ask: ask)
    poll.began(every: .seconds(60), clock: clock, ask: ask)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(59))
    #expect(asked.value == 0)
    await clock.advance(by: .seconds(1))
    // It sleeps again when it has asked.
    await clock.sleepers(atLeast: 1)
    #expect(asked.value == 1)
    poll.ended()
    await clock.advance(by: .seconds(60))
    await clock.sleepers(atLeast: 1)
    #expect(asked.value == 2, "one observer is left")
    poll.ended()
    await clock.advance(by: .seconds(600))
    #expect(asked.value == 2)
    #expect(clock.sleepers.isEmpty)
  }
}
