/// Keeps a paginator's pages beyond the process. ``BlobPaginatorStore`` is the one that ships.
///
/// Called off the main actor, for several pages at a time. A store that throws costs no fetch: a read is then a miss,
/// and a page that can't be saved is delivered all the same. A page may be gone at any time, and a damaged one must
/// read as absent. `PaginatorStoreVerifier` checks an implementation.
public protocol PaginatorStore<Item>: Sendable {
  /// One row's data.
  associatedtype Item: Sendable

  /// The page that was saved last for an equal request; nil where there is none.
  ///
  /// Pages past their time are returned too: whether one is good is the paginator's to say.
  @concurrent func page(for request: PaginatorRequest) async throws -> PaginatorPage<Item>?

  /// Keeps a page in place of the request's earlier one.
  @concurrent func save(_ page: PaginatorPage<Item>, for request: PaginatorRequest) async throws

  /// Lets one page go; that there is none is no error.
  @concurrent func remove(_ request: PaginatorRequest) async throws

  /// Lets a key's pages go, of every size and identity; that there are none is no error.
  @concurrent func removePages(ofKey key: String) async throws

  /// Lets all pages go.
  @concurrent func removeAll() async throws
}
