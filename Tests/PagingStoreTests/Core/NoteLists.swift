@testable import PagingStore

/// A store in memory with a list of each kind of order that answers change, for tests of what holds in both.
struct NoteLists {
  let store: ListStore
  let keyed: StoredList<Note>
  let cursor: StoredList<Note>

  init() throws {
    store = try ListStore.inMemory()
    keyed = store.list("keyed", policy: ListPolicy(order: .keyed))
    cursor = store.list("cursor")
  }

  var both: [StoredList<Note>] { [keyed, cursor] }
}
