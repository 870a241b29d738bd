/// What a cache has done so far.
public struct CacheStatistics: Hashable, Sendable {
  /// Look-ups that found a value.
  public var hits: Int
  /// Look-ups that found none, or only an expired one.
  public var misses: Int
  /// Values that were taken in.
  public var insertions: Int
  /// Values that left to make room, or because their time was over.
  public var evictions: Int
  /// Values that were too large to be taken in.
  public var refusals: Int

  /// The figures.
  public init(hits: Int = 0, misses: Int = 0, insertions: Int = 0, evictions: Int = 0, refusals: Int = 0) {
    self.hits = hits
    self.misses = misses
    self.insertions = insertions
    self.evictions = evictions
    self.refusals = refusals
  }
}
