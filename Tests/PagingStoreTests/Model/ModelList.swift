@testable import PagingStore

/// One list of the store under test: its connection, what is under way, and what it may not know.
final class ModelList {
  struct Flight {
    var request: ListRequest<ModelItem>
    var ask: ModelServer.Ask
    /// The step in which it left.
    var asked: Int
    var isRefresh = false
    /// The connection that stood then, by its number; nil: none did.
    var connection: Int?
    var answer: Answer?
  }
  struct Answer {
    var page: RemotePage<ModelItem>
    /// How many events there were when it was made.
    var events: Int
  }

  let name: String
  var list: StoredList<ModelItem>
  var session: LiveSession<ModelItem>?
  private var connections = 0
  /// The connection that stands, by its number.
  var connection: Int? { session == nil ? nil : connections }
  /// Where each item stands by the last event that told of its place.
  var told: [Int: Int64] = [:]
  var queue: [ModelEvent] = []
  var eventsMade = 0
  var flights: [Flight] = []
  /// Places that the list was not told of, so that it may miss them.
  var excused: Set<Int64> = []
  /// Places that are empty on the server, which the list may not know.
  var ghosts: Set<Int64> = []
  var generations = GenerationTruth()
  /// How the list stood after the last step.
  var seen = SeenList()
  var place: SavedRow?
  /// Items that were made here and have no place yet, by the IDs that they have now, the first made first.
  var made: [Int] = []
  /// The reader asked for what is new in this step, or made something.
  var wantsNew = false

  struct SavedRow {
    var id: Int
    /// The rows near it, the best first.
    var near: [Int]
    var epoch: Int64
  }

  init(_ name: String, _ store: ListStore, _ settings: StoreModel.Settings) {
    self.name = name
    var policy = ListPolicy(
      order: settings.rule == .keyed ? .keyed : .cursor, freshness: settings.waits ? .newItemsControl : .prepend)
    policy.endIsAuthoritative = true
    list = store.list(name, policy: policy)
  }

  func connect() throws {
    session = try list.liveSession()
    connections += 1
  }

  /// Places that the list will be told of.
  var waiting: Set<Int64> { Set(queue.compactMap(\.place)).union(seen.held) }

  /// Nobody tells the list.
  func lost(_ event: ModelEvent) {
    // What is new at the head a page of the head brings; what is new elsewhere nothing.
    if case .created(let item) = event, item.place % 10 != 0 || Int64(item.id) != item.place {
      excused.insert(item.place)
    }
  }

  /// The connection is gone, with all that was under way on it.
  func lostConnection() {
    queue.forEach(lost)
    queue = []
    session = nil
  }

  /// What was held will be dropped.
  func excuseHeld() { excused.formUnion(seen.held.filter { $0 % 10 != 0 }) }

  /// The process died.
  func died() {
    lostConnection()
    flights = []
  }
}

/// A ranked list: sessions of the server, each with an order of its own, in which the store adds page by page.
final class ModelSession {
  struct Flight {
    var request: ListRequest<ModelItem>
    var asked: Int
    /// The session, by its number; nil: a new one is asked for.
    var continues: Int?
    var offset = 0
    var limit = 3
  }
  /// What the server ranked.
  struct Snapshot {
    var items: [ModelItem]
  }

  var list: StoredList<ModelItem>
  var flights: [Flight] = []
  var snapshots: [Snapshot] = []
  /// The rows of each stored order, by its number, with its session and how far it was read.
  var orders: [Int64: (ids: [Int], session: Int, offset: Int)] = [:]
  var current: Int64?
  var previous: Int64?

  init(_ list: StoredList<ModelItem>) { self.list = list }

  func reopen(_ list: StoredList<ModelItem>) {
    self.list = list
    flights = []
  }
}
