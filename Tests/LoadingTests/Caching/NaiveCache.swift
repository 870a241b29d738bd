@testable import Loading

/// What a memory cache must do, written as plainly as can be: at every question it looks at all entries.
struct NaiveCache {
  struct Entry {
    let key: Int
    let value: Int
    let cost: Int
    let expires: Duration?
    /// Grows with each insertion, and with each use where the order is by use.
    var age: Int
    /// When a custom rule of the tests would have it leave: the lowest first.
    let weight: Int
  }

  enum Order: CaseIterable {
    case lru, fifo, lifo, custom
  }

  let order: Order
  let maxCount: Int?
  let maxCost: Int?
  let lifetime: Duration?
  private(set) var entries: [Entry] = []
  private(set) var statistics = CacheStatistics()
  private var pinned: Set<Int> = []
  private var nextAge = 0

  init(order: Order, maxCount: Int?, maxCost: Int?, lifetime: Duration?) {
    (self.order, self.maxCount, self.maxCost, self.lifetime) = (order, maxCount, maxCost, lifetime)
  }

  var cost: Int { entries.reduce(0) { $0 + $1.cost } }
  private var isByUse: Bool { order == .lru || order == .custom }

  private mutating func age() -> Int {
    nextAge += 1
    return nextAge
  }

  mutating func value(_ key: Int, _ now: Duration) -> Int? {
    guard let place = entries.firstIndex(where: { $0.key == key }) else {
      statistics.misses += 1
      return nil
    }
    if let expires = entries[place].expires, expires <= now {
      entries.remove(at: place)
      statistics.evictions += 1
      statistics.misses += 1
      return nil
    }
    statistics.hits += 1
    if isByUse { entries[place].age = age() }
    return entries[place].value
  }

  mutating func insert(_ value: Int, _ key: Int, cost: Int, lifetime: Duration?, _ now: Duration) -> Bool {
    remove(key)
    let life = [lifetime, self.lifetime].compactMap { $0 }.min()
    if cost > maxCost ?? .max || maxCount == 0 || (life ?? .seconds(1)) <= .zero {
      statistics.refusals += 1
      return false
    }
    if isTooMuch(with: cost) { removeExpired(now) }
    while isTooMuch(with: cost) { evict() }
    entries.append(
      Entry(key: key, value: value, cost: cost, expires: life.map { now + $0 }, age: age(), weight: key * 7 % 13))
    statistics.insertions += 1
    return true
  }

  mutating func remove(_ key: Int) { entries.removeAll { $0.key == key } }

  mutating func removeAll() { entries = [] }

  mutating func pin(_ keys: Set<Int>) {
    let changed = pinned.symmetricDifference(keys)
    pinned = keys
    guard isByUse else { return }
    for key in entries.filter({ changed.contains($0.key) }).sorted(by: { $0.age < $1.age }).map(\.key) {
      if let place = entries.firstIndex(where: { $0.key == key }) { entries[place].age = age() }
    }
  }

  mutating func trim(_ limit: Int, _ now: Duration) {
    removeExpired(now)
    while cost > max(0, limit), !entries.isEmpty { evict() }
  }

  private func isTooMuch(with cost: Int) -> Bool {
    entries.count + 1 > maxCount ?? .max || self.cost + cost > maxCost ?? .max
  }

  private mutating func removeExpired(_ now: Duration) {
    let before = entries.count
    entries.removeAll { entry in entry.expires.map { $0 <= now } ?? false }
    statistics.evictions += before - entries.count
  }

  private mutating func evict() {
    let plain = entries.filter { !pinned.contains($0.key) }
    let candidates = plain.isEmpty ? entries : plain
    let leaver =
      switch order {
      case .lru, .fifo: candidates.min { $0.age < $1.age }
      case .lifo: candidates.max { $0.age < $1.age }
      case .custom: customLeaver(candidates)
      }
    if let leaver { remove(leaver.key) }
    statistics.evictions += 1
  }

  /// The lightest of all by the rule; where that one is pinned and others are not, the one that was used longest ago.
  private func customLeaver(_ candidates: [Entry]) -> Entry? {
    let lightest = entries.min { ($0.weight, $0.key) < ($1.weight, $1.key) }
    if let lightest, candidates.contains(where: { $0.key == lightest.key }) { return lightest }
    return candidates.min { $0.age < $1.age }
  }
}

/// The lightest key leaves first.
struct LightestFirst: EvictionRule {
  private var keys: Set<Int> = []

  mutating func inserted(_ key: Int, cost: Int) { keys.insert(key) }
  mutating func used(_ key: Int) {}
  mutating func removed(_ key: Int) { keys.remove(key) }
  mutating func next() -> Int? { keys.min { ($0 * 7 % 13, $0) < ($1 * 7 % 13, $1) } }
}
