import Paging
import PagingTesting
import Synchronization
import Testing

/// A store of numbers, and how far the remote list was read.
final class NumberStore: Sendable {
  struct Content: Sendable {
    var rows: [Number] = []
    /// Where the next append begins.
    var cursor = 0
  }

  private let content = Mutex(Content())

  var rows: [Number] { content.withLock { $0.rows } }

  func change<Result: Sendable>(_ change: (inout Content) throws -> Result) rethrows -> Result {
    try content.withLock { try change(&$0) }
  }

  /// Rows in the order of their IDs, each once.
  func merge(_ rows: [Number]) {
    change { content in
      content.rows = Set(content.rows + rows).sorted { $0.id < $1.id }
    }
  }
}

/// Reads a store as it is at each load.
struct NumberStoreSource: PageSource {
  let store: NumberStore

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    try await ArrayPageSource(store.rows).load(params)
  }
}

/// A remote list of numbers, whose answers take a while.
struct NumberRemote: Sendable {
  var count = 23

  func fetch(from start: Int, _ size: Int) async throws -> (rows: [Number], isEnd: Bool) {
    for _ in 0..<32 { await Task.yield() }
    try Task.checkCancellation()
    let end = min(count, start + size)
    return ((min(start, end)..<end).map { Number(id: $0) }, end >= count)
  }
}

/// An honest mediator that a test plants a fault in: it appends from behind the last row that is loaded.
struct PlantedMediator: Mediator {
  typealias Key = Int
  typealias Item = Number
  typealias Load = @Sendable (MediatorRequest<Int, Number>, NumberStore, NumberRemote) async throws -> MediatorResult

  let store: NumberStore
  let remote: NumberRemote
  var beginning: @Sendable () async -> Void = {}
  var loading: Load = { try await PlantedMediator.honest($0, $1, $2) }

  func initialize() async -> InitializeAction {
    await beginning()
    return .refresh
  }

  @concurrent func load(_ request: MediatorRequest<Int, Number>) async throws -> MediatorResult {
    try await loading(request, store, remote)
  }

  static func honest(
    _ request: MediatorRequest<Int, Number>, _ store: NumberStore, _ remote: NumberRemote
  ) async throws -> MediatorResult {
    let size = request.state.config.pageSize
    switch request.type {
    case .prepend: return MediatorResult(endReached: true)
    case .refresh:
      let (rows, isEnd) = try await remote.fetch(from: 0, size)
      store.change { $0.rows = rows }
      return MediatorResult(endReached: isEnd)
    case .append:
      let last = request.state.pages.last?.items.last?.id
      let (rows, isEnd) = try await remote.fetch(from: last.map { $0 + 1 } ?? 0, size)
      store.merge(rows)
      return MediatorResult(endReached: isEnd)
    }
  }

  /// Keeps the place of the next append in the store, whatever is loaded.
  static func byCursor(
    _ request: MediatorRequest<Int, Number>, _ store: NumberStore, _ remote: NumberRemote
  ) async throws -> MediatorResult {
    guard request.type != .prepend else { return MediatorResult(endReached: true) }
    let start = request.type == .refresh ? 0 : store.change { $0.cursor }
    let (rows, isEnd) = try await remote.fetch(from: start, request.state.config.pageSize)
    store.change { content in
      if request.type == .refresh { content = NumberStore.Content() }
      content.rows += rows
      content.cursor = start + rows.count
    }
    return MediatorResult(endReached: isEnd)
  }

  /// Begins in the middle and goes both ways.
  static func bothWays(
    _ request: MediatorRequest<Int, Number>, _ store: NumberStore, _ remote: NumberRemote
  ) async throws -> MediatorResult {
    let size = request.state.config.pageSize
    let items = request.state.pages.flatMap(\.items)
    switch request.type {
    case .refresh:
      let rows = try await remote.fetch(from: 10, size).rows
      store.change { $0.rows = rows }
      return MediatorResult(endReached: false)
    case .append:
      let (rows, isEnd) = try await remote.fetch(from: items.last.map { $0.id + 1 } ?? 10, size)
      store.merge(rows)
      return MediatorResult(endReached: isEnd)
    case .prepend:
      guard let first = items.first, first.id > 0 else { return MediatorResult(endReached: !items.isEmpty) }
      let start = max(0, first.id - size)
      store.merge(try await remote.fetch(from: start, first.id - start).rows)
      return MediatorResult(endReached: start == 0)
    }
  }
}

/// One fault, and the check that is to find it.
struct MediatorPlant: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: VerifierCheck
  let load: PlantedMediator.Load

  init(_ name: String, _ check: VerifierCheck, _ load: @escaping PlantedMediator.Load) {
    testDescription = name
    self.check = check
    self.load = load
  }

  static let all: [MediatorPlant] = [
    MediatorPlant("a refresh writes nothing", .remoteRefresh) { request, store, remote in
      guard request.type == .refresh else { return try await PlantedMediator.honest(request, store, remote) }
      return MediatorResult(endReached: try await remote.fetch(from: 0, 5).isEnd)
    },
    MediatorPlant("a refresh fails", .remoteRefresh) { _, _, _ in throw Offline() },
    MediatorPlant("a refresh writes rows twice", .remoteRefresh) { request, store, remote in
      let result = try await PlantedMediator.honest(request, store, remote)
      if request.type == .refresh { store.change { $0.rows += $0.rows } }
      return result
    },
    MediatorPlant("an append writes nothing and says nothing", .remoteAppend) { request, store, remote in
      guard request.type == .append else { return try await PlantedMediator.honest(request, store, remote) }
      return MediatorResult(endReached: false)
    },
    MediatorPlant("an append clears what was there", .remoteAppend) { request, store, remote in
      if request.type == .append { store.change { $0.rows = [] } }
      return try await PlantedMediator.honest(request, store, remote)
    },
    MediatorPlant("an append puts its rows in front", .remoteAppend) { request, store, remote in
      guard request.type == .append else { return try await PlantedMediator.honest(request, store, remote) }
      let (rows, isEnd) = try await remote.fetch(from: store.rows.count, 5)
      store.change { $0.rows = rows + $0.rows }
      return MediatorResult(endReached: isEnd)
    },
    MediatorPlant("the end is never said", .remoteAppend) { request, store, remote in
      _ = try await PlantedMediator.honest(request, store, remote)
      return MediatorResult(endReached: request.type == .prepend)
    },
    MediatorPlant("the list never ends", .remoteEnd) { request, store, _ in
      try await PlantedMediator.honest(request, store, NumberRemote(count: .max))
    },
    MediatorPlant("the end is said too early", .remoteEnd) { request, store, remote in
      let result = try await PlantedMediator.honest(request, store, remote)
      return MediatorResult(endReached: result.endReached || store.rows.count >= 10)
    },
    MediatorPlant("a prepend fails", .remotePrepend) { request, store, remote in
      guard request.type != .prepend else { throw Offline() }
      return try await PlantedMediator.honest(request, store, remote)
    },
    MediatorPlant("a prepend adds rows behind", .remotePrepend) { request, store, remote in
      guard request.type == .prepend else { return try await PlantedMediator.honest(request, store, remote) }
      store.change { $0.rows = $0.rows.filter { $0.id < 900 } + [Number(id: 900 + $0.rows.count)] + $0.rows.suffix(1) }
      return MediatorResult(endReached: true)
    },
    MediatorPlant("a refresh keeps the old rows and adds them again", .refreshAgain) { request, store, remote in
      guard request.type == .refresh else { return try await PlantedMediator.honest(request, store, remote) }
      let (rows, isEnd) = try await remote.fetch(from: 0, 5)
      store.change { $0.rows += rows }
      return MediatorResult(endReached: isEnd)
    },
    MediatorPlant("a refresh forgets to reset the cursor", .refreshAgain) { request, store, remote in
      guard request.type == .refresh else { return try await PlantedMediator.byCursor(request, store, remote) }
      let (rows, isEnd) = try await remote.fetch(from: 0, 5)
      store.change { content in
        content.rows = rows
        content.cursor = max(content.cursor, rows.count)
      }
      return MediatorResult(endReached: isEnd)
    },
    MediatorPlant("the same append adds its rows twice", .appendAgain) { request, store, remote in
      guard request.type == .append else { return try await PlantedMediator.honest(request, store, remote) }
      let last = request.state.pages.last?.items.last?.id
      let (rows, isEnd) = try await remote.fetch(from: last.map { $0 + 1 } ?? 0, 5)
      store.change { $0.rows += rows }
      return MediatorResult(endReached: isEnd)
    },
    MediatorPlant("an append takes it that something is loaded", .emptyState) { request, store, remote in
      if request.type == .append, request.state.pages.isEmpty { throw Offline() }
      return try await PlantedMediator.honest(request, store, remote)
    },
    MediatorPlant("an append with nothing loaded leaves a gap", .emptyState) { request, store, remote in
      guard request.type == .append, request.state.pages.isEmpty else {
        return try await PlantedMediator.honest(request, store, remote)
      }
      store.merge([Number(id: 0), Number(id: 5)])
      return MediatorResult(endReached: false)
    },
    MediatorPlant("a cancelled append writes after all", .concurrency) { request, store, remote in
      guard request.type == .append else { return try await PlantedMediator.byCursor(request, store, remote) }
      let start = store.change { $0.cursor }
      // Late, and not reached by cancellation.
      return try await Task {
        for _ in 0..<3_000 { await Task.yield() }
        let (rows, isEnd) = try await remote.fetch(from: start, 5)
        store.change { content in
          content.rows += rows
          content.cursor = start + rows.count
        }
        return MediatorResult(endReached: isEnd)
      }.value
    },
    MediatorPlant("an append moves its cursor before it has fetched", .cancellation) { request, store, remote in
      guard request.type == .append else { return try await PlantedMediator.byCursor(request, store, remote) }
      let start = store.change { content in
        defer { content.cursor += 5 }
        return content.cursor
      }
      let (rows, isEnd) = try await remote.fetch(from: start, 5)
      store.merge(rows)
      return MediatorResult(endReached: isEnd)
    },
    MediatorPlant("a refresh clears the store before it has fetched", .cancellation) { request, store, remote in
      if request.type == .refresh { store.change { $0 = NumberStore.Content() } }
      return try await PlantedMediator.byCursor(request, store, remote)
    },
  ]
}
