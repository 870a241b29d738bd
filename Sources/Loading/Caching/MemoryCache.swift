// What is inlinable here needs it in clients.
public import Synchronization

/// Values by key in memory, within bounds that hold at every instant.
///
/// What leaves when the bounds are reached is the word of an ``EvictionPolicy``; keys that are pinned, as those on
/// screen are, leave last. An expired value is never returned. Every member may be used from any thread, a value's
/// `deinit` too. A look-up costs O(1), an insertion as much for each entry that leaves, and O(log n) with a time to
/// live. Memory: the entries, bounded by the policy; without a limit, by nothing.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let state: Mutex<CacheState<Key, Value>>
  /// A hint and no lock: whether somebody holds the lock.
  @usableFromInline let isTaken = Atomic(false)
  @usableFromInline let elapsed: @Sendable () -> Duration

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
  @inlinable public func value(forKey key: Key) -> Value? {
    var removed = Departed<Key, Value>()
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
  /// - Returns: Whether it was taken in. One that is larger than the whole limit, or has no time to live, is refused:
  ///   then the key has no value any more, and all others stay.
  @discardableResult
  @inlinable public func insert(_ value: Value, forKey key: Key, cost: Int = 1, lifetime: Duration? = nil) -> Bool {
    var removed = Departed<Key, Value>()
    return withState {
      $0.insert(value, forKey: key, cost: cost, lifetime: lifetime, now: elapsed, removed: &removed)
    }
  }

  /// Lets a key's value go.
  @inlinable public func removeValue(forKey key: Key) {
    var removed = Departed<Key, Value>()
    withState { $0.removeValue(forKey: key, removed: &removed) }
  }

  /// Lets a key's value go where it is that one; `isIt` is called under the lock.
  ///
  /// - Returns: Whether it went.
  package func removeValue(forKey key: Key, where isIt: (Value) -> Bool) -> Bool {
    var removed = Departed<Key, Value>()
    return withState { $0.removeValue(forKey: key, where: isIt, removed: &removed) }
  }

  /// Lets all values go.
  public func removeAll() {
    // Handed out, so that they go after the lock.
    _ = withState { $0.removeAll() }
  }

  /// Has these keys leave last, and no others, whether they are there already or come later.
  ///
  /// A limit still holds: where nothing else is left, pinned values go too. Where the order is by use, a value counts
  /// as used when it is pinned and when it no longer is. Costs O(k log k) for k keys; with `.fifo` or `.lifo` O(log n)
  /// for each that changes.
  public func setPinned(_ keys: Set<Key>) {
    _ = withState { $0.setPinned(keys) }
  }

  /// Lets values go, in the policy's order, until what is left costs no more than that.
  public func trim(toCost cost: Int) {
    var removed = Departed<Key, Value>()
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

  /// A look-up is shorter than it takes to be put to sleep: whoever finds the lock taken looks again some times before
  /// it asks for it, and sleeps.
  @inlinable func withState<Result: Sendable>(_ body: (inout CacheState<Key, Value>) -> Result) -> Result {
    var looks = 0
    while isTaken.load(ordering: .relaxed), looks < 100 { looks += 1 }
    return state.withLock { state in
      isTaken.store(true, ordering: .relaxed)
      defer { isTaken.store(false, ordering: .relaxed) }
      return body(&state)
    }
  }
}
