import Loading
import Testing

@testable import Paging

/// A scenario of the catalogue in `Documentation/PagingScenarios.md`, played on the engine: what a screen saw, in order.
///
/// Unless a scenario says otherwise the list is the rows 0…99 on a server that counts them, so with placeholders a row's
/// index is its number.
struct Scenario {
  var engine: EngineHarness
  /// What changed on screen with each event: the states, and the pages where they changed.
  ///
  /// States are written as in `{r:L,p:E,a:C}`: loading, failed, end reached; what does nothing is left out.
  private(set) var log: [String] = []
  private var seen: VisibleState
  private var seenPages: [[Int]] = []

  init(_ config: PagingConfig, key: Int? = nil, server: StillServer = StillServer(count: 100)) {
    engine = EngineHarness(config: config, server: server, initialKey: key)
    seen = engine.state.visible
  }

  /// The same with its first page there.
  static func loaded(
    _ config: PagingConfig, key: Int? = nil, server: StillServer = StillServer(count: 100)
  ) -> Scenario {
    var scenario = Scenario(config, key: key, server: server)
    scenario.observe()
    scenario.load()
    return scenario
  }

  // MARK: - What is seen

  /// What changed since the last call.
  mutating func news() -> [String] {
    defer { log = [] }
    return log
  }

  var pages: [[Int]] { engine.pages }
  var rows: [Int] { engine.rows }
  var states: String { Self.text(engine.state.states) }
  var placeholders: [Int] { [engine.state.shown.placeholders.before, engine.state.shown.placeholders.after] }
  /// The loads that run.
  var running: [LoadType] { engine.pending.map(\.params.type) }
  /// The anchor, as an index that counts placeholders, and the pages before it: what a source would be told.
  var anchorIndex: Int? {
    let loaded = engine.state.shown.loadedPages(anchoredAt: engine.state.viewports.union)
    return loaded.anchorIndex.map { $0 + loaded.placeholders.before }
  }

  /// The list as a screen has it.
  var snapshot: PagingSnapshot<Row> { PagingSnapshot(showing: engine.state, origin: Self.origin) }

  private static let origin = SnapshotOrigin()

  static func text(_ states: LoadStates) -> String {
    let parts = [("r", states.refresh), ("p", states.prepend), ("a", states.append)].compactMap { name, state in
      switch state {
      case .loading: "\(name):L"
      case .failed: "\(name):E"
      case .notLoading(let isAtEnd): isAtEnd ? "\(name):C" : nil
      }
    }
    return "{\(parts.joined(separator: ","))}"
  }

  private mutating func note() {
    let visible = engine.state.visible
    guard visible != seen else { return }
    seen = visible
    var entry = Self.text(visible.states)
    let pages = engine.pages
    if pages != seenPages {
      seenPages = pages
      entry += pages.map { " [\($0.map(String.init).joined(separator: " "))]" }.joined()
    }
    log.append(entry)
  }

  // MARK: - What happens

  mutating func observe() {
    engine.observe()
    note()
  }

  /// A screen shows one row, by its index in the list.
  mutating func look(at index: Int) { look(at: index..<index + 1) }

  mutating func look(at indices: Range<Int>) {
    engine.look(at: indices)
    note()
  }

  mutating func look(at indices: Range<Int>, in snapshot: ReportedSnapshot) {
    engine.look(at: indices, in: snapshot)
    note()
  }

  /// Ends a load well.
  mutating func load(at position: Int = 0) {
    guard runs(at: position) else { return }
    engine.load(at: position)
    note()
  }

  mutating func load(_ page: Page<Int, Row>) {
    guard runs(at: 0) else { return }
    engine.load(OpaquePage(page))
    note()
  }

  mutating func fail(at position: Int = 0, _ error: any Error = Broken()) {
    guard runs(at: position) else { return }
    engine.fail(at: position, error)
    note()
  }

  private func runs(at position: Int) -> Bool {
    if engine.pending.indices.contains(position) { return true }
    Issue.record("a load was to end, and \(engine.pending.count) run")
    return false
  }

  /// Ends every load well, also those that begin meanwhile.
  mutating func idle() {
    var left = 200
    while !engine.pending.isEmpty, left > 0 {
      load()
      left -= 1
    }
  }

  mutating func retry(_ type: LoadType? = nil) { command { $0.retryAsked(type, $1, now: $2) } }
  mutating func refresh() { command { $0.refreshAsked(.anchor, $1, now: $2) } }
  mutating func load(_ type: LoadType) { command { $0.loadAsked(type, $1, now: $2) } }
  mutating func jump(to index: Int) { command { $0.jumpAsked(.index(index), $1, now: $2) } }

  mutating func command(_ event: (inout PagerState, CommandID, Duration) -> [PagerAction]) {
    _ = engine.command(event)
    note()
  }

  mutating func invalidate() {
    engine.perform { $0.sourceInvalidated(now: $1) }
    note()
  }

  mutating func close() {
    engine.perform { $0.closed(now: $1) }
    note()
  }
}

extension PagingConfig {
  /// Pages of 1, 1 ahead, first 2, at most 3.
  static func ones() throws -> PagingConfig {
    try PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 2, maxSize: 3)
  }

  /// Pages of 2, 1 ahead, first 2, at most 4.
  static func twos() throws -> PagingConfig {
    try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: 4)
  }

  /// Pages of 1, 2 ahead, first 3, at most 5.
  static func aheads() throws -> PagingConfig {
    try PagingConfig(pageSize: 1, prefetchDistance: 2, initialLoadSize: 3, maxSize: 5)
  }

  var withoutPlaceholders: PagingConfig {
    var config = self
    config.placeholders = false
    return config
  }
}

extension EngineHarness {
  /// The source says that a refresh starts at the anchor itself.
  mutating func refreshesAtTheAnchor() {
    refreshKey = { loaded in loaded.anchorIndex.map { max(0, $0 + loaded.placeholders.before) } }
  }
}
