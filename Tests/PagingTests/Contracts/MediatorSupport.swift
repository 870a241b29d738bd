import Loading
import Paging
import PagingTesting
import Synchronization

/// A mediator whose loads do what a closure says, or wait until the test ends them.
final class TestMediator: Mediator {
  typealias Key = Int
  typealias Item = Row
  typealias Load = @Sendable (MediatorRequest<Int, Row>) async throws -> MediatorResult

  private let action: InitializeAction
  private let opening: Hold?
  private let loading: Load
  private let log = Box<[MediatorRequest<Int, Row>]>([])
  private let questions = Box(0)
  private let begun = Box(0)

  init(_ action: InitializeAction = .skip, holding opening: Hold? = nil, load: @escaping Load) {
    self.action = action
    self.opening = opening
    loading = load
  }

  @concurrent func initialize() async -> InitializeAction {
    questions.change { $0 += 1 }
    try? await opening?.pass()
    return action
  }

  @concurrent func load(_ request: MediatorRequest<Int, Row>) async throws -> MediatorResult {
    log.change { $0.append(request) }
    return try await loading(request)
  }

  var requests: [MediatorRequest<Int, Row>] { log.value }
  var types: [LoadType] { requests.map(\.type) }
  /// How often it was asked how to begin.
  var asked: Int { questions.value }
}

/// The ends of a mediator's loads, in the test's hands.
final class MediatorHands: Sendable {
  private let source: GatedSource<Int, Row>

  init(ignoresCancellation: Bool = false) {
    source = GatedSource(ignoresCancellation: ignoresCancellation)
  }

  func load(_ request: MediatorRequest<Int, Row>) async throws -> MediatorResult {
    let page = try await source.load(LoadParams(request.type, loadSize: 1))
    return MediatorResult(endReached: page.nextKey == nil)
  }

  func begun(_ count: Int) async { await source.begun(count) }
  func cancelled(_ number: Int) async { await source.cancelled(load: number) }
  var count: Int { source.loads.count }
  var mostRunning: Int { source.mostRunning }
  func isCancelled(_ number: Int) -> Bool { source.loads[number].wasCancelled }

  func succeed(_ number: Int, endReached: Bool = false) {
    source.succeed(number, with: Page([], nextKey: endReached ? nil : 0))
  }

  func fail(_ number: Int, _ error: any Error = Offline()) { source.fail(number, with: error) }
  func throwCancellation(_ number: Int) { source.throwCancellation(number) }
}

/// A table that a mediator writes to and a pager reads, which says when it has changed if a test wants that.
final class Table: Sendable {
  let server: ListServer
  private let stream: AsyncStream<SourceChange<Row>>
  private let changes: AsyncStream<SourceChange<Row>>.Continuation
  /// The source's loads, in order.
  let loads = Box<[LoadParams<Int>]>([])
  /// Where the source's loads wait, by their number from 1.
  private let holds = Box<[Int: Hold]>([:])
  private let failures = Box<[Int: Offline]>([:])

  init(_ count: Int = 0) {
    server = ListServer(count: count)
    (stream, changes) = AsyncStream.makeStream()
  }

  /// Has a load of the source wait, and tells when it does.
  func hold(_ number: Int) -> Hold {
    holds.change { holds in
      let hold = holds[number] ?? Hold()
      holds[number] = hold
      return hold
    }
  }

  func fail(_ number: Int) { failures.change { $0[number] = Offline(number: number) } }

  var source: TraitedSource<Int> {
    var traits = TraitedSource<Int>.Traits()
    traits.changes = { [stream] in stream }
    traits.keyForIndex = { $0 }
    return TraitedSource<Int>(traits) { [self] params in
      let number = loads.change { loads in
        loads.append(params)
        return loads.count
      }
      if let hold = holds.value[number] { try await hold.pass() }
      if let error = failures.value[number] { throw error }
      return server.page(at: params.key, size: params.loadSize)
    }
  }

  /// How many generations were begun.
  var generations: Int { loads.value.count { $0.type == .refresh } }

  /// Rows come at the end.
  func append(_ count: Int) {
    server.edit { rows in
      let next = (rows.map(\.id).max() ?? -1) + 1
      rows += (next..<next + count).map { Row(id: $0) }
    }
  }

  /// Rows come at the start, with IDs below zero.
  func prepend(_ count: Int) {
    server.edit { rows in
      let next = min(0, rows.map(\.id).min() ?? 0)
      rows.insert(contentsOf: (next - count..<next).map { Row(id: $0) }, at: 0)
    }
  }

  /// Says that all may differ.
  func signal() { changes.yield(.everything) }

  /// Says something that a test can see, after all that was said before.
  func whisper(_ title: String, of id: Int) { changes.yield(.items([Row(id: id, title: title)])) }
}

extension PagingSnapshot<Row> {
  /// What the states of the mediator are.
  var mediator: LoadStates { states.mediator ?? .idle }
}

extension EventLog {
  /// The ends of the mediator's loads.
  var mediated: [PagingEvent] { events.filter { $0.name == "mediatorLoad" && $0.phase == .end } }

  /// Returns when so many loads of the mediator are over.
  func mediated(_ count: Int) async throws {
    try await reached { _ in mediated.count >= count }
  }
}
