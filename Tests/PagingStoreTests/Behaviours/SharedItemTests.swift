import Paging
import Testing

@testable import PagingStore

/// What all readers of a store agree on.
@Suite(.timeLimit(.minutes(10))) struct SharedItemTests {
  private let store: ListStore
  private let home: StoredList<Note>
  private let other: StoredList<Note>

  init() throws {
    store = try ListStore.inMemory()
    home = store.list("home")
    other = store.list("other", policy: ListPolicy(order: .keyed))
    try home.take(notePage(50, 41))
    try other.take(notePage(46, 44))
  }

  private func texts(_ list: StoredList<Note>, of id: Int) async throws -> [String] {
    let page = try await list.pageSource().load(LoadParams(.refresh, loadSize: 100))
    return page.items.compactMap(\.item).filter { $0.id == id }.map(\.text)
  }

  private func expectEverybodySees(_ text: String, _ location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await texts(home, of: 45) == [text], sourceLocation: location)
    #expect(try await texts(other, of: 45) == [text], sourceLocation: location)
    #expect(try store.item(45, of: Note.self)?.text == text, sourceLocation: location)
    let number = try #require(try store.core.number(of: ItemKey(45), kind: "note"))
    #expect(try home.rows(of: [number]).map(\.item?.text) == [text], sourceLocation: location)
    var sights = store.observe(45, of: Note.self).makeAsyncIterator()
    #expect(try await sights.next()??.text == text, sourceLocation: location)
  }

  @Test func INV10_everyReaderSeesTheEditsOverTheServersCopy() async throws {
    let first = try store.edit(45, of: Note.self, intent: "a") { $0.text = "first" }
    try first.markSending()
    try await expectEverybodySees("first")
    let second = try store.edit(45, of: Note.self, intent: "b") { $0.text = "second" }
    try await expectEverybodySees("second")
    try home.take(notePage(50, 41, text: "server"))
    try await expectEverybodySees("second")
    try second.rollback()
    try await expectEverybodySees("first")
    try first.confirm()
    try await expectEverybodySees("first")
    try other.take(notePage(46, 44, text: "server"))
    try await expectEverybodySees("server")
  }

  @Test func INV12_everyVisibleChangeIsALaterMoment() throws {
    var last = try moment()
    func expectLater(_ what: String, reorders: Bool, _ change: () throws -> Void) throws {
      try change()
      let now = try moment()
      #expect(now.sequence > last.sequence, "\(what)")
      #expect(reorders ? now.version > last.version : now.version == last.version, "\(what)")
      last = now
    }
    let session = try home.liveSession()
    try expectLater("a page that joins", reorders: true) { try home.take(notePage(55, 46)) }
    try expectLater("a live item", reorders: true) { try session.receive(notes(56, 56)) }
    try expectLater("a fresher copy", reorders: false) { try session.receiveUpdates(notes(56, 56, text: "new")) }
    try expectLater("an edit", reorders: false) {
      try store.edit(50, of: Note.self, intent: "x") { $0.text = "edited" }
    }
    try expectLater("a deletion", reorders: true) { try session.receiveDeletions([50]) }
    try expectLater("a gap", reorders: true) { try home.take(notePage(90, 81)) }
    try expectLater("a gap that narrows", reorders: true) {
      try home.take(notePage(80, 75), for: .older(than: try #require(try home.gaps().first)))
    }
    try expectLater("an end", reorders: true) { try home.take(notePage(40, 31, end: true), for: .olderThanAll) }
    try expectLater("a replacement", reorders: true) {
      try home.replace(with: notePage(99, 90), for: try home.request(.head))
    }
    session.end()
    // What is known already is no change.
    try home.take(notePage(99, 90))
    last = try moment()
    try home.take(notePage(99, 90))
    #expect(try moment().version == last.version)
  }

  private func moment() throws -> (sequence: Int64, version: Int64) {
    let window = try #require(try home.core.window(of: home.id, at: .head, before: 0, after: 1))
    return (window.sequence, window.version)
  }
}
