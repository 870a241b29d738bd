public import Loading

/// Pages by key: what apps depend on. ``Paginator`` is the one that ships; tests use `FakePaginator`, or conform their
/// own.
public protocol Paginating<Item>: Sendable {
  /// One row's data.
  associatedtype Item: Sendable

  /// A page by its key, from wherever it is had soonest.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has; another size is another page.
  ///   - ticket: How urgently it is wanted; its priority may change meanwhile.
  /// - Throws: ``PaginatorError``; `CancellationError` when the task was cancelled. Therefore untyped.
  func fetch(_ key: String, pageSize: Int, ticket: LoadTicket) async throws -> PaginatorPage<Item>

  /// A page first, then its neighbours outward along their keys, each way on its own.
  ///
  /// A failure is delivered and ends its own way only; that of the asked page ends all. The stream ends after the last
  /// page. Who stops reading, or is cancelled, leaves the rest undone.
  ///
  /// - Parameters:
  ///   - request: The page and how many neighbours; its `keyPriority` is the ticket's word here.
  ///   - ticket: How urgently the asked page is wanted.
  func fetchAround(_ request: AroundRequest, ticket: LoadTicket) -> AsyncStream<PaginatorDelivery<Item>>

  /// Where a page stands now.
  func state(of key: String, pageSize: Int) -> PaginatorPageState<Item>

  /// Forgets a key's pages of every size, in all caches. Who waits for one is served still; what comes is kept nowhere.
  func clear(_ key: String)

  /// Forgets all pages, in all caches. Who waits for one is served still; what comes is kept nowhere.
  func clearAll()
}

extension Paginating {
  /// A page by its key, from wherever it is had soonest.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has; another size is another page.
  ///   - priority: How urgently it is wanted.
  /// - Throws: ``PaginatorError``; `CancellationError` when the task was cancelled. Therefore untyped.
  public func fetch(
    _ key: String, pageSize: Int, priority: LoadPriority = .medium
  ) async throws -> PaginatorPage<Item> {
    try await fetch(key, pageSize: pageSize, ticket: LoadTicket(priority: priority))
  }

  /// A page first, then its neighbours outward along their keys, each way on its own.
  public func fetchAround(_ request: AroundRequest) -> AsyncStream<PaginatorDelivery<Item>> {
    fetchAround(request, ticket: LoadTicket(priority: request.keyPriority))
  }
}
