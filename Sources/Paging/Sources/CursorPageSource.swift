/// A source for a server that answers each page with the cursor of the next, from a closure.
///
/// ```swift
/// let source = CursorPageSource<String, Post> { params in
///   let reply = try await api.posts(after: params.key, limit: params.loadSize)
///   return Page(reply.posts, nextKey: reply.nextCursor)
/// }
/// ```
public struct CursorPageSource<Key: Hashable & Sendable, Item: Identifiable & Sendable>: PageSource
where Item.ID: Sendable {
  private let loadPage: @Sendable (LoadParams<Key>) async throws -> Page<Key, Item>

  /// A source whose pages `load` brings.
  ///
  /// - Parameter load: Loads one page; what ``PageSource/load(_:)`` says holds for it.
  public init(_ load: @escaping @Sendable (_ params: LoadParams<Key>) async throws -> Page<Key, Item>) {
    loadPage = load
  }

  /// Calls the closure.
  @concurrent public func load(_ params: LoadParams<Key>) async throws -> Page<Key, Item> {
    try await loadPage(params)
  }

  /// ``KeyKind/cursor``.
  public var keyKind: KeyKind { .cursor }
}
