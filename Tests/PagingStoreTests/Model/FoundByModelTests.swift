import Testing

@testable import PagingStore

/// What the random test found, each in its shortest form.
@Suite struct FoundByModelTests {
  private let store: ListStore
  private let list: StoredList<Note>

  init() throws {
    store = try ListStore.inMemory()
    list = store.list("home", policy: ListPolicy(order: .keyed, freshness: .newItemsControl))
  }

  @Test func INV12_whatACreationBringsOnScreenIsANewVersion() throws {
    try list.take(notePage(50, 41, end: true))
    try list.take(notePage(51, 42))
    let before = try list.version()
    try list.insert(Note(id: 1_000))
    #expect(try list.shape() == "51…41")
    #expect(try list.version() > before)
  }

  @Test func S10_aMadeRowStaysOnScreenWhereOthersWaitWhenItGetsItsPlace() throws {
    let session = try list.liveSession()
    try list.take(notePage(50, 41))
    let sending = try list.insert(Note(id: 1_000))
    try session.receive(notes(51, 51))
    #expect(try list.shape() == "1000 50…41")
    try sending.confirm(as: Note(id: 52))
    #expect(try list.shape() == "52…41")
    #expect(try list.currentPendingCount() == .none)
  }

  @Test func S1_ofTwoCopiesWithoutVersionsTheOneAskedForLaterStays() throws {
    try list.take(notePage(50, 41))
    let early = try list.request(.around(45))
    let late = try list.request(.around(45))
    try list.apply(RemotePage([Note(id: 45, text: "new")]), for: late)
    try list.apply(RemotePage([Note(id: 45, text: "old")]), for: early)
    #expect(try store.item(45, of: Note.self)?.text == "new")
  }

  private func takeDeletions(_ ids: [Int]) throws {
    let request = try list.request(.head)
    _ = try list.core.changed(
      [], deletions: try ids.map { try ItemKey($0) }, token: "1", asked: request.core, in: list.id, policy: list.policy)
  }

  @Test func S10_whatTheLogDeletesLeavesItsEditsAsFailed() throws {
    try list.take(notePage(50, 41))
    _ = try store.edit(45, of: Note.self, intent: "rename") { $0.text = "mine" }
    try takeDeletions([45])
    #expect(try store.pendingEdits().map(\.state) == [.failed])
  }

  @Test func B82_whatTheLogDeletesUnseenIsNotBroughtBackByAnEarlierAnswer() throws {
    let early = try list.request(.head)
    try takeDeletions([45])
    try list.apply(notePage(50, 41), for: early)
    #expect(try list.shape() == "50…46 44…41")
  }

  // MARK: What is held

  /// Rows whose places change: by ID and place.
  private func moving(_ items: (Int, Int64)...) -> [ModelItem] {
    items.map { ModelItem(id: $0.0, place: $0.1, text: "") }
  }

  private func ids(_ list: StoredList<ModelItem>) throws -> [Int] {
    try store.core.window(of: list.id, at: .head, before: 0, after: 100).map { window in
      try list.rows(of: window).compactMap { row in if case .item(let item) = row.content { item.id } else { nil } }
    } ?? []
  }

  @Test func B37_anItemThatMovedWhileItWasHeldStandsWhereItWasToldLast() throws {
    let places = store.list("places", of: ModelItem.self, policy: ListPolicy(order: .keyed))
    let session = try places.liveSession()
    let request = try places.request(.head)
    try session.receive(moving((1, 50)))
    try session.receive(moving((1, 70)))
    try places.apply(RemotePage(moving((2, 90), (3, 60), (4, 40))), for: request)
    #expect(try ids(places) == [2, 1, 3, 4])
    session.end()
  }

  @Test func B37_whatWasHeldIsForgottenWhenTheItemHasItsPlace() throws {
    let places = store.list("places", of: ModelItem.self, policy: ListPolicy(order: .keyed))
    let session = try places.liveSession()
    try places.apply(RemotePage(moving((2, 90), (3, 60)), olderToken: "t"), for: try places.request(.head))
    try session.receive(moving((1, 30)))
    try session.receive(moving((1, 70)))
    #expect(try ids(places) == [2, 1, 3])
    try places.apply(RemotePage(moving((4, 40), (5, 20))), for: try places.request(.olderThanAll))
    #expect(try ids(places) == [2, 1, 3, 4, 5])
    session.end()
  }

  @Test func B37_aPageThatWasAskedForLaterKnowsBetterThanWhatIsHeld() throws {
    let places = store.list("places", of: ModelItem.self, policy: ListPolicy(order: .keyed))
    let session = try places.liveSession()
    try places.apply(RemotePage(moving((2, 90), (3, 60)), olderToken: "t"), for: try places.request(.head))
    try session.receive(moving((1, 30)))
    try places.apply(RemotePage(moving((2, 90), (1, 70), (3, 60))), for: try places.request(.head))
    try places.apply(RemotePage(moving((4, 40), (5, 20))), for: try places.request(.olderThanAll))
    #expect(try ids(places) == [2, 1, 3, 4, 5])
    session.end()
  }

  @Test func B37_anItemOfThePageGoesWhereALaterEventSaysAndTheRunEndsWithTheRestOfThem() throws {
    let places = store.list("places", of: ModelItem.self, policy: ListPolicy(order: .keyed))
    let session = try places.liveSession()
    let request = try places.request(.head)
    try session.receive(moving((1, 50)))
    try places.apply(RemotePage(moving((1, 80), (3, 60), (4, 40))), for: request)
    #expect(try ids(places) == [3, 1, 4])
    session.end()
  }

  // MARK: What waits, and what is swept

  @Test func S7_whatComesInTheSteadOfTheNewestShownRowWaits() throws {
    try list.take(notePage(50, 41))
    try list.take(RemotePage(notes(51, 51) + notes(49, 41)))
    #expect(try list.shape() == "49…41")
    #expect(try list.currentPendingCount().count == 1)
    try list.showPending()
    #expect(try list.shape() == "51 49…41")
  }

  @Test func B89_aSweepCutsOnlyWhereATokenGoesOn() async throws {
    let feed = store.list("feed", of: Note.self, policy: ListPolicy(order: .cursor))
    try feed.take(notePage(30, 21, end: true))
    try feed.take(RemotePage(notes(40, 31), newerToken: ">40"), for: .newerThanAll)
    try await store.core.sweep(maxItems: 5, keptRows: 2)
    #expect(try feed.shape() == "40…21")
    let other = store.list("other", of: Note.self, policy: ListPolicy(order: .cursor))
    try other.take(notePage(30, 21, end: true))
    try other.take(RemotePage(notes(40, 31), newerToken: ">40", olderToken: "<31"), for: .newerThanAll)
    try await store.core.sweep(maxItems: 5, keptRows: 2)
    #expect(try other.shape() == "40…31")
    #expect(try other.request(.olderThanAll).token == "<31")
  }
}
