import Foundation
import Testing

@testable import PagingStore

/// An item with members that are edited apart.
struct Post: StoredItem, Equatable {
  let id: String
  var title = "a"
  var isLiked = false
  var revision: Int64?

  static var storedKind: String { "post" }
  var version: Int64? { revision }
}

/// Local edits over a file.
@Suite(.timeLimit(.minutes(10))) struct EditTests {
  private let store: ListStore
  private let home: StoredList<Post>
  private let other: StoredList<Post>

  init() throws {
    store = try ListStore.inMemory()
    home = store.list("home")
    other = store.list("other")
    try home.apply(RemotePage([Post(id: "1"), Post(id: "2")], reachedEnd: true), for: home.request(.head))
    try other.apply(RemotePage([Post(id: "1")], reachedEnd: true), for: other.request(.head))
  }

  private func like() throws -> LocalEdit {
    try store.edit("1", of: Post.self, intent: "like") { $0.isLiked = true }
  }

  private func shown(_ list: StoredList<Post>) throws -> [Post] {
    guard let window = try list.core.window(of: list.id, at: .head, before: 0, after: 100) else { return [] }
    return try list.rows(of: window).compactMap(\.item)
  }

  private func base() throws -> Post? {
    try store.core.database.read { connection throws(ListStoreError) in
      let record = try connection.items.find(ItemKey("1"), kind: connection.kinds.number(of: "post") ?? 0)
      guard let blob = record?.base else { return nil }
      return try store.config.coder.decode(Post.self, from: blob)
    }
  }

  @Test func B74_anEditShowsInEveryListAndWritesNoBase() throws {
    let version = try store.core.database.read { connection throws(ListStoreError) in
      try store.core.list(home.id, on: connection)?.version
    }
    let edit = try like()
    #expect(edit.state == .queued && edit.intent == "like")
    #expect(try shown(home).map(\.isLiked) == [true, false])
    #expect(try shown(other).map(\.isLiked) == [true])
    #expect(try store.item("1", of: Post.self)?.isLiked == true)
    #expect(try base()?.isLiked == false)
    let now = try store.core.database.read { connection throws(ListStoreError) in
      try store.core.list(home.id, on: connection)?.version
    }
    #expect(now == version, "no order changed")
  }

  @Test func B75_aPageWithTheOldStateDoesNotWipeAnEdit() throws {
    _ = try like()
    try home.apply(RemotePage([Post(id: "1", title: "b"), Post(id: "2")], reachedEnd: true), for: home.request(.head))
    #expect(try shown(home).first == Post(id: "1", title: "b", isLiked: true))
  }

  @Test func B76_anAcknowledgedEditEndsWithAPageThatLeftAfterTheWord() throws {
    let edit = try like()
    try edit.markSending()
    let early = try home.request(.head)
    #expect(try edit.confirm().state == .acknowledged)
    let late = try home.request(.head)
    try home.apply(RemotePage([Post(id: "1"), Post(id: "2")], reachedEnd: true), for: early)
    #expect(try store.item("1", of: Post.self)?.isLiked == true)
    try home.apply(RemotePage([Post(id: "1", isLiked: true), Post(id: "2")], reachedEnd: true), for: late)
    #expect(try store.item("1", of: Post.self)?.isLiked == true)
    #expect(try base()?.isLiked == true)
    #expect(try store.core.database.read { connection throws(ListStoreError) in try connection.patches.isEmpty })
  }

  @Test func S10_anAcknowledgedEditEndsWithTheVersionThatKnowsOfIt() throws {
    try home.apply(RemotePage([Post(id: "1", revision: 3), Post(id: "2")], reachedEnd: true), for: home.request(.head))
    let edit = try like()
    #expect(try edit.confirm(version: 5).state == .acknowledged)
    try home.apply(RemotePage([Post(id: "1", revision: 4)]), for: home.request(.head))
    #expect(try store.item("1", of: Post.self)?.isLiked == true, "the server lags")
    try home.apply(RemotePage([Post(id: "1", isLiked: true, revision: 5)]), for: home.request(.head))
    #expect(try store.core.database.read { connection throws(ListStoreError) in try connection.patches.isEmpty })
    let second = try store.edit("1", of: Post.self, intent: "unlike") { $0.isLiked = false }
    try home.apply(RemotePage([Post(id: "1", isLiked: false, revision: 7)]), for: home.request(.head))
    #expect(try second.confirm(version: 6).state == .ended, "such a copy is stored already")
  }

  @Test func B77_likeAndUnlikeShowsUnlikedWhateverTheFirstAcknowledgementDoes() throws {
    let liked = try like()
    try liked.markSending()
    let unliked = try store.edit("1", of: Post.self, intent: "unlike") { $0.isLiked = false }
    #expect(try store.item("1", of: Post.self)?.isLiked == false)
    try liked.confirm()
    #expect(try store.item("1", of: Post.self)?.isLiked == false)
    try home.apply(
      RemotePage([Post(id: "1", isLiked: true), Post(id: "2")], reachedEnd: true), for: home.request(.head))
    #expect(try store.item("1", of: Post.self)?.isLiked == false)
    try unliked.confirm()
    #expect(try store.item("1", of: Post.self)?.isLiked == false)
  }

  @Test func S10_aLaterEditTakesThePlaceOfAQueuedOneAndNeverOfOneBeingSent() throws {
    let first = try like()
    let second = try store.edit("1", of: Post.self, intent: "unlike") { $0.isLiked = false }
    #expect(try store.pendingEdits().map(\.intent) == ["unlike"])
    #expect(storeCode { try first.markSending() } == .notFound)
    try second.markSending()
    _ = try like()
    #expect(try store.pendingEdits().map(\.intent) == ["unlike", "like"])
    _ = try store.edit("1", of: Post.self, intent: "rename") { $0.title = "z" }
    #expect(try store.pendingEdits().map(\.intent) == ["unlike", "like", "rename"], "another member")
  }

  @Test func B78_aFailedEditShowsUntilItIsSentAgainWithTheSameKey() throws {
    let edit = try like()
    try edit.markSending()
    let failed = try edit.fail()
    #expect(failed.state == .failed)
    #expect(try store.item("1", of: Post.self)?.isLiked == true)
    #expect(try base()?.isLiked == false)
    let again = try #require(try store.pendingEdits().first)
    #expect(again.idempotencyKey == edit.idempotencyKey && again.state == .failed && again.tries == 1)
    #expect(try again.markSending().tries == 2)
  }

  @Test func S10_aRolledBackEditLeavesWhatTheServerSaid() throws {
    let edit = try like()
    try edit.fail()
    #expect(try edit.rollback().state == .rolledBack)
    #expect(try store.item("1", of: Post.self)?.isLiked == false)
    #expect(try store.pendingEdits().isEmpty)
    #expect(storeCode { try edit.fail() } == .notFound)
  }

  @Test func B79_theServersChangeOfAnotherMemberShowsWithTheEdit() throws {
    _ = try like()
    try home.apply(RemotePage([Post(id: "1", title: "new"), Post(id: "2")]), for: home.request(.head))
    #expect(try store.item("1", of: Post.self) == Post(id: "1", title: "new", isLiked: true))
  }

  @Test func B84_anEditOutlivesTheProcess() throws {
    let folder = try CoreFolder()
    let first = try ListStore(at: folder.file)
    let list = first.list("home", of: Post.self)
    try list.apply(RemotePage([Post(id: "1")], reachedEnd: true), for: list.request(.head))
    let edit = try first.edit("1", of: Post.self, intent: "like") { $0.isLiked = true }
    let draft = try list.insert(Post(id: "local"), intent: "send")
    let copy = try ListStore(at: folder.copy(as: "killed.db"))
    let pending = try copy.pendingEdits()
    #expect(pending.map(\.intent) == ["like", "send"])
    #expect(pending.map(\.idempotencyKey) == [edit.idempotencyKey, draft.idempotencyKey])
    #expect(pending.map(\.state) == [.queued, .queued])
    #expect(pending.map(\.isCreation) == [false, true])
    #expect(try pending.map { try $0.itemID(of: Post.self) } == ["1", "local"])
    #expect(try copy.item("1", of: Post.self)?.isLiked == true)
    #expect(storeCode { _ = try pending[0].itemID(of: Note.self) } == .coding)
  }

  @Test func B85_anItemThatTheServerDeletedKeepsItsEditAsFailed() throws {
    let edit = try like()
    let session = try home.liveSession()
    try session.receiveDeletions(["1"])
    #expect(try shown(home).map(\.id) == ["2"])
    #expect(try shown(other).isEmpty)
    #expect(try store.item("1", of: Post.self) == nil)
    #expect(try store.pendingEdits().map(\.state) == [.failed])
    #expect(try store.pendingEdits().first?.id == edit.id)
  }

  @Test func B82_aDeletedItemComesBackOnlyWithAPageThatLeftLater() throws {
    let early = try home.request(.head)
    let session = try other.liveSession()
    try session.receiveDeletions(["1", "unknown"])
    try home.apply(RemotePage([Post(id: "1"), Post(id: "unknown"), Post(id: "2")], reachedEnd: true), for: early)
    #expect(try shown(home).map(\.id) == ["2"])
    try home.apply(RemotePage([Post(id: "1"), Post(id: "2")], reachedEnd: true), for: home.request(.head))
    #expect(try shown(home).map(\.id) == ["1", "2"])
  }

  @Test func S10_whatCannotBeEditedIsAClearError() throws {
    #expect(storeCode { try store.edit("9", of: Post.self, intent: "x") { $0.title = "" } } == .notFound)
    #expect(storeCode { try store.edit("1", of: Post.self, intent: "x") { $0 = Post(id: "7") } } == .coding)
  }

  @Test func S1_anObserverHearsOfEditsAndOfNothingElse() async throws {
    var sights = store.observe("1", of: Post.self).makeAsyncIterator()
    #expect(try await sights.next() == Post(id: "1"))
    _ = try store.edit("2", of: Post.self, intent: "rename") { $0.title = "z" }
    let edit = try like()
    #expect(try await sights.next() == Post(id: "1", isLiked: true))
    try edit.rollback()
    #expect(try await sights.next() == Post(id: "1"))
    var missing = store.observe("later", of: Post.self).makeAsyncIterator()
    #expect(try await missing.next() == .some(nil))
    try other.apply(RemotePage([Post(id: "later")]), for: other.request(.head))
    #expect(try await missing.next() == Post(id: "later"))
  }
}
