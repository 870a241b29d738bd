import Foundation
import Paging
import Testing

@testable import PagingStore

/// A page is one transaction: all of it, or nothing.
@Suite struct WholePageTests {
  private let folder: CoreFolder

  init() throws { folder = try CoreFolder() }

  private static let policy = ListPolicy(order: .keyed)

  /// 120…111 | 90…81 | 60…51
  private func filled(_ store: ListStore) throws -> StoredList<Note> {
    let list: StoredList<Note> = store.list("list", policy: Self.policy)
    try list.take(notePage(60, 51))
    try list.take(notePage(90, 81))
    try list.take(notePage(120, 111))
    return list
  }

  /// A page that inserts, updates, removes, joins three runs and leaves a joint.
  private var page: RemotePage<Note> {
    var page = notePage(110, 55, text: "new")
    page.items.removeAll { $0.id == 85 }
    return page
  }

  private func contents(_ list: StoredList<Note>) throws -> String {
    let window = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 1_000))
    let texts = try list.rows(of: window).compactMap(\.item).map { "\($0.id)\($0.text)" }
    return "\(try list.shape()) \(try list.version()) \(texts) \(try list.runs())"
  }

  @Test func S2_B87_aFaultAtAnyRowThatAMergeWritesLeavesWhatWasThere() throws {
    let store = try ListStore(at: folder.file)
    let list = try filled(store)
    let gap = try #require(try list.gaps().first)
    let before = try contents(list)
    try store.core.database.write { transaction throws(ListStoreError) in
      for text in Fault.triggers { try transaction.connection.run(text) }
    }
    var writes = 0
    while true {
      writes += 1
      try store.core.database.write { transaction throws(ListStoreError) in
        _ = try transaction.connection.run(Fault.set, writes + 1)
      }
      let code = storeCode { try list.take(page, for: .older(than: gap)) }
      if code == nil { break }
      #expect(try contents(list) == before)
      // And a process that opens the file as it is now finds the same.
      if writes % 10 == 0 {
        let copy = try ListStore(at: try folder.copy(as: "copy \(writes)"))
        #expect(try contents(copy.list("list", policy: Self.policy)) == before)
      }
      try #require(writes < 1_000)
    }
    #expect(writes > 60)
    #expect(try list.shape() == "120…86 84…51")
    #expect(try store.core.database.problems().isEmpty)
  }

  @Test func S2_B87_aProcessThatDiesWithinAMergeLeavesWhatWasThere() throws {
    let copies = Locked<[URL]>([])
    let isDying = Locked(false)
    let folder = folder
    let store = try ListStore(
      at: folder.file,
      now: {
        guard isDying.value else { return Date(timeIntervalSince1970: 1) }
        // Called for each item, in the middle of the transaction.
        let number = copies.value.count
        if let copy = try? folder.copy(as: "dead \(number)") { copies.change { $0.append(copy) } }
        return Date(timeIntervalSince1970: 1)
      })
    let list = try filled(store)
    let before = try contents(list)
    isDying.change { $0 = true }
    try list.take(page, for: .older(than: try #require(try list.gaps().first)))
    isDying.change { $0 = false }
    #expect(copies.value.count > 40)
    for copy in copies.value {
      let reopened = try ListStore(at: copy)
      #expect(try contents(reopened.list("list", policy: Self.policy)) == before)
    }
    let after = try ListStore(at: try folder.copy(as: "after"))
    #expect(try contents(after.list("list", policy: Self.policy)) == contents(list))
    #expect(try list.shape() == "120…86 84…51")
  }

  @Test func S2_whatWasStoredIsThereWhenTheFileIsOpenedAgain() throws {
    var text = ""
    do {
      let list = try filled(try ListStore(at: folder.file))
      try list.take(page, for: .older(than: try #require(try list.gaps().first)))
      text = try contents(list)
    }
    let list: StoredList<Note> = try ListStore(at: folder.file).list("list", policy: Self.policy)
    #expect(try contents(list) == text)
    #expect(try list.request(.olderThanAll).token == "<51")
  }

  @Test func S2_aReplacementIsOneStepForThoseWhoRead() throws {
    let store = try ListStore(at: folder.file)
    let list = try filled(store)
    let log = Locked<[String]>([])
    let subscription = list.core.hub.subscribe { _ in
      let shape = (try? list.shape()) ?? "unreadable"
      log.change { $0.append(shape) }
    }
    try list.replace(with: notePage(200, 191), for: try list.request(.head))
    #expect(log.value == ["200…191"])
    #expect(try list.core.number(of: ItemKey(55), kind: "note") != nil)
    subscription.cancel()
  }

  @Test func S2_anItemThatCantBeEncodedFailsTheWholePage() throws {
    struct Odd: StoredItem {
      var id: Int
      func encode(to encoder: any Encoder) throws {
        if id == 3 { throw ListStoreError(.notFound, message: "odd") }
        try id.encode(to: encoder)
      }
    }
    let list: StoredList<Odd> = try ListStore(at: folder.file).list("odd")
    let request = try list.request(.head)
    #expect(storeCode { try list.apply(RemotePage((0..<5).map { Odd(id: $0) }), for: request) } == .coding)
    #expect(try list.core.number(of: ItemKey(1), kind: "Odd") == nil)
    struct Keyless: StoredItem { var id: Int }
    let keyed: StoredList<Keyless> = try ListStore(at: folder.file).list("keyless", policy: Self.policy)
    let ask = try keyed.request(.head)
    #expect(storeCode { try keyed.apply(RemotePage([Keyless(id: 1)]), for: ask) } == .coding)
  }
}

/// Fails the n-th row that is written from now on.
private enum Fault {
  static let triggers = [
    SQL("CREATE TABLE fault (n INTEGER)"), SQL("INSERT INTO fault VALUES (0)"),
    SQL(
      "CREATE TRIGGER f1 AFTER INSERT ON item BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f2 AFTER UPDATE ON item BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f3 AFTER INSERT ON entry BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f4 AFTER DELETE ON entry BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f5 AFTER UPDATE ON run BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f6 AFTER DELETE ON run BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f7 AFTER INSERT ON cut BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f8 AFTER UPDATE ON list BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
    SQL(
      "CREATE TRIGGER f9 AFTER UPDATE ON meta BEGIN UPDATE fault SET n = n - 1; SELECT RAISE(ABORT, 'fault') FROM fault WHERE n = 0; END"
    ),
  ]
  static let set = SQL("UPDATE fault SET n = ?")
}
