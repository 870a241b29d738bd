import Testing

@testable import PagingStore

/// Items that are made here.
@Suite struct CreationTests {
  private let store: ListStore
  private let chat: StoredList<Post>

  init() throws {
    store = try ListStore.inMemory()
    chat = store.list("chat")
  }

  private func live() throws -> LiveSession<Post> {
    let session = try chat.liveSession()
    try chat.apply(RemotePage([Post(id: "2"), Post(id: "1")], reachedEnd: true), for: chat.request(.head))
    return session
  }

  private func rows() throws -> [ListRow<Post>] {
    guard let window = try chat.core.window(of: chat.id, at: .head, before: 0, after: 100) else { return [] }
    return try chat.rows(of: window)
  }

  private func ids() throws -> [String] { try rows().compactMap(\.item?.id) }

  @Test func S10_aCreatedItemFollowsTheNewestRowOnlyWhereNothingCanBeMissing() throws {
    let session = try live()
    try chat.insert(Post(id: "x"))
    try chat.insert(Post(id: "y"))
    #expect(try ids() == ["y", "x", "2", "1"])
    session.end()
    #expect(try ids() == ["2", "1"], "what is newer than 2 is not known")
    let empty = store.list("empty", of: Post.self)
    try empty.insert(Post(id: "z"))
    let window = try #require(try empty.core.window(of: empty.id, at: .head, before: 0, after: 10))
    #expect(window.rows.count == 1)
  }

  @Test func B83_acknowledgedBeforeTheEvent() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "local"), intent: "send")
    let row = try #require(try rows().first?.id)
    #expect(try sending.confirm(as: Post(id: "3")).state == .ended)
    #expect(try ids() == ["3", "2", "1"])
    #expect(try rows().first?.id == row)
    try session.receive([Post(id: "3")])
    #expect(try ids() == ["3", "2", "1"])
    #expect(try rows().first?.id == row)
    #expect(try store.item("local", of: Post.self)?.id == "3", "it is found by either ID")
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func B83_theEventBeforeTheAcknowledgement() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "local"), intent: "send")
    let row = try #require(try rows().first?.id)
    try session.receive([Post(id: "3", title: "server")])
    try sending.confirm(as: Post(id: "3", title: "server"))
    #expect(try ids() == ["3", "2", "1"])
    #expect(try rows().first?.id == row, "the maker's row stays")
    #expect(try store.core.database.problems().isEmpty)
  }

  @Test func B83_aPageBeforeBoth() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "local"), intent: "send")
    let row = try #require(try rows().first?.id)
    try chat.apply(
      RemotePage([Post(id: "3"), Post(id: "2"), Post(id: "1")], reachedEnd: true), for: chat.request(.head))
    try sending.confirm(as: Post(id: "3"))
    try session.receive([Post(id: "3")])
    #expect(try ids() == ["3", "2", "1"])
    #expect(try rows().first?.id == row)
  }

  @Test func B83_whereTheHeadIsNotCurrentAPageGivesItsPlace() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "local"), intent: "send")
    let row = try #require(try rows().first?.id)
    session.end()
    try sending.confirm(as: Post(id: "4"))
    #expect(try ids() == ["2", "1"])
    let page = RemotePage([Post(id: "4"), Post(id: "3"), Post(id: "2"), Post(id: "1")], reachedEnd: true)
    try chat.apply(page, for: chat.request(.head))
    #expect(try ids() == ["4", "3", "2", "1"])
    #expect(try rows().first?.id == row)
  }

  @Test func S10_anItemWithAnIDOfItsOwnIsConfirmedWithoutAnother() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "own"), intent: "send")
    #expect(try sending.confirm().state == .ended)
    #expect(try ids() == ["own", "2", "1"])
    try session.receive([Post(id: "3")])
    #expect(try ids() == ["3", "own", "2", "1"])
  }

  @Test func S10_aCreationThatIsTakenBackLeavesNothing() throws {
    let session = try live()
    let sending = try chat.insert(Post(id: "local"))
    _ = try store.edit("local", of: Post.self, intent: "rename") { $0.title = "z" }
    #expect(try store.item("local", of: Post.self)?.title == "z")
    try sending.rollback()
    #expect(try ids() == ["2", "1"])
    #expect(try store.item("local", of: Post.self) == nil)
    #expect(try store.pendingEdits().isEmpty)
    session.end()
  }

  @Test func S10_anIDThatIsTakenIsAClearError() throws {
    let session = try live()
    #expect(storeCode { try chat.insert(Post(id: "1")) } == .wrongState)
    session.end()
  }
}
