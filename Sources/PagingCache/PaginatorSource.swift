/// Where a paginator's pages come from when no cache has them: a server, a file, a database.
public protocol PaginatorSource<Item>: Sendable {
  /// One row's data.
  associatedtype Item: Sendable

  /// Loads one page.
  ///
  /// Starts off the main actor, for several pages at a time. It must not block its thread. Cancelled work should end
  /// soon; what a cancelled load returns or throws is ignored, and cached nowhere.
  ///
  /// - Parameter request: Which page. Where ``PaginatorRequest/bypassesCaches`` is set, a cache of the source's own,
  ///   such as HTTP's, must not answer either.
  /// - Returns: The page; its key is the one that it was asked for with.
  /// - Throws: Anything: it becomes the cause of a ``PaginatorError/Code/sourceFailed``. A ``PaginatorError`` is passed
  ///   on as it is; ``PaginatorError/Code/expiredKey`` has the pages dropped that were reached through the key.
  @concurrent func page(for request: PaginatorRequest) async throws -> PaginatorPage<Item>
}

/// Which page is meant: a key, a size, and what else tells pages of one key apart.
public struct PaginatorRequest: Hashable, Codable, Sendable {
  /// The page's name: a page's number, an offset, a cursor. The source decides.
  public var key: String
  /// How many rows a page has; another size is another page.
  public var pageSize: Int
  /// What ``PaginatorConfig/cacheIdentity`` says of it, such as a user or a search; by default empty.
  public var cacheIdentity: String
  /// Whether the source must pass caches of its own by, HTTP's included. Not part of a page's identity: false in all
  /// that caches and stores see.
  public var bypassesCaches: Bool

  /// A page by its name.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has.
  ///   - cacheIdentity: What else tells pages of one key apart.
  ///   - bypassesCaches: Whether the source must pass caches of its own by.
  public init(_ key: String, pageSize: Int, cacheIdentity: String = "", bypassesCaches: Bool = false) {
    self.key = key
    self.pageSize = pageSize
    self.cacheIdentity = cacheIdentity
    self.bypassesCaches = bypassesCaches
  }
}
