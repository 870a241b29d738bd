public import Loading
public import PagingCache
import Synchronization

/// A paginator without caches or queue, for tests of what depends on `Paginating`.
///
/// Every fetch is answered by the key's page at once, or fails with `PaginatorError` of code `sourceFailed`. What was
/// fetched is loaded, until it is cleared; clearing takes no page away. Every member may be used from any thread. All
/// calls are kept, so memory grows with them.
public final class FakePaginator<Item: Sendable>: Paginating {
  private struct State {
    var calls: [PaginatorRequest] = []
    var states: [PaginatorRequest: PaginatorPageState<Item>] = [:]
  }

  private let source: FakePaginatorSource<Item>
  private let state = Mutex(State())

  /// A paginator of these pages.
  public convenience init(_ pages: [String: PaginatorPage<Item>] = [:]) {
    self.init(source: FakePaginatorSource(pages))
  }

  /// A paginator whose pages, failures and gates are those of a fake source.
  public init(source: FakePaginatorSource<Item>) {
    self.source = source
  }

  /// The key's page.
  ///
  /// - Throws: `PaginatorError` where there is none, or the source fails; `CancellationError` when cancelled.
  public func fetch(_ key: String, pageSize: Int, ticket: LoadTicket) async throws -> PaginatorPage<Item> {
    try Task.checkCancellation()
    let request = PaginatorRequest(key, pageSize: pageSize)
    state.withLock { state in
      state.calls.append(request)
      state.states[request] = .loading
    }
    do {
      let page = try await source.page(for: request)
      state.withLock { $0.states[request] = .loaded(page) }
      return page
    } catch let error as CancellationError {
      state.withLock { $0.states[request] = nil }
      throw error
    } catch {
      let failure =
        error as? PaginatorError ?? PaginatorError(.sourceFailed, message: "The fake source failed.", cause: error)
      state.withLock { $0.states[request] = .failed(failure) }
      throw failure
    }
  }

  /// The page, then its neighbours: first those after it, then those before.
  public func fetchAround(_ request: AroundRequest, ticket: LoadTicket) -> AsyncStream<PaginatorDelivery<Item>> {
    let (stream, continuation) = AsyncStream.makeStream(of: PaginatorDelivery<Item>.self)
    let task = Task.detached {
      defer { continuation.finish() }
      guard let asked = await self.deliver(request.key, request.pageSize, ticket, to: continuation) else { return }
      for direction in [PageFetchDirection.forward, .backward] where request.direction.contains(direction) {
        var page = asked
        for _ in 0..<max(0, request.depth) {
          guard let key = direction == .forward ? page.nextKey : page.previousKey,
            let next = await self.deliver(key, request.pageSize, ticket, to: continuation)
          else { break }
          page = next
        }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func deliver(
    _ key: String, _ pageSize: Int, _ ticket: LoadTicket,
    to continuation: AsyncStream<PaginatorDelivery<Item>>.Continuation
  ) async -> PaginatorPage<Item>? {
    do {
      let page = try await fetch(key, pageSize: pageSize, ticket: ticket)
      continuation.yield(PaginatorDelivery(key: key, result: .success(page)))
      return page
    } catch {
      if let error = error as? PaginatorError {
        continuation.yield(PaginatorDelivery(key: key, result: .failure(error)))
      }
      return nil
    }
  }

  /// Where a page stands: absent until it is fetched.
  public func state(of key: String, pageSize: Int) -> PaginatorPageState<Item> {
    state.withLock { $0.states[PaginatorRequest(key, pageSize: pageSize)] ?? .absent }
  }

  /// Makes a key's pages absent again.
  public func clear(_ key: String) {
    state.withLock { state in state.states = state.states.filter { $0.key.key != key } }
  }

  /// Makes all pages absent again.
  public func clearAll() {
    state.withLock { $0.states = [:] }
  }

  /// What was fetched so far, in order, neighbours included.
  public var calls: [PaginatorRequest] { state.withLock { $0.calls } }
}
