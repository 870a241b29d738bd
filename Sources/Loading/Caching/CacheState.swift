/// What a memory cache holds and what leaves it: every decision, with no lock and no clock.
///
/// `now` is asked for only where an entry has a time to live. What leaves is handed out and not let go here, so that
/// the shell can let it go outside its lock: an entry's `deinit` may call the cache.
@usableFromInline struct CacheState<Key: Hashable & Sendable, Value: Sendable> {
  @usableFromInline typealias Entry = EntryList<Key, Value>.Entry

  @usableFromInline let lifetime: Duration?
  @usableFromInline let maxCount: Int
  @usableFromInline let maxCost: Int
  /// Whether being used makes an entry younger.
  @usableFromInline let isByUse: Bool
  @usableFromInline var rule: (any EvictionRule<Key>)?
  @usableFromInline var places: [Key: Int] = [:]
  @usableFromInline var entries: EntryList<Key, Value>
  /// The entries that expire, by when.
  @usableFromInline var expiries = Expiries()
  @usableFromInline var pinned: Set<Key> = []
  @usableFromInline var cost = 0
  @usableFromInline var statistics = CacheStatistics()
  /// How many of the evictions were for a time to live that was over.
  @usableFromInline var expirations = 0

  init(policy: EvictionPolicy<Key>) {
    lifetime = policy.lifetime
    maxCount = policy.maxCount ?? .max
    maxCost = policy.maxCost ?? .max
    isByUse =
      switch policy.order {
      case .fifo, .lifo: false
      case .lru, .custom, nil: true
      }
    let isLastFirst = if case .lifo = policy.order { true } else { false }
    entries = EntryList(isLastFirst: isLastFirst, isByUse: isByUse)
    if case .custom(let rule) = policy.order { self.rule = rule }
  }

  @inlinable var count: Int { places.count }

  // MARK: - Reading

  /// The key's value, which is used by that; one whose time is over leaves instead.
  @inlinable mutating func value(forKey key: Key, now: () -> Duration, removed: inout Departed<Key, Value>) -> Value? {
    guard let place = places[key] else {
      statistics.misses += 1
      return nil
    }
    if let expires = entries[place]?.expires, expires <= now() {
      remove(at: place, &removed)
      statistics.evictions += 1
      expirations += 1
      statistics.misses += 1
      return nil
    }
    statistics.hits += 1
    if isByUse { entries.moveToEnd(place) }
    rule?.used(key)
    return entries[place]?.value
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
  @inlinable mutating func insert(
    _ value: Value, forKey key: Key, cost: Int, lifetime: Duration?, now: () -> Duration,
    removed: inout Departed<Key, Value>
  ) -> Bool {
    if let place = places[key] { remove(at: place, &removed) }
    let cost = max(0, cost)
    let life = EvictionPolicy<Key>.tighter(lifetime, self.lifetime)
    guard cost <= maxCost, maxCount > 0, life ?? .seconds(1) > .zero else {
      statistics.refusals += 1
      return false
    }
    makeRoom(for: cost, now: now, removed: &removed)
    // Some thousands of years are as good as any longer time, and can be added up.
    let expires = life.map { now() + min($0, .seconds(1 << 37)) }
    let place = entries.append(
      Entry(key: key, value: value, cost: cost, expires: expires),
      isPinned: !pinned.isEmpty && pinned.contains(key))
    places[key] = place
    if let expires { expiries.insert(place, expires) }
    self.cost += cost
    statistics.insertions += 1
    rule?.inserted(key, cost: cost)
    return true
  }

  @inlinable mutating func removeValue(forKey key: Key, removed: inout Departed<Key, Value>) {
    if let place = places[key] { remove(at: place, &removed) }
  }

  mutating func removeValue(
    forKey key: Key, where isIt: (Value) -> Bool, removed: inout Departed<Key, Value>
  ) -> Bool {
    guard let place = places[key], let value = entries[place]?.value, isIt(value) else { return false }
    remove(at: place, &removed)
    return true
  }

  /// - Returns: All that there was.
  mutating func removeAll() -> EntryList<Key, Value> {
    if rule != nil { for key in places.keys { rule?.removed(key) } }
    defer {
      places = [:]
      entries = EntryList(isLastFirst: entries.isLastFirst, isByUse: isByUse)
      expiries = Expiries()
      cost = 0
    }
    return entries
  }

  /// These leave last from now on, and no others do; also those that come later. Where the order is by use, being
  /// pinned and being let go count as one.
  ///
  /// - Returns: Those that were pinned before.
  mutating func setPinned(_ keys: Set<Key>) -> Set<Key> {
    var changed = pinned.filter { !keys.contains($0) }.compactMap { places[$0] }
    changed += keys.filter { !pinned.contains($0) }.compactMap { places[$0] }
    // The order of a set is chance; that of their age is not.
    changed.sort { entries.stamp($0) < entries.stamp($1) }
    for place in changed { entries.togglePinned(place) }
    defer { pinned = keys }
    return pinned
  }

  /// Lets entries go until what is left costs no more than that.
  mutating func trim(toCost limit: Int, now: () -> Duration, removed: inout Departed<Key, Value>) {
    removeExpired(now: now, removed: &removed)
    while cost > max(0, limit), evict(&removed) {}
  }

  // MARK: - Making room

  @inlinable mutating func makeRoom(for cost: Int, now: () -> Duration, removed: inout Departed<Key, Value>) {
    guard isFull(with: cost) else { return }
    removeExpired(now: now, removed: &removed)
    while isFull(with: cost), evict(&removed) {}
  }

  @inlinable func isFull(with cost: Int) -> Bool {
    if count >= maxCount { return true }
    let (sum, overflows) = self.cost.addingReportingOverflow(cost)
    return overflows || sum > maxCost
  }

  @usableFromInline mutating func removeExpired(now: () -> Duration, removed: inout Departed<Key, Value>) {
    guard !expiries.isEmpty else { return }
    let now = now()
    while let place = expiries.first(until: now) {
      remove(at: place, &removed)
      statistics.evictions += 1
      expirations += 1
    }
  }

  /// - Returns: Whether there was one to evict.
  @inlinable mutating func evict(_ removed: inout Departed<Key, Value>) -> Bool {
    guard let place = nextToLeave() else { return false }
    remove(at: place, &removed)
    statistics.evictions += 1
    return true
  }

  @inlinable mutating func nextToLeave() -> Int? {
    if rule != nil, let key = rule?.next(), let place = places[key],
      !entries.isPinned(place) || !entries.hasPlain
    {
      return place
    }
    return entries.nextToLeave
  }

  @inlinable mutating func remove(at place: Int, _ removed: inout Departed<Key, Value>) {
    guard let entry = entries.remove(place) else { return }
    places[entry.key] = nil
    if entry.expires != nil { expiries.remove(place) }
    cost -= entry.cost
    rule?.removed(entry.key)
    removed.add(entry)
  }
}
