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
}
