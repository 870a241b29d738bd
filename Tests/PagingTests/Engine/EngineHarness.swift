import Loading

@testable import Paging

/// A list on a server that doesn't change: rows `0..<count` by offset, one key a row.
struct StillServer: Sendable {
  var count: Int
  /// Whether pages say which page is before them.
  var goesBack = true
  /// Whether pages say how many rows are before and after them.
  var counts = true
  /// Where a page ends at a multiple of this, `emptyRun` pages without rows follow before the next row; 0: nowhere.
  var emptyEvery = 0
  var emptyRun = 3

  /// A page as numbers. A key is an offset, and 1,000 more for each empty page that is to come before its rows.
  struct Reply {
    var rows: Range<Int>
    var previous: Int?
    var next: Int?
    var before: Int?
    var after: Int?
  }

  func reply(_ type: LoadType, _ key: Int?, _ size: Int) -> Reply {
    let (empties, offset) = max(0, key ?? 0).quotientAndRemainder(dividingBy: 1000)
    let goesUp = type == .prepend && goesBack
    let start = goesUp ? max(0, offset - size) : min(offset, count)
    let end = goesUp ? min(offset, count) : empties > 0 ? start : min(count, start + size)
    var next = end < count ? end : nil
    if empties > 0 {
      next = offset + 1000 * (empties - 1)
    } else if emptyEvery > 0, end < count, end.isMultiple(of: emptyEvery) {
      next = end + 1000 * emptyRun
    }
    return Reply(
      rows: start..<max(start, end), previous: goesBack && start > 0 ? start : nil, next: next,
      before: counts ? start : nil, after: counts ? count - end : nil)
  }

  func page(_ params: OpaqueParams) -> OpaquePage {
    let reply = reply(params.type, params.key?.typed(as: Int.self), params.loadSize)
    return OpaquePage(
      Page<Int, Row>(
        reply.rows.map { Row(id: $0) }, previousKey: reply.previous, nextKey: reply.next, itemsBefore: reply.before,
        itemsAfter: reply.after))
  }
}

/// A pager's state with a shell around it that does nothing by itself: every load waits until the test ends it.
///
/// A value, so that a test can go several ways from one point.
struct EngineHarness {
  var state: PagerState
  var server: StillServer
  var now = Duration.zero
  /// Loads that were asked for and have not been ended.
  private(set) var pending: [(id: UInt64, params: OpaqueParams)] = []
  /// Loads that were cancelled, whose results may come all the same.
  private(set) var cancelled: [(id: UInt64, params: OpaqueParams)] = []
  private(set) var given: Set<CommandID> = []
  private(set) var finished: [CommandID: Int] = [:]
  private(set) var errors: [CommandID: any Error] = [:]
  private(set) var events: [PagingEvent] = []
  private(set) var openSources: Set<UInt64> = []
  /// Loads of the mediator that were asked for and have not been ended: never more than one, or the engine is wrong.
  private(set) var remote: [(id: UInt64, type: LoadType, loaded: LoadedPages)] = []
  private(set) var remoteCancelled: [(id: UInt64, type: LoadType, loaded: LoadedPages)] = []
  /// Whether the mediator was asked how to begin and has not answered.
  private(set) var isMediatorAsked = false
  private var nextCommand: CommandID = 1
  /// What the source says to where a refresh starts; nil: no opinion.
  var refreshKey: (LoadedPages) -> Int? = { _ in nil }

  init(config: PagingConfig, server: StillServer, initialKey: Int? = nil, hasMediator: Bool = false) {
    state = PagerState(
      config: config, initialKey: initialKey.map { OpaqueKey($0) }, hasMediator: hasMediator,
      access: TypedRows<Row>())
    self.server = server
  }

  // MARK: - What is seen

  var rows: [Int] { PageSequence<Row>(state.shown.pages).flatMap { $0.items.map(\.id) } }
  var pages: [[Int]] { PageSequence<Row>(state.shown.pages).map { $0.items.map(\.id) } }

  /// The rows that screens see, edited.
  var presentedRows: [Row] { PageSequence<Row>(state.presentedPages).flatMap(\.items) }

  /// The row ids by index, nil for placeholders.
  var list: [Int?] {
    let holes = state.shown.placeholders
    return Array(repeating: nil, count: holes.before) + rows.map(Optional.some)
      + Array(repeating: nil, count: holes.after)
  }

  var reported: ReportedSnapshot {
    let shown = state.shown
    return ReportedSnapshot(
      generation: shown.number, pages: state.presentedPages, firstCoordinate: shown.firstCoordinate,
      placeholdersBefore: shown.placeholders.before, placeholdersAfter: shown.placeholders.after,
      layout: state.overlay.layout)
  }

  // MARK: - What happens

  mutating func perform(_ event: (inout PagerState, Duration) -> [PagerAction]) {
    var actions = event(&state, now)
    while !actions.isEmpty {
      let action = actions.removeFirst()
      switch action {
      case .openSource(let generation, let question):
        openSources.insert(generation)
        actions += state.sourceOpened(
          generation, traits: SourceTraits(keyKind: .offset), key: answer(question), now: now)
      case .closeSource(let generation): openSources.remove(generation)
      case .chooseSurvivor(let generation, _, _): actions += state.survivorChosen(generation, nil, now: now)
      case .load(let id, _, let params): pending.append((id, params))
      case .cancel(let id):
        cancelled += pending.filter { $0.id == id }
        pending.removeAll { $0.id == id }
        remoteCancelled += remote.filter { $0.id == id }
        remote.removeAll { $0.id == id }
      case .openMediator: isMediatorAsked = true
      case .mediate(let id, let type, let loaded): remote.append((id, type, loaded))
      case .finish(let command, let error):
        finished[command, default: 0] += 1
        errors[command] = error
      case .wake: break
      case .report(let event): events.append(event)
      }
    }
  }

  private func answer(_ question: SourceQuestion) -> OpaqueKey? {
    switch question {
    case .traits: nil
    case .refreshKey(let loaded): refreshKey(loaded).map { OpaqueKey($0) }
    case .index(let index): (0..<server.count).contains(index) ? OpaqueKey(index) : nil
    case .item, .recovery: nil
    }
  }

  mutating func command(_ event: (inout PagerState, CommandID, Duration) -> [PagerAction]) -> CommandID {
    let id = nextCommand
    nextCommand += 1
    given.insert(id)
    perform { event(&$0, id, $1) }
    return id
  }

  /// Ends the pending load at `position` with the server's page.
  mutating func load(at position: Int = 0) { load(at: position, server.page(pending[position].params)) }

  /// Ends the pending load at `position` with a page.
  mutating func load(at position: Int = 0, _ page: OpaquePage) {
    let load = pending.remove(at: position)
    perform { $0.pageLoaded(load.id, page, now: $1) }
  }

  mutating func fail(at position: Int = 0, _ error: any Error) {
    let load = pending.remove(at: position)
    perform { $0.loadFailed(load.id, error, now: $1) }
  }

  /// A load that was cancelled returns all the same.
  mutating func loadLate(at position: Int) {
    let load = cancelled.remove(at: position)
    let page = server.page(load.params)
    perform { $0.pageLoaded(load.id, page, now: $1) }
  }

  /// The mediator says how to begin.
  mutating func answer(_ action: InitializeAction) {
    isMediatorAsked = false
    perform { $0.mediatorInitialized(action, now: $1) }
  }

  /// Ends the mediator's load, which has brought so many rows for the end of the list.
  mutating func mediate(rows: Int = 0, endReached: Bool = false) {
    server.count += rows
    let load = remote.removeFirst()
    perform { $0.mediatorLoaded(load.id, endReached: endReached, now: $1) }
  }

  mutating func failRemote(_ error: any Error) {
    let load = remote.removeFirst()
    perform { $0.mediatorFailed(load.id, error, now: $1) }
  }

  /// A load of the mediator that was cancelled returns all the same.
  mutating func mediateLate(at position: Int) {
    let load = remoteCancelled.remove(at: position)
    perform { $0.mediatorLoaded(load.id, endReached: true, now: $1) }
  }

  mutating func look(at rows: Range<Int>) { look(at: rows, in: reported) }

  mutating func look(at rows: Range<Int>, in snapshot: ReportedSnapshot) {
    perform { $0.viewportMoved(to: rows, of: snapshot, from: .pager, now: $1) }
  }

  mutating func observe() { perform { $0.observerAdded(now: $1) } }

  /// Ends every load well until none is pending.
  mutating func drain(limit: Int = 1000) {
    var left = limit
    while !pending.isEmpty, left > 0 {
      load()
      left -= 1
    }
  }
}

struct Broken: Error {}
