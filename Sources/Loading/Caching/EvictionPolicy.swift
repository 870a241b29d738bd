/// Which entry leaves a cache first, and what may not stay. Joined with `+`.
///
/// ```swift
/// let policy: EvictionPolicy<String> = .lru + .maxCount(500) + .ttl(.seconds(600))
/// ```
///
/// Joined limits all hold: of two of one kind the tighter one. Of two orders the later one decides. Without an order
/// the least recently used entry leaves first; without a limit nothing leaves before its time is over.
public struct EvictionPolicy<Key: Hashable & Sendable>: Sendable {
  enum Order: Sendable {
    case lru, fifo, lifo
    case custom(any EvictionRule<Key>)
  }

  private(set) var order: Order?
  private(set) var maxCount: Int?
  private(set) var maxCost: Int?
  private(set) var lifetime: Duration?

  private init() {}

  private init(order: Order) {
    self.order = order
  }

  /// The entry that was used longest ago leaves first.
  public static var lru: EvictionPolicy { EvictionPolicy(order: .lru) }
  /// The entry that came first leaves first.
  public static var fifo: EvictionPolicy { EvictionPolicy(order: .fifo) }
  /// The entry that came last leaves first.
  public static var lifo: EvictionPolicy { EvictionPolicy(order: .lifo) }

  /// No entry is returned later than that after it came; zero or less: none ever is.
  public static func ttl(_ lifetime: Duration) -> EvictionPolicy {
    var policy = EvictionPolicy()
    policy.lifetime = lifetime
    return policy
  }

  /// At most that many entries; below zero counts as zero.
  public static func maxCount(_ count: Int) -> EvictionPolicy {
    var policy = EvictionPolicy()
    policy.maxCount = max(0, count)
    return policy
  }

  /// Entries whose costs sum up to at most that; below zero counts as zero.
  public static func maxCost(_ cost: Int) -> EvictionPolicy {
    var policy = EvictionPolicy()
    policy.maxCost = max(0, cost)
    return policy
  }

  /// An order of your own. Each cache has its own copy of the rule.
  public static func custom(_ rule: some EvictionRule<Key>) -> EvictionPolicy { EvictionPolicy(order: .custom(rule)) }

  /// Both: the tighter limits, and the order of `b` where it names one.
  public static func + (a: EvictionPolicy, b: EvictionPolicy) -> EvictionPolicy {
    var both = EvictionPolicy()
    both.order = b.order ?? a.order
    both.maxCount = tighter(a.maxCount, b.maxCount)
    both.maxCost = tighter(a.maxCost, b.maxCost)
    both.lifetime = tighter(a.lifetime, b.lifetime)
    return both
  }

  @inlinable static func tighter<Limit: Comparable>(_ a: Limit?, _ b: Limit?) -> Limit? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

/// An eviction order of your own, told of every event.
///
/// Called under the cache's lock: it must not call the cache, and should be quick. Whatever it says, the cache's bounds
/// hold and pinned entries leave last.
public protocol EvictionRule<Key>: Sendable {
  /// What entries are named by.
  associatedtype Key: Hashable & Sendable
  /// An entry came. For another value of a key that is there, ``removed(_:)`` is called before.
  mutating func inserted(_ key: Key, cost: Int)
  /// An entry was read.
  mutating func used(_ key: Key)
  /// An entry left, whoever wanted it to.
  mutating func removed(_ key: Key)
  /// Which entry is to leave now; it stays in the rule's books until ``removed(_:)`` says so. Nil, a key that isn't
  /// there, or a pinned one while there are others, leaves it to the order of use.
  mutating func next() -> Key?
}
