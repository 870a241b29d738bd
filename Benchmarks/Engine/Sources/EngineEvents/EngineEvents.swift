@testable import Loading
@testable import Paging

/// How many events a second the engine decides on, without tasks, locks and sources: random scripts over lists of pages
/// that are there already.
@main enum EngineEvents {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let count = arguments.first ?? 3_000_000
    let list = MadePages(rows: 100_000, pageSize: 20)
    for (name, maxSize) in [("no cap", Int?.none), ("maxSize 500", 500)] {
      var script = EventScript(list: list, maxSize: maxSize, seed: 1)
      script.play(events: 100_000)
      let start = ContinuousClock.now
      script.play(events: count)
      let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
      let perSecond = (1e9 / nanoseconds / 1e6 * 100).rounded() / 100
      print(
        "\(count) random events, \(name): \(Int(nanoseconds)) ns each, \(perSecond) million a second (asked: 1.00), "
          + "\(script.pagesTaken) pages, \(script.generations) generations")
    }
  }
}

/// The pages of a list, made once, so that making them isn't measured.
struct MadePages {
  struct Row: Identifiable, Equatable, Sendable {
    var id: Int
  }

  let rows: Int
  let pageSize: Int
  private let short: [OpaquePage]
  private let first: [OpaquePage]

  init(rows: Int, pageSize: Int) {
    self.rows = rows
    self.pageSize = pageSize
    func pages(of size: Int) -> [OpaquePage] {
      stride(from: 0, to: rows, by: pageSize).map { start in
        let end = min(rows, start + size)
        return OpaquePage(
          Page<Int, Row>(
            (start..<end).map { Row(id: $0) }, previousKey: start > 0 ? start - pageSize : nil,
            nextKey: end < rows ? end : nil, itemsBefore: start, itemsAfter: rows - end))
      }
    }
    short = pages(of: pageSize)
    first = pages(of: 3 * pageSize)
  }

  func page(_ params: OpaqueParams) -> OpaquePage {
    let start = params.key?.typed(as: Int.self) ?? 0
    return (params.loadSize > pageSize ? first : short)[start / pageSize]
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
  private(set) var pagesTaken = 0
  private(set) var generations = 0

  init(list: MadePages, maxSize: Int?, seed: UInt64) {
    self.list = list
    let config = (try? maxSize.map { try PagingConfig(pageSize: list.pageSize, maxSize: $0) }) ?? nil
    state = PagerState(config: config ?? PagingConfig(pageSize: list.pageSize), access: TypedRows<MadePages.Row>())
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
        top = Int(chance.next() % UInt64(list.rows)) / list.pageSize * list.pageSize
        let target = top
        order { $0.jumpAsked(.index(target), $1, now: $2) }
      case 367..<400: order { $0.retryAsked(nil, $1, now: $2) }
      case 400..<420: order { $0.loadAsked(.append, $1, now: $2) }
      default: scroll(by: roll)
      }
    }
  }

  private mutating func answer() {
    let load = pending.removeLast()
    let page = list.page(load.params)
    pagesTaken += 1
    run { $0.pageLoaded(load.id, page, now: $1) }
  }

  /// A flick down or, less often, up.
  private mutating func scroll(by roll: Int) {
    let shown = state.shown
    let count = shown.bounds.count
    top = min(max(0, top + (roll.isMultiple(of: 3) ? -6 : 5)), max(0, count - 10))
    let reported = ReportedSnapshot(
      generation: shown.number, pages: shown.pages, firstCoordinate: shown.firstCoordinate,
      placeholdersBefore: shown.placeholders.before, placeholdersAfter: shown.placeholders.after)
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
      case .cancel(let id): pending.removeAll { $0.id == id }
      case .openSource(let generation, let question):
        generations += 1
        let key: OpaqueKey? = if case .index(let index) = question { OpaqueKey(index) } else { nil }
        run { $0.sourceOpened(generation, traits: SourceTraits(keyKind: .offset), key: key, now: $1) }
      case .chooseSurvivor(let generation, _, _): run { $0.survivorChosen(generation, nil, now: $1) }
      case .openMediator, .mediate: break  // There is no mediator.
      case .closeSource, .finish, .wake, .report: break
      }
    }
  }
}

struct Broken: Error {}
