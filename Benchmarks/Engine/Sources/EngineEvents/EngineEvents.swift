@testable import Loading
@testable import Paging

/// How many events a second the engine decides on, without tasks, locks and sources: random scripts of scrolling, pages,
/// failures, refreshes, signals, jumps, edits and, in the last, a mediator's answers, over lists of pages that are there
/// already.
@main enum EngineEvents {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let count = arguments.first ?? 3_000_000
    let isJSON = CommandLine.arguments.contains("--json")
    var measurements: [String] = []
    let list = MadePages(rows: 100_000, pageSize: 20)
    let mediated = MadePages(rows: 4_000, pageSize: 20)
    let scripts = [
      ("no cap", EventScript(list: list, maxSize: nil, seed: 1)),
      ("maxSize 500", EventScript(list: list, maxSize: 500, seed: 1)),
      ("maxSize 500, a mediator", EventScript(list: mediated, maxSize: 500, isMediated: true, seed: 1)),
    ]
    for (name, made) in scripts {
      var script = made
      script.play(events: 100_000)
      let start = ContinuousClock.now
      script.play(events: count)
      let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
      if isJSON {
        measurements.append(
          #"{"workload":"engine: a random event, \#(name)","unit":"nanoseconds","ours":\#(nanoseconds),"asked":1000}"#)
        continue
      }
      let perSecond = (1e9 / nanoseconds / 1e6 * 100).rounded() / 100
      print(
        "\(count) random events, \(name): \(Int(nanoseconds)) ns each, \(perSecond) million a second (asked: 1.00), "
          + "\(script.pagesTaken) pages, \(script.generations) generations, \(script.edits) edits, "
          + "\(script.mediated) answers of a mediator")
    }
    if isJSON { print("[" + measurements.joined(separator: ",\n") + "]") }
  }
}

/// The pages of a list, made once, so that making them isn't measured.
struct MadePages {
  struct Row: Identifiable, Equatable, Sendable {
    var id: Int
    var stars = 0
  }

  let rows: Int
  let pageSize: Int
  private let short: [OpaquePage]
  private let first: [OpaquePage]

  init(rows: Int, pageSize: Int) {
    self.rows = rows
    self.pageSize = pageSize
    func pages(of size: Int) -> [OpaquePage] {
      stride(from: 0, to: rows, by: pageSize).map { Self.page(from: $0, to: min(rows, $0 + size), of: rows, pageSize) }
    }
    short = pages(of: pageSize)
    first = pages(of: 3 * pageSize)
  }

  private static func page(from start: Int, to end: Int, of rows: Int, _ pageSize: Int) -> OpaquePage {
    OpaquePage(
      Page<Int, Row>(
        (start..<end).map { Row(id: $0) }, previousKey: start > 0 ? start - pageSize : nil,
        nextKey: end < rows ? end : nil, itemsBefore: start, itemsAfter: rows - end))
  }

  /// - Parameter limit: How many of the rows are there yet.
  func page(_ params: OpaqueParams, limit: Int) -> OpaquePage {
    let start = params.key?.typed(as: Int.self) ?? 0
    let isFirst = params.loadSize > pageSize
    let end = min(rows, start + (isFirst ? 3 : 1) * pageSize)
    if end >= limit, limit < rows { return Self.page(from: min(start, limit), to: limit, of: limit, pageSize) }
    return (isFirst ? first : short)[start / pageSize]
  }
}

/// Everything that happens to an engine, by chance: half of it is scrolling, a third pages that come.
struct EventScript {
  private let list: MadePages
  private var state: PagerState
  private var chance: SeededGenerator
  private var pending: [(id: UInt64, params: OpaqueParams)] = []
  private var now = Duration.zero
  private var command: CommandID = 0
  private var top = 0
  /// The rows that the source has: all, or as many as a mediator has brought.
  private var limit: Int
  private var isAsked = false
  private var remote: UInt64?
  private var open: [UInt64] = []
  private(set) var pagesTaken = 0
  private(set) var generations = 0
  private(set) var edits = 0
  private(set) var mediated = 0

  init(list: MadePages, maxSize: Int?, isMediated: Bool = false, seed: UInt64) {
    self.list = list
    let config = (try? maxSize.map { try PagingConfig(pageSize: list.pageSize, maxSize: $0) }) ?? nil
    limit = isMediated ? list.rows / 4 : list.rows
    state = PagerState(
      config: config ?? PagingConfig(pageSize: list.pageSize), hasMediator: isMediated,
      access: TypedRows<MadePages.Row>())
    chance = SeededGenerator(seed: seed)
    run { $0.observerAdded(now: $1) }
  }

  mutating func play(events: Int) {
    for _ in 0..<events {
      now += .microseconds(10)
      let roll = Int(truncatingIfNeeded: chance.next() % 1000)
      switch roll {
      case 0..<330 where !pending.isEmpty: answer()
      case 330..<350 where !pending.isEmpty:
        let id = pending.removeLast().id
        run { $0.loadFailed(id, Broken(), now: $1) }
      case 350..<355 where !pending.isEmpty:
        let id = pending.removeLast().id
        run { $0.loadFailed(id, CancellationError(), now: $1) }
      case 355..<360: order { $0.refreshAsked(.anchor, $1, now: $2) }
      case 360..<362:
        order { $0.refreshAsked(.start, $1, now: $2) }
        top = 0
      case 362..<365: run { $0.sourceInvalidated(now: $1) }
      case 365..<367:
        top = Int(chance.next() % UInt64(limit)) / list.pageSize * list.pageSize
        let target = top
        order { $0.jumpAsked(.index(target), $1, now: $2) }
      case 367..<400: order { $0.retryAsked(nil, $1, now: $2) }
      case 400..<420: order { $0.loadAsked(.append, $1, now: $2) }
      case 420..<440: edit()
      case 440..<460: endEdit(byRollingBack: roll.isMultiple(of: 4))
      case 460..<520 where isAsked || remote != nil: mediate(roll)
      default: scroll(by: roll)
      }
    }
  }

  private mutating func answer() {
    let load = pending.removeLast()
    let page = list.page(load.params, limit: limit)
    pagesTaken += 1
    run { $0.pageLoaded(load.id, page, now: $1) }
  }

  /// Somebody changes, removes or inserts a row on screen.
  private mutating func edit() {
    guard open.count < 4 else { return endEdit(byRollingBack: false) }
    edits += 1
    let item = SoughtItem(top, of: MadePages.Row.self)
    let change: EditOverlay.Change
    let isInsertion = edits.isMultiple(of: 4)
    if isInsertion {
      let row = MadePages.Row(id: 1_000_000 + edits)
      change = .insertion(row: PageBox([row]), at: edits.isMultiple(of: 8) ? .start : .after(item))
    } else if edits.isMultiple(of: 5) {
      change = .removal
    } else {
      change = .patch(RowPatch<MadePages.Row> { $0.stars += 1 })
    }
    let edited = isInsertion ? SoughtItem(1_000_000 + edits, of: MadePages.Row.self) : item
    var number: UInt64?
    run { state, now in
      let given = state.editGiven(edited, change, now: now)
      number = given.edit
      return given.actions
    }
    if let number { open.append(number) }
  }

  private mutating func endEdit(byRollingBack: Bool) {
    guard !open.isEmpty else { return scroll(by: 1) }
    let number = open.removeFirst()
    if byRollingBack {
      run { $0.editRolledBack(number, now: $1) }
    } else {
      run { $0.editConfirmed(number, as: nil, now: $1) }
    }
  }

  /// The mediator says how to begin, or what its load has come to.
  private mutating func mediate(_ roll: Int) {
    mediated += 1
    if isAsked {
      isAsked = false
      return run { $0.mediatorInitialized(.refresh, now: $1) }
    }
    guard let id = remote else { return }
    remote = nil
    if roll.isMultiple(of: 10) { return run { $0.mediatorFailed(id, Broken(), now: $1) } }
    limit = limit >= list.rows ? list.rows / 4 : limit + list.pageSize
    run { $0.mediatorLoaded(id, endReached: false, now: $1) }
  }

  /// A flick down or, less often, up.
  private mutating func scroll(by roll: Int) {
    let count = state.shown.bounds.count
    top = min(max(0, top + (roll.isMultiple(of: 3) ? -6 : 5)), max(0, count - 10))
    let reported = ReportedSnapshot(
      generation: state.shown.number, pages: state.presentedPages, firstCoordinate: state.shown.firstCoordinate,
      placeholdersBefore: state.shown.placeholders.before, placeholdersAfter: state.shown.placeholders.after,
      layout: state.overlay.layout)
    let rows = top..<top + 10
    run { $0.viewportMoved(to: rows, of: reported, from: .pager, now: $1) }
  }

  private mutating func order(_ event: (inout PagerState, CommandID, Duration) -> [PagerAction]) {
    command += 1
    let id = command
    run { event(&$0, id, $1) }
  }

  /// Lets one event happen and does what follows, as a shell does.
  private mutating func run(_ event: (inout PagerState, Duration) -> [PagerAction]) {
    for action in event(&state, now) {
      switch action {
      case .load(let id, _, let params): pending.append((id, params))
      case .cancel(let id):
        pending.removeAll { $0.id == id }
        if remote == id { remote = nil }
      case .openSource(let generation, let question):
        generations += 1
        let key: OpaqueKey? = if case .index(let index) = question { OpaqueKey(index) } else { nil }
        run { $0.sourceOpened(generation, traits: SourceTraits(keyKind: .offset), key: key, now: $1) }
      case .chooseSurvivor(let generation, _, _): run { $0.survivorChosen(generation, nil, now: $1) }
      case .openMediator: isAsked = true
      case .mediate(let id, _, _): remote = id
      case .closeSource, .finish, .wake, .report: break
      }
    }
  }
}

struct Broken: Error {}
