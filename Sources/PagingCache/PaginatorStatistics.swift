public import Loading

/// What a paginator has done so far.
///
/// Each fetch that isn't a reload counts one hit or one miss in memory. Each miss either begins work or joins what is
/// under way, unless it is cancelled in between; the work counts one hit or miss on disk, where there is a store, and a
/// load when it asks the source.
public struct PaginatorStatistics: Hashable, Sendable {
  /// The pages in memory. A page that was there and past its time is a miss.
  public var memory: CacheStatistics
  /// The pages in the store; insertions are pages saved, refusals those that the store failed to save.
  public var disk: CacheStatistics
  /// Pages that left a cache, by reason.
  public var evictions: PaginatorEvictions
  /// Times that the source was to bring a page, retries not counted.
  public var loads: Int
  /// Fetches that joined a fetch under way.
  public var joins: Int
  /// Attempts after a first one that failed.
  public var retries: Int
  /// Pages past their time that were delivered, marked.
  public var staleServes: Int
}

/// Why pages left a paginator's caches, and how many.
public struct PaginatorEvictions: Hashable, Sendable {
  /// They left memory since the policy wanted room.
  public var room: Int
  /// Their time was over, or a validator said so.
  public var expired: Int
  /// They were damaged, or malformed by the validator's word.
  public var damaged: Int
  /// They were reached through a key that has expired, or that a fresh page no longer names.
  public var unreachable: Int
}
