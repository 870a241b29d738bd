import Loading
import Paging
import PagingTesting
import Synchronization

/// A source of rows by number, which does what a script says.
typealias RowSource = ScriptedPageSource<Int, Row>

struct Offline: Error, Hashable {
  var number = 0
}

/// A stream ended before what a test waited for came.
struct NeverCame: Error {}

// MARK: - A list on a server

/// A list that a test can change while a pager reads it.
final class ListServer: Sendable {
  private let rows: Mutex<[Row]>

  init(_ rows: [Row]) {
    self.rows = Mutex(rows)
  }

  convenience init(count: Int) {
    self.init((0..<count).map { Row(id: $0) })
  }

  var all: [Row] { rows.withLock { $0 } }
  var ids: [Int] { all.map(\.id) }

  func edit(_ change: (inout [Row]) -> Void) {
    rows.withLock { change(&$0) }
  }

  /// The page whose first row is row `key` of the list, whichever way the load goes.
  func page(
    at key: Int?, size: Int, counts: Bool = false, goesBack: Bool = true, pageSize: Int = 10
  ) -> Page<Int, Row> {
    let all = self.all
    let start = min(max(0, key ?? 0), all.count)
    let end = min(all.count, start + size)
    return Page(
      Array(all[start..<end]), previousKey: goesBack && start > 0 ? max(0, start - pageSize) : nil,
      nextKey: end < all.count ? end : nil, itemsBefore: counts ? start : nil,
      itemsAfter: counts ? all.count - end : nil)
  }

  /// A source that pages through the list by offset.
  func source(
    clock: ManualClock = ManualClock(), counts: Bool = false, goesBack: Bool = true, pageSize: Int = 10
  ) -> RowSource {
    RowSource(clock: clock) { params in
      .page(self.page(at: params.key, size: params.loadSize, counts: counts, goesBack: goesBack, pageSize: pageSize))
    }
  }
}

/// A place in a list of rows that is sorted by ID: it doesn't move when rows come or go.
enum SortKey: Hashable, Sendable {
  case from(Int)
  case before(Int)
}

extension ListServer {
  func page(_ params: LoadParams<SortKey>) -> Page<SortKey, Row> {
    let all = self.all
    let items: ArraySlice<Row>
    switch params.key {
    case nil: items = all.prefix(params.loadSize)
    case .from(let id): items = all.drop { $0.id < id }.prefix(params.loadSize)
    case .before(let id): items = all.prefix { $0.id < id }.suffix(params.loadSize)
    }
    guard let first = items.first, let last = items.last else {
      // Nothing where it looked: what there is lies on the other side.
      switch params.key {
      case .from(let id) where !all.isEmpty: return Page([], previousKey: .before(id))
      case .before(let id) where !all.isEmpty: return Page([], nextKey: .from(id))
      default: return Page([])
      }
    }
    return Page(
      Array(items), previousKey: all.first?.id == first.id ? nil : .before(first.id),
      nextKey: all.last?.id == last.id ? nil : .from(last.id + 1))
  }
}

// MARK: - Sources with traits

/// A source that answers the questions that a scripted source leaves to their defaults.
final class TraitedSource<Key: Hashable & Sendable>: PageSource {
  typealias Load = @Sendable (LoadParams<Key>) async throws -> Page<Key, Row>

  struct Traits: Sendable {
    var keyKind = KeyKind.other
    var allowsRepeatedKeys = false
    var refreshKey: @Sendable (PagingState<Key, Row>) -> Key? = { _ in nil }
    var survivor: @Sendable (Row, [Row]) -> Row? = { _, _ in nil }
    var keyForIndex: @Sendable (Int) -> Key? = { _ in nil }
    var keyAround: @Sendable (Int) -> Key? = { _ in nil }
    var changes: @Sendable () -> AsyncStream<SourceChange<Row>>? = { nil }
  }

  private let traits: Traits
  private let loading: Load

  init(_ traits: Traits = Traits(), load: @escaping Load) {
    self.traits = traits
    loading = load
  }

  convenience init(_ base: ScriptedPageSource<Key, Row>, _ change: (inout Traits) -> Void) {
    var traits = Traits()
    change(&traits)
    self.init(traits) { try await base.load($0) }
  }

  @concurrent func load(_ params: LoadParams<Key>) async throws -> Page<Key, Row> { try await loading(params) }
  func refreshKey(for state: PagingState<Key, Row>) -> Key? { traits.refreshKey(state) }
  func changes() -> AsyncStream<SourceChange<Row>>? { traits.changes() }
  func survivor(of anchor: Row, among candidates: [Row]) -> Row? { traits.survivor(anchor, candidates) }
  var keyKind: KeyKind { traits.keyKind }
  func key(forIndex index: Int) -> Key? { traits.keyForIndex(index) }
  func key(around id: Int) -> Key? { traits.keyAround(id) }
  var allowsRepeatedKeys: Bool { traits.allowsRepeatedKeys }
}

// MARK: - What a pager did

/// A value that a test reads while others write it.
final class Box<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value { state.withLock { $0 } }

  @discardableResult
  func change<Result: Sendable>(_ change: (inout Value) -> Result) -> Result { state.withLock { change(&$0) } }
}

/// Everything that a pager told its observer.
final class EventLog: Sendable {
  private let log = Box<[PagingEvent]>([])
  private let told = Tally()

  var observer: PagingObserver {
    { [log, told] event in
      log.change { $0.append(event) }
      told.add(1)
    }
  }

  var events: [PagingEvent] { log.value }

  func begun(_ type: LoadType? = nil) -> Int {
    events.count { $0.name == "load" && $0.phase == .begin && (type == nil || $0.loadType == type) }
  }

  func ended(_ type: LoadType? = nil, _ outcome: String? = nil) -> [PagingEvent] {
    events.filter {
      $0.name == "load" && $0.phase == .end && (type == nil || $0.loadType == type)
        && (outcome == nil || $0.outcome == outcome)
    }
  }

  /// Why the first generations ended, once so many have.
  func reasons(_ count: Int) async throws -> [String?] {
    try await reached { $0.count { $0.name == "generation" } >= count }
    return named("generation").map(\.reason)
  }

  /// Returns once what was told fulfils a condition: another thread may still be telling of a load that is over.
  func reached(_ condition: ([PagingEvent]) -> Bool) async throws {
    while true {
      try Task.checkCancellation()
      let events = events
      if condition(events) { return }
      await told.reached(events.count + 1)
    }
  }

  /// Returns once all that `pager` did has been told, where it is settled: its statistics are there before its events.
  func caughtUp<Key, Item>(with pager: Pager<Key, Item>) async throws {
    let statistics = pager.statistics
    let loads =
      statistics.refresh.count + statistics.prepend.count + statistics.append.count + statistics.mediator.count
    try await reached { events in
      let ended = events.count { $0.phase == .end && ($0.name == "load" || $0.name == "mediatorLoad") }
      let generations = events.count { $0.name == "generation" && $0.reason != "close" }
      let dropped = events.filter { $0.name == "pagesDropped" }.reduce(0) { $0 + ($1.pageCount ?? 0) }
      return ended >= loads && generations >= statistics.generations && dropped >= statistics.droppedPages
    }
  }

  func named(_ name: String) -> [PagingEvent] { events.filter { $0.name == name } }
}

/// A place where a load waits for a test, and where the test sees whether the load was cancelled.
final class Hold: Sendable {
  private let gate = Gate()
  private let seen = Gate()

  func open() { gate.open() }

  /// Waits at the gate; a cancellation is noted and thrown on.
  func pass() async throws {
    do { try await gate.pass() } catch {
      seen.open()
      throw error
    }
  }

  /// Returns when a load waits here.
  func reached() async { await gate.waiting(atLeast: 1) }

  /// Returns when a load that waited here was cancelled.
  func cancelled() async throws { try await seen.pass() }

  var wasCancelled: Bool { seen.isOpen }
}

extension Pager {
  /// The first snapshot from now on that `condition` accepts. Counts as an observer while it waits.
  @discardableResult
  func first(where condition: (PagingSnapshot<Item>) -> Bool) async throws -> PagingSnapshot<Item> {
    for await snapshot in snapshots() where condition(snapshot) { return snapshot }
    throw NeverCame()
  }

  /// Reports rows of the snapshot that is the newest now.
  func look(at rows: Range<Int>) { viewportChanged(to: rows, of: snapshot) }

  /// Reports rows and waits until what follows from it is over.
  func see(_ rows: Range<Int>) async throws {
    try Task.checkCancellation()
    look(at: rows)
    await settled()
  }
}

extension PagingSnapshot<Row> {
  var ids: [Int] { items.map(\.id) }
  /// What each row shows: an ID, or nil for a placeholder.
  var slots: [Int?] { map { $0.item?.id } }
  /// The ID of the first row on screen. One snapshot says both: rows that are fetched ahead move it in the next one.
  var firstOnScreen: Int? { self[position.rowsBefore].item?.id }
  /// The ID of the row that the last refresh was to keep in place.
  var anchored: Int? { anchor?.index.flatMap { self[$0].item?.id } }
  /// What the states of the source are.
  var source: LoadStates { states.source }
}

extension LoadStates {
  var failures: [LoadFailure] { [refresh, prepend, append].compactMap(\.failure) }
}

func code(_ state: LoadState) -> PagingError.Code? { (state.failure?.error as? PagingError)?.code }
