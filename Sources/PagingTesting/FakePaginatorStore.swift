public import PagingCache
import Synchronization

/// A paginator store in memory, which fails and waits as a test says.
///
/// Pages go through no encoding. Every member may be used from any thread. All calls are kept, so memory grows with
/// them.
public final class FakePaginatorStore<Item: Sendable>: PaginatorStore {
  /// What a store is asked to do; more may come, as `PaginatorStore` may come to ask for more.
  public struct Operation: RawRepresentable, Hashable, Sendable {
    /// The operation's name.
    public let rawValue: String

    /// An operation by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// To look a page up.
    public static var read: Operation { Operation(rawValue: "read") }
    /// To keep a page.
    public static var save: Operation { Operation(rawValue: "save") }
    /// To let one page go.
    public static var remove: Operation { Operation(rawValue: "remove") }
    /// To let all pages of a key go.
    public static var removeKey: Operation { Operation(rawValue: "removeKey") }
    /// To let all pages go.
    public static var removeAll: Operation { Operation(rawValue: "removeAll") }
  }

  private struct State {
    var pages: [PaginatorRequest: PaginatorPage<Item>] = [:]
    var failures: [Operation: any Error] = [:]
    var gates: [Operation: Gate] = [:]
    var operations: [Operation] = []
  }

  private let state = Mutex(State())
  private let begun = Tally()

  /// An empty store.
  public init() {}

  /// The page that was saved last for the request; nil where there is none.
  @concurrent public func page(for request: PaginatorRequest) async throws -> PaginatorPage<Item>? {
    try await begin(.read)
    return state.withLock { $0.pages[request] }
  }

  /// Keeps a page.
  @concurrent public func save(_ page: PaginatorPage<Item>, for request: PaginatorRequest) async throws {
    try await begin(.save)
    state.withLock { $0.pages[request] = page }
  }

  /// Lets a page go.
  @concurrent public func remove(_ request: PaginatorRequest) async throws {
    try await begin(.remove)
    state.withLock { $0.pages[request] = nil }
  }

  /// Lets a key's pages go.
  @concurrent public func removePages(ofKey key: String) async throws {
    try await begin(.removeKey)
    state.withLock { state in state.pages = state.pages.filter { $0.key.key != key } }
  }

  /// Lets all pages go.
  @concurrent public func removeAll() async throws {
    try await begin(.removeAll)
    state.withLock { $0.pages = [:] }
  }

  private func begin(_ operation: Operation) async throws {
    let gate = state.withLock { state in
      state.operations.append(operation)
      return state.gates[operation]
    }
    begun.add(1)
    try await gate?.pass()
    if let error = state.withLock({ $0.failures[operation] }) { throw error }
  }

  // MARK: - What the test says

  /// Puts a page into the store, whatever its key.
  public func set(_ page: PaginatorPage<Item>?, for request: PaginatorRequest) {
    state.withLock { $0.pages[request] = page }
  }

  /// Has an operation fail from now on; nil: it fails no longer.
  public func fail(_ operation: Operation, with error: (any Error)?) {
    state.withLock { $0.failures[operation] = error }
  }

  /// Has an operation wait at a gate from now on; nil: it waits no longer.
  public func hold(_ operation: Operation, by gate: Gate?) {
    state.withLock { $0.gates[operation] = gate }
  }

  // MARK: - What the test sees

  /// What the store holds.
  public var pages: [PaginatorRequest: PaginatorPage<Item>] { state.withLock { $0.pages } }

  /// What the store was asked to do so far, in order.
  public var operations: [Operation] { state.withLock { $0.operations } }

  /// Returns when at least `count` operations have begun, or when the task that waits is cancelled.
  public func operations(atLeast count: Int) async {
    await begun.reached(count)
  }
}
