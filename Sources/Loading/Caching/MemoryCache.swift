import Synchronization

/// Values by key in memory, within bounds that hold at every instant.
///
/// What leaves when the bounds are reached is the word of an ``EvictionPolicy``; keys that are pinned, as those on screen
/// are, leave last. An expired value is never returned. Every member may be used from any thread and costs O(1), or
/// O(log n) with a time to live. Memory: the entries, bounded by the policy; without a limit, by nothing.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let state: Mutex<CacheState<Key, Value>>
  private let elapsed: @Sendable () -> Duration

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - policy: What leaves first, and what may not stay; default: the least recently used, and no limit.
  ///   - clock: What times to live are measured on.
  public init(policy: EvictionPolicy<Key> = .lru, clock: any Clock<Duration> = ContinuousClock()) {
    state = Mutex(CacheState(policy: policy))
    elapsed = Self.elapsed(on: clock)
  }

  private static func elapsed<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The value of a key, which counts as used by that; nil where there is none, or none that is still good.
  public func value(forKey key: Key) -> Value? {
    var removed: Value?
    return withState { $0.value(forKey: key, now: elapsed, removed: &removed) }
  }

  /// The value of a key, without its counting as used or as looked up; nil where there is none, or none still good.
  package func peek(forKey key: Key) -> Value? {
    withState { $0.peek(forKey: key, now: elapsed) }
  }

  /// Whether there is a value for a key, be it expired; counts as no look-up.
  package func contains(_ key: Key) -> Bool { withState { $0.contains(key) } }

  /// Takes a value in, in place of the key's earlier one.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its name.
  ///   - cost: What it counts for against a limit of cost, in a unit of your own; below zero counts as zero.
  ///   - lifetime: How long it is good; the policy's own time to live may be shorter.
  /// - Returns: Whether it was taken in. One that is larger than the whole limit, or has no time to live, is refused: then
  ///   the key has no value any more, and all others stay.
  @discardableResult
  public func insert(_ value: Value, forKey key: Key, cost: Int = 1, lifetime: Duration? = nil) -> Bool {
    var removed: [Value] = []
    return withState {
      $0.insert(value, forKey: key, cost: cost, lifetime: lifetime, now: elapsed, removed: &removed)
    }
  }

  /// Lets a key's value go.
  public func removeValue(forKey key: Key) {
    // Handed out so that it goes after the lock.
    _ = withState { $0.removeValue(forKey: key) }
  }

  /// Lets all values go.
  public func removeAll() {
    _ = withState { $0.removeAll() }
  }

  /// Has these keys leave last, and no others, whether they are there already or come later.
  ///
  /// A limit still holds: where nothing else is left, pinned values go too.
  public func setPinned(_ keys: Set<Key>) {
    withState { $0.setPinned(keys) }
  }

  /// Lets values go, in the policy's order, until what is left costs no more than that.
  public func trim(toCost cost: Int) {
    var removed: [Value] = []
    withState { $0.trim(toCost: cost, now: elapsed, removed: &removed) }
  }

  /// How many values there are, expired ones that nobody has asked for included.
  public var count: Int { withState { $0.count } }

  /// What all values cost together.
  public var cost: Int { withState { $0.cost } }

  /// What this cache has done so far.
  public var statistics: CacheStatistics { withState { $0.statistics } }

  /// The statistics, and how many of the evictions were for a time to live that was over.
  package var figures: (statistics: CacheStatistics, expirations: Int) {
    withState { ($0.statistics, $0.expirations) }
  }

  private func withState<Result: Sendable>(_ body: (inout CacheState<Key, Value>) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
