/// What a memory cache holds and what leaves it: every decision, with no lock and no clock.
///
/// `now` is asked for only where an entry has a time to live. What leaves is handed out and not let go here, so that the
/// shell can let it go outside its lock: an entry's `deinit` may call the cache.
struct CacheState<Key: Hashable & Sendable, Value: Sendable> {
  private let policy: EvictionPolicy<Key>
  private var rule: (any EvictionRule<Key>)?
  private var places: [Key: Int] = [:]
  private var entries = EntryList<Key, Value>()
  /// The entries that expire, by when.
  private var expiries = PriorityHeap<Duration>()
  private var pinned: Set<Key> = []
  private(set) var cost = 0
  private(set) var statistics = CacheStatistics()
  /// How many of the evictions were for a time to live that was over.
  private(set) var expirations = 0

  init(policy: EvictionPolicy<Key>) {
    self.policy = policy
    if case .custom(let rule) = policy.order { self.rule = rule }
  }

  var count: Int { places.count }

  // MARK: - Reading

  mutating func value(forKey key: Key, now: () -> Duration, removed: inout Value?) -> Value? {
    guard let place = places[key], let slot = entries[place] else {
      statistics.misses += 1
      return nil
    }
    if let expires = slot.expires, expires <= now() {
      removed = remove(at: place)
      statistics.evictions += 1
      expirations += 1
      statistics.misses += 1
      return nil
    }
    statistics.hits += 1
    rule?.used(key)
    switch policy.order {
    case .fifo, .lifo: break
    case .lru, .custom, nil: entries.moveToEnd(place)
    }
    return slot.value
  }

  func peek(forKey key: Key, now: () -> Duration) -> Value? {
    guard let place = places[key], let slot = entries[place] else { return nil }
    if let expires = slot.expires, expires <= now() { return nil }
    return slot.value
  }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  // MARK: - Changing

  /// Takes a value in, after what has to leave for it has left.
  ///
  /// - Returns: Whether it was taken in. What left is added to `removed`, and so is the key's earlier value either way.
  mutating func insert(
    _ value: Value, forKey key: Key, cost: Int, lifetime: Duration?, now: () -> Duration, removed: inout [Value]
  ) -> Bool {
    if let place = places[key], let old = remove(at: place) { removed.append(old) }
    let cost = max(0, cost)
    let life = [lifetime, policy.lifetime].compactMap { $0 }.min()
    guard cost <= policy.maxCost ?? .max, policy.maxCount != 0, life ?? .seconds(1) > .zero else {
      statistics.refusals += 1
      return false
    }
    makeRoom(for: cost, now: now, removed: &removed)
    let expires = life.map { now() + $0 }
    let isPinned = pinned.contains(key)
    let place = entries.append(
      EntryList.Entry(key: key, value: value, cost: cost, expires: expires), isPinned: isPinned)
    places[key] = place
    if let expires { expiries.insert(UInt64(place), expires) }
    self.cost += cost
    statistics.insertions += 1
    rule?.inserted(key, cost: cost)
    return true
  }

  mutating func removeValue(forKey key: Key) -> Value? {
    places[key].flatMap { remove(at: $0) }
  }

  mutating func removeAll() -> [Value] {
    let values = places.values.compactMap { entries[$0]?.value }
    for key in places.keys { rule?.removed(key) }
    places = [:]
    entries = EntryList()
    expiries = PriorityHeap()
    cost = 0
    return values
  }

  /// These leave last from now on, and no others do; also those that come later.
  mutating func setPinned(_ keys: Set<Key>) {
    for key in pinned where !keys.contains(key) {
      if let place = places[key] { entries.setPinned(place, false) }
    }
    for key in keys {
      if let place = places[key] { entries.setPinned(place, true) }
    }
    pinned = keys
  }

  /// Lets entries go until what is left costs no more than that.
  mutating func trim(toCost limit: Int, now: () -> Duration, removed: inout [Value]) {
    removeExpired(now: now, removed: &removed)
    while cost > max(0, limit), evict(&removed) {}
  }

  // MARK: - Making room

  private mutating func makeRoom(for cost: Int, now: () -> Duration, removed: inout [Value]) {
    func isFull(_ state: CacheState) -> Bool {
      if let most = policy.maxCount, state.count >= most { return true }
      guard let most = policy.maxCost else { return false }
      let (sum, overflows) = state.cost.addingReportingOverflow(cost)
      return overflows || sum > most
    }
    guard isFull(self) else { return }
    removeExpired(now: now, removed: &removed)
    while isFull(self), evict(&removed) {}
  }

  private mutating func removeExpired(now: () -> Duration, removed: inout [Value]) {
    guard !expiries.isEmpty else { return }
    let now = now()
    while let due = expiries.firstRank, due <= now, let place = expiries.first {
      if let value = remove(at: Int(place)) { removed.append(value) }
      statistics.evictions += 1
      expirations += 1
    }
  }

  /// - Returns: Whether there was one to evict.
  private mutating func evict(_ removed: inout [Value]) -> Bool {
    guard let place = nextToLeave(), let value = remove(at: place) else { return false }
    removed.append(value)
    statistics.evictions += 1
    return true
  }

  private mutating func nextToLeave() -> Int? {
    if rule != nil, let key = rule?.next(), let place = places[key],
      !entries.isPinned(place) || !entries.hasPlain
    {
      return place
    }
    if case .lifo = policy.order { return entries.last }
    return entries.first
  }

  private mutating func remove(at place: Int) -> Value? {
    guard let slot = entries.remove(place) else { return nil }
    places[slot.key] = nil
    if slot.expires != nil { expiries.remove(UInt64(place)) }
    cost -= slot.cost
    rule?.removed(slot.key)
    return slot.value
  }
}
