import Loading

@testable import Paging

/// A random script of everything that can happen to a pager, played to the engine and to the model side by side.
struct ModelScript {
  var harness: EngineHarness
  var model: PagerModel
  var chance: SeededGenerator
  /// A snapshot that a screen still shows.
  private var older: (engine: ReportedSnapshot, model: ModelSnapshot)
  /// Whether the user edits rows.
  private let hasEdits: Bool
  /// Items that the user, or the server for him, has made.
  var madeItems: [Int] = []
  /// How many commands had ended when all that had were last compared.
  private var comparedCommands = 0
  private var trace: [String] = []

  init(seed: UInt64) throws {
    chance = SeededGenerator(seed: seed)
    let config = try Self.config(&chance)
    var server = StillServer(count: Int.random(in: 0...60, using: &chance))
    server.goesBack = Bool.random(using: &chance)
    server.counts = Bool.random(using: &chance)
    server.emptyEvery = [0, 0, 5, 7].randomElement(using: &chance) ?? 0
    let initialKey = [nil, nil, 0, 12, 1003].randomElement(using: &chance) ?? nil
    hasEdits = Bool.random(using: &chance)
    let hasMediator = Bool.random(using: &chance)
    // Short lists, where both ends are near, are what a mediator has most to do with.
    if hasMediator, Bool.random(using: &chance) { server.count = Int.random(in: 0...8, using: &chance) }
    harness = EngineHarness(config: config, server: server, initialKey: initialKey, hasMediator: hasMediator)
    model = PagerModel(config: config, server: server, initialKey: initialKey)
    if hasMediator { model.mediator = ModelMediator() }
    older = (harness.reported, model.snapshot)
  }

  private static func config(_ chance: inout SeededGenerator) throws -> PagingConfig {
    let pageSize = Int.random(in: 1...5, using: &chance)
    let distance = Int.random(in: 0...4, using: &chance)
    let initial = Int.random(in: 1...8, using: &chance)
    var config = PagingConfig(pageSize: pageSize, prefetchDistance: distance, initialLoadSize: initial)
    if Bool.random(using: &chance) {
      let maxSize = pageSize + 2 * distance + Int.random(in: 0...6, using: &chance)
      config = try PagingConfig(
        pageSize: pageSize, prefetchDistance: distance, initialLoadSize: initial, maxSize: maxSize)
    }
    config.placeholders = Bool.random(using: &chance)
    config.emptyPageBudget = Int.random(in: 1...4, using: &chance)
    config.jumpWalkLimit = Int.random(in: 1...6, using: &chance)
    if Int.random(in: 0..<3, using: &chance) == 0 { config.jumpThreshold = Int.random(in: 1...9, using: &chance) }
    return config
  }

  /// Plays that many events.
  ///
  /// - Returns: What is wrong, and after what; nil: nothing.
  mutating func play(events: Int) -> String? {
    for _ in 0..<events {
      let event = step()
      trace.append(event)
      if trace.count > 40 { trace.removeFirst(20) }
      if let problem = difference ?? harness.brokenInvariant {
        return "\(problem)\n  after \(trace.suffix(16).joined(separator: ", "))\n  \(harness.state.config)"
      }
      comparedCommands = model.ended.count
      if Int.random(in: 0..<8, using: &chance) == 0 { older = (harness.reported, model.snapshot) }
    }
    return waitingForEver
  }

  /// From wherever a script ends, all comes to rest once loads end well, and nobody is left waiting; nil: so it is.
  private var waitingForEver: String? {
    var last = harness
    last.perform { $0.conditionsChanged(.normal, now: $1) }
    last.observe()
    last.settleAll()
    for _ in 0..<2 {
      _ = last.command { $0.retryAsked(nil, $1, now: $2) }
      last.settleAll()
    }
    if last.given != Set(last.finished.keys) { return "P12: a command never ends" }
    return last.state.isSettled ? last.brokenInvariant : "it never settles"
  }

  // MARK: - Events

  private mutating func step() -> String {
    if model.mediator != nil, Int.random(in: 0..<6, using: &chance) == 0, let event = mediatorStep() { return event }
    if hasEdits, Int.random(in: 0..<6, using: &chance) == 0 { return editStep() }
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<40:
      guard !harness.pending.isEmpty else { return look() }
      return end(.page)
    case 40..<46: return end(.failure)
    case 46..<49: return end(.cancellation)
    case 49..<51: return end(.invalidation)
    case 51..<53:
      guard !harness.cancelled.isEmpty else { return look() }
      harness.loadLate(at: Int.random(in: harness.cancelled.indices, using: &chance))
      model.advance()
      return "a late page"
    case 53..<56:
      let origin: RefreshOrigin = Bool.random(using: &chance) ? .start : .anchor
      let id = harness.command { $0.refreshAsked(origin, $1, now: $2) }
      model.refresh(from: origin, id)
      return origin == .start ? "refresh from the start" : "refresh"
    case 56..<59:
      harness.perform { $0.sourceInvalidated(now: $1) }
      model.invalidate()
      return "invalidation"
    case 59..<61:
      let index = Int.random(in: -1...65, using: &chance)
      let id = harness.command { $0.jumpAsked(.index(index), $1, now: $2) }
      model.jump(.index(index), id)
      return "jump to \(index)"
    case 61..<63:
      let row = Int.random(in: 0...65, using: &chance)
      let id = harness.command { $0.jumpAsked(.item(SoughtItem(row, of: Row.self)), $1, now: $2) }
      model.jump(.item(row), id)
      return "jump to item \(row)"
    case 63..<67:
      let side: LoadType = Bool.random(using: &chance) ? .append : .prepend
      let id = harness.command { $0.loadAsked(side, $1, now: $2) }
      model.load(side, id)
      return "load \(side)"
    case 67..<71:
      let type = [nil, nil, LoadType.refresh, .append, .prepend].randomElement(using: &chance) ?? nil
      let id = harness.command { $0.retryAsked(type, $1, now: $2) }
      model.retry(type, id)
      return "retry \(type.map { "\($0)" } ?? "all")"
    case 71..<73:
      let all: [LoadConditions] = [.normal, .normal, .normal, .constrained, .suspended]
      let conditions = all.randomElement(using: &chance) ?? .normal
      harness.perform { $0.conditionsChanged(conditions, now: $1) }
      model.change(conditions)
      return "\(conditions)"
    case 73..<76:
      let began = Bool.random(using: &chance)
      if began {
        harness.observe()
      } else {
        harness.perform { $0.observerRemoved(now: $1) }
      }
      model.observe(began)
      return began ? "an observer" : "an observer less"
    default: return look()
    }
  }

  private mutating func end(_ end: ModelEnd) -> String {
    guard let position = harness.pending.indices.randomElement(using: &chance) else { return look() }
    let id = harness.pending[position].id
    let party: ModelParty =
      if harness.state.candidate?.loadID == id {
        .candidate
      } else {
        .edge(harness.state.shown.append.loadID == id ? .append : .prepend)
      }
    switch end {
    case .page: harness.load(at: position)
    case .failure: harness.fail(at: position, Broken())
    case .cancellation: harness.fail(at: position, CancellationError())
    case .invalidation: harness.fail(at: position, PagingError.invalidated)
    }
    model.end(party, end)
    return "\(party): \(end)"
  }

  private mutating func look() -> String {
    // Where rows have come or gone by edits since, a row has to be found for the report: the tests of edits look at that.
    let isRearranged =
      older.0.generation == harness.state.shown.number
      ? older.0.layout != harness.state.overlay.layout : older.1.isRearranged || model.isRearranged
    let isOlder = Int.random(in: 0..<10, using: &chance) == 0 && !isRearranged
    let snapshot = isOlder ? older : (harness.reported, model.snapshot)
    let count = snapshot.1.bounds.count
    let lower = Int.random(in: 0...max(0, count), using: &chance)
    let rows = lower..<lower + Int.random(in: 0...5, using: &chance)
    harness.look(at: rows, in: snapshot.0)
    model.look(at: rows, in: snapshot.1)
    return "look at \(rows)\(isOlder ? " of an older snapshot" : "")"
  }

  // MARK: - Comparing

  /// In what the engine is not what the model says; nil: nothing.
  var difference: String? {
    let loads = harness.pending.map { load in
      ModelLoad(
        type: load.params.type, key: load.params.key?.typed(as: Int.self), size: load.params.loadSize,
        purpose: load.params.purpose)
    }
    let expected = model.loads.map { load in
      var load = load
      load.number = 0
      return load
    }
    if Set(loads) != Set(expected) || loads.count != expected.count {
      return "loads: \(loads), the model says \(expected)"
    }
    let states = LoadType.allCases.map { Self.name(harness.state.states[$0]) }
    if states != model.states { return "states: \(states), the model says \(model.states)" }
    let pages = model.shown?.pages.map { Array($0.rows) } ?? []
    if harness.pages != pages { return "pages: \(harness.pages), the model says \(pages)" }
    let holes = (harness.state.shown.placeholders.before, harness.state.shown.placeholders.after)
    if holes != (model.shown?.before ?? 0, model.shown?.after ?? 0) {
      return "placeholders: \(holes), the model says \(model.shown?.before ?? 0), \(model.shown?.after ?? 0)"
    }
    let viewport = harness.state.viewports.union
    if viewport?.lower != model.viewport?.lower || viewport?.upper != model.viewport?.upper {
      return "viewport: \(String(describing: viewport)), the model says \(String(describing: model.viewport))"
    }
    return editsDifference ?? mediatorDifference ?? commandsDifference
  }

  private var commandsDifference: String? {
    guard harness.finished.count == model.ended.count else {
      return "commands ended: \(harness.finished.keys.sorted()), the model says \(model.ended.keys.sorted())"
    }
    guard model.ended.count != comparedCommands else { return nil }
    for (command, error) in model.ended {
      guard harness.finished[command] == 1 else { return "P12: command \(command) did not end once" }
      let came = harness.errors[command].map(Self.name)
      if came != error {
        return "command \(command) ended with \(came ?? "nothing"), the model says \(error ?? "nothing")"
      }
    }
    return nil
  }

  static func name(_ state: LoadState) -> String {
    switch state {
    case .notLoading(let endReached): endReached ? "end" : "rests"
    case .loading: "loads"
    case .failed(let failure): "failed \(name(failure.error))"
    }
  }

  private static func name(_ error: any Error) -> String {
    if error is CancellationError { return "cancelled" }
    return (error as? PagingError)?.code.rawValue ?? "failed"
  }
}
