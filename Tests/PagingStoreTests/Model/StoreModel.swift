import Foundation

@testable import PagingStore

/// What may happen to a store, its app and its server, with numbers that choose; what can't be done at the moment does nothing.
struct StoreStep: Hashable, CustomStringConvertible {
  enum Kind: Int, CaseIterable {
    case add, addHidden, backdate, change, move, delete, hide
    case connect, disconnect, deliverEvent
    case askHead, askOlder, askNewer, askAround, askRefresh
    case serve, deliver, deliverTwice, repeatDelivery, drop
    case evict, sweep, expire, catchUp, crossFill, crossConnection
    case edit, send, fail, acknowledge, rollBack, create
    case savePlace, restorePlace, showPending, killAndReopen
    case askSession, askMoreOfSession, deliverSession, backToSession
  }
  var kind: Kind
  var a: Int
  var b: Int
  var description: String { "\(kind) \(a) \(b)" }

  /// A script of steps, by a seed.
  static func random(_ seed: Int, count: Int) -> [StoreStep] {
    let weights: [(Kind, Int)] = [
      (.add, 14), (.addHidden, 3), (.backdate, 3), (.change, 5), (.move, 3), (.delete, 4), (.hide, 2),
      (.connect, 6), (.disconnect, 2), (.deliverEvent, 16),
      (.askHead, 9), (.askOlder, 14), (.askNewer, 8), (.askAround, 4), (.askRefresh, 2),
      (.serve, 8), (.deliver, 24), (.deliverTwice, 3), (.repeatDelivery, 4), (.drop, 1),
      (.evict, 3), (.sweep, 3), (.expire, 2), (.catchUp, 2), (.crossFill, 5),
      (.crossConnection, 2),
      (.edit, 7), (.send, 3), (.fail, 2), (.acknowledge, 5), (.rollBack, 2), (.create, 4),
      (.savePlace, 3), (.restorePlace, 3), (.showPending, 3), (.killAndReopen, 3),
      (.askSession, 2), (.askMoreOfSession, 3), (.deliverSession, 5), (.backToSession, 1),
    ]
    return ModelScript.random(seed, count: count, weights: weights) { StoreStep(kind: $0, a: $1, b: $2) }
  }
}

/// A store in a file, its app and its server, side by side: takes steps, and says after each what can't be believed any more.
final class StoreModel {
  struct Settings: Hashable {
    var rule: OrderRule
    /// Whether items have versions, by which the fresher copy is known; else it is the one asked for later.
    var isVersioned = false
    /// Whether new rows wait for ``StoredList/showPending()``.
    var waits = false
  }

  let settings: Settings
  private(set) var folder: CoreFolder
  private(set) var store: ListStore
  var lists: [ModelList]
  var session: ModelSession
  var server: StoreServer
  /// Steps so far: what is asked, told and taken has the number of its step.
  var tick = 0
  /// The server's copies as the store should have them, by ID.
  var known: [Int: KnownItem] = [:]
  /// When the store learned of a deletion, by ID.
  var gone: [Int: Int] = [:]
  var edits: [ModelEdit] = []
  /// Up to where the log of changes was taken in.
  var logRead = 0
  /// The places of sort keys.
  var places: [SortBytes: Int64] = [:]
  /// What went wrong in the step.
  var breaches: [String] = []
  var reader = StoreReader()
  /// What listeners were told in the step.
  private let told = Locked(StoreChange(sequence: 0))
  private var listening: ChangeSubscription?
  /// The transactions that the store has made.
  var journal: WriteJournal
  /// What readers saw of items after the last step.
  var sights: [Int: ModelItem] = [:]

  struct KnownItem: Hashable {
    var item: ModelItem
    var asked: Int
  }

  init(_ settings: Settings) throws {
    self.settings = settings
    folder = try CoreFolder(isVolatile: true)
    journal = WriteJournal(of: folder.file)
    store = try Self.open(folder.file)
    server = StoreServer(isVersioned: settings.isVersioned)
    lists = []
    session = ModelSession(store.list("session", policy: ListPolicy(order: .ranked(.session))))
    lists = ["home", "twin"].map { ModelList($0, store, settings) }
    listen()
  }

  private func listen() {
    listening = store.core.hub.subscribe { [told] change in told.change { $0.fold(change) } }
  }

  /// What listeners were told since this was asked.
  func takeTold() -> StoreChange {
    told.change { told in
      defer { told = StoreChange(sequence: 0) }
      return told
    }
  }

  private static func open(_ file: URL) throws -> ListStore {
    var config = ListStoreConfig()
    config.changeCheckInterval = nil
    return try ListStore(at: file, config: config, now: { Date(timeIntervalSince1970: 1_000_000) })
  }

  /// The process dies, and another one opens what it left.
  func killAndReopen() throws {
    let copy = try folder.copy(as: "copy.db")
    let next = try CoreFolder(isVolatile: true)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: copy.path + suffix) {
      try FileManager.default.moveItem(atPath: copy.path + suffix, toPath: next.file.path + suffix)
    }
    for list in lists { list.died() }
    store = try Self.open(next.file)
    folder = next
    journal = WriteJournal(of: folder.file)
    listen()
    session.reopen(store.list("session", policy: session.list.policy))
    for list in lists { list.list = store.list(list.name, policy: list.list.policy) }
    try recoverEdits()
  }

  // MARK: What is told

  /// What the server does is told to all lists that listen.
  func emit(_ event: ModelEvent) {
    for list in lists {
      if list.session != nil {
        list.eventsMade += 1
        list.queue.append(event)
      } else {
        list.lost(event)
      }
    }
    if case .created(let item) = event { note(item) }
  }

  func note(_ item: ModelItem) {
    guard let key = try? ItemKey(item.id) else { return }
    places[SortBytes(ListSortKey(item.place), tieBreak: key)] = item.place
  }

  /// A copy came to the store: what it should have now.
  ///
  /// - Returns: Whether it was taken in, rather than kept out by a deletion.
  @discardableResult
  func learn(_ item: ModelItem, asked: Int, isPushed: Bool = false) -> Bool {
    if let deleted = gone[item.id], deleted > asked || isPushed {
      guard isPushed, settings.isVersioned, let known = known[item.id], item.revision > known.item.revision else {
        return false
      }
    }
    gone[item.id] = nil
    let old = known[item.id]
    let isFresher =
      old.map { old in
        settings.isVersioned && old.item.revision != item.revision
          ? item.revision > old.item.revision : asked >= old.asked
      } ?? true
    if isFresher { known[item.id] = KnownItem(item: item, asked: asked) }
    for index in edits.indices where edits[index].id == item.id {
      edits[index].copyCame(item, asked: asked, isPushed: isPushed, isVersioned: settings.isVersioned)
    }
    return true
  }

  /// The store learned that an item is deleted.
  func forget(_ id: Int) {
    gone[id] = tick
    for number in session.orders.keys { session.orders[number]?.ids.removeAll { $0 == id } }
    for list in lists { list.made.removeAll { $0 == id } }
    edits.removeAll { $0.id == id && $0.acknowledged != nil }
    for index in edits.indices where edits[index].id == id { edits[index].state = .failed }
  }

  func pick<T>(_ from: [T], _ choice: Int) -> T? { from.isEmpty ? nil : from[choice % from.count] }
}
