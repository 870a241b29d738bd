import Loading
import PagingTesting
import Synchronization
import Testing

/// L3, one sentence at a time.
@Suite struct MemoryCacheTests {
  private func fill(_ cache: MemoryCache<Int, Int>, _ keys: ClosedRange<Int>) {
    for key in keys { cache.insert(key, forKey: key) }
  }

  /// Which keys there are; a look-up counts as a use, in the order of the keys.
  private func keys(_ cache: MemoryCache<Int, Int>) -> [Int] {
    (0...20).filter { cache.value(forKey: $0) != nil }
  }

  // MARK: - Order

  @Test func L3_theLeastRecentlyUsedLeavesFirst() {
    let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(3))
    fill(cache, 1...3)
    _ = cache.value(forKey: 1)
    cache.insert(4, forKey: 4)
    #expect(keys(cache) == [1, 3, 4])
  }

  @Test func L3_theFirstLeavesFirst() {
    let cache = MemoryCache<Int, Int>(policy: .fifo + .maxCount(3))
    fill(cache, 1...3)
    _ = cache.value(forKey: 1)
    cache.insert(4, forKey: 4)
    #expect(keys(cache) == [2, 3, 4])
  }

  @Test func L3_theLastLeavesFirst() {
    let cache = MemoryCache<Int, Int>(policy: .lifo + .maxCount(3))
    fill(cache, 1...3)
    cache.insert(4, forKey: 4)
    #expect(keys(cache) == [1, 2, 4])
  }

  @Test func L3_ofTwoOrdersTheLaterOneDecidesAndOfTwoLimitsTheTighterOne() {
    let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(5) + .lifo + .maxCount(3) + .maxCount(4))
    fill(cache, 1...4)
    #expect(keys(cache) == [1, 2, 4])
  }

  @Test func L3_withoutAPolicyNothingLeaves() {
    let cache = MemoryCache<Int, Int>()
    for key in 0..<5_000 { cache.insert(key, forKey: key, cost: 1_000) }
    #expect(cache.count == 5_000)
    #expect(cache.statistics.evictions == 0)
  }

  // MARK: - Bounds

  @Test func L3_aValueThatIsLargerThanTheLimitIsRefusedAndTheOthersStay() {
    let cache = MemoryCache<Int, Int>(policy: .maxCost(10))
    for key in 1...3 { cache.insert(key, forKey: key, cost: 3) }
    #expect(!cache.insert(9, forKey: 9, cost: 11))
    #expect(keys(cache) == [1, 2, 3])
    #expect(!cache.insert(9, forKey: 2, cost: 11), "the key's earlier value is no longer its value")
    #expect(keys(cache) == [1, 3])
    #expect(cache.insert(9, forKey: 9, cost: 10))
    #expect(keys(cache) == [9])
    #expect(cache.statistics.refusals == 2)
  }

  @Test func L3_costsBelowZeroAndBeyondAllBoundsAreBorne() {
    let cache = MemoryCache<Int, Int>()
    cache.insert(1, forKey: 1, cost: -5)
    #expect(cache.cost == 0)
    cache.insert(2, forKey: 2, cost: .max)
    cache.insert(3, forKey: 3, cost: .max)
    #expect(cache.cost == .max, "the sum can't be more than that, so another one has left")
    #expect(cache.value(forKey: 3) == 3)
    cache.trim(toCost: .min)
    #expect(cache.cost == 0)
  }

  @Test func L3_aLimitOfNothingRefusesAll() {
    for policy in [EvictionPolicy<Int>.maxCount(0), .maxCount(-1), .ttl(.zero), .ttl(.seconds(-1))] {
      let cache = MemoryCache<Int, Int>(policy: policy)
      #expect(!cache.insert(1, forKey: 1))
      #expect(cache.value(forKey: 1) == nil)
      #expect(cache.count == 0)
    }
    let cache = MemoryCache<Int, Int>(policy: .maxCost(-1))
    #expect(cache.insert(1, forKey: 1, cost: 0))
    #expect(!cache.insert(2, forKey: 2, cost: 1))
  }

  // MARK: - Time

  @Test func L3_anExpiredValueIsNeverReturned() async {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(policy: .ttl(.seconds(10)), clock: clock)
    cache.insert(1, forKey: 1)
    cache.insert(2, forKey: 2, lifetime: .seconds(3))
    cache.insert(3, forKey: 3, lifetime: .seconds(60))
    await clock.advance(by: .milliseconds(2_999))
    #expect(cache.value(forKey: 2) == 2)
    await clock.advance(by: .milliseconds(1))
    #expect(cache.value(forKey: 2) == nil)
    await clock.advance(by: .seconds(7))
    #expect(cache.value(forKey: 1) == nil)
    #expect(cache.value(forKey: 3) == nil, "the policy's time to live is the shorter one")
    #expect(cache.count == 0)
  }

  @Test func L3_expiredValuesLeaveBeforeGoodOnes() async {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(3), clock: clock)
    cache.insert(1, forKey: 1)
    cache.insert(2, forKey: 2, lifetime: .seconds(1))
    cache.insert(3, forKey: 3)
    await clock.advance(by: .seconds(1))
    cache.insert(4, forKey: 4)
    #expect(keys(cache) == [1, 3, 4])
  }

  @Test func L3_timesToLiveThatAreTooLongToAddUpAreBorne() {
    let longest = Duration.seconds(Int64.max) * 18
    let cache = MemoryCache<Int, Int>(policy: .ttl(longest))
    #expect(cache.insert(1, forKey: 1, lifetime: longest))
    #expect(cache.value(forKey: 1) == 1)
  }

  // MARK: - Pinned

  @Test func L3_pinnedKeysLeaveLastAndBoundsStillHold() {
    let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(3))
    fill(cache, 1...3)
    cache.setPinned([1, 2, 9])
    cache.insert(4, forKey: 4)
    #expect(keys(cache) == [1, 2, 4])
    cache.insert(9, forKey: 9)
    #expect(keys(cache) == [1, 2, 9], "a key may be pinned before it comes")
    cache.insert(10, forKey: 10)
    #expect(cache.count == 3)
    #expect(cache.value(forKey: 10) == 10, "where only pinned ones are left, one of them goes")
  }

  @Test(arguments: [EvictionPolicy<Int>.fifo, .lifo]) func L3_aKeyThatIsNoLongerPinnedHasItsAgeBack(
    order: EvictionPolicy<Int>
  ) {
    let cache = MemoryCache<Int, Int>(policy: order + .maxCount(4))
    fill(cache, 1...4)
    cache.setPinned([2, 3])
    cache.setPinned([])
    cache.insert(5, forKey: 5)
    cache.insert(6, forKey: 6)
    cache.insert(7, forKey: 7)
    let isFirst = cache.value(forKey: 1) == nil
    #expect(keys(cache) == (isFirst ? [4, 5, 6, 7] : [1, 2, 3, 7]))
  }

  @Test func L3_severalKeysThatAreNoLongerPinnedLeaveInTheOrderOfTheirUse() {
    for _ in 0..<20 {
      let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(8))
      fill(cache, 1...8)
      cache.setPinned(Set(1...8))
      cache.setPinned([])
      fill(cache, 9...12)
      #expect(keys(cache) == Array(5...12))
    }
  }

  /// Pinned keys and keys that no longer are leave by age too, each among its own.
  @Test(arguments: [EvictionPolicy<Int>.fifo, .lifo]) func L3_pinnedKeysLeaveByAgeAmongThemselves(
    order: EvictionPolicy<Int>
  ) {
    let cache = MemoryCache<Int, Int>(policy: order + .maxCount(6))
    fill(cache, 1...6)
    cache.setPinned([5, 2, 6, 4])
    cache.setPinned([5, 2])
    let isFirst = policyIsFifo(cache)
    for limit in stride(from: 5, through: 1, by: -1) { cache.trim(toCost: limit) }
    // Of 1, 3, 4 and 6 all have left before 2 and 5.
    #expect(keys(cache) == (isFirst ? [5] : [2]))
  }

  /// Which end leaves first, seen on a cache of its own kind.
  private func policyIsFifo(_ cache: MemoryCache<Int, Int>) -> Bool {
    cache.trim(toCost: 5)
    return !cache.contains(1)
  }

  /// It would take minutes if an entry that is no longer pinned looked for its place among all younger ones.
  @Test(.timeLimit(.minutes(10)), arguments: [EvictionPolicy<Int>.fifo, .lifo, .lru])
  func L3_pinningCostsNoLookAtAllEntries(order: EvictionPolicy<Int>) {
    let cache = MemoryCache<Int, Int>(policy: order)
    for key in 0..<100_000 { cache.insert(key, forKey: key) }
    cache.setPinned(Set(0..<100_000))
    cache.setPinned([])
    for key in 0..<20_000 { cache.setPinned([key]) }
    #expect(cache.count == 100_000)
  }

  // MARK: - Leaving

  @Test func L3_trimmingLetsTheFirstLeaveFirst() {
    let cache = MemoryCache<Int, Int>(policy: .lru)
    for key in 1...5 { cache.insert(key, forKey: key, cost: 2) }
    _ = cache.value(forKey: 1)
    cache.trim(toCost: 5)
    #expect(keys(cache) == [1, 5])
    cache.trim(toCost: 0)
    #expect(cache.count == 0)
  }

  @Test func L3_aValueThatWasReplacedMeanwhileStays() {
    let cache = MemoryCache<Int, Int>()
    cache.insert(10, forKey: 1)
    #expect(!cache.removeValue(forKey: 1) { $0 == 9 })
    #expect(!cache.removeValue(forKey: 2) { _ in true })
    #expect(cache.peek(forKey: 1) == 10)
    #expect(cache.removeValue(forKey: 1) { $0 == 10 })
    #expect(cache.count == 0)
  }

  @Test func L3_statisticsAddUp() {
    let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(2) + .maxCost(9))
    fill(cache, 1...3)
    _ = cache.value(forKey: 1)
    _ = cache.value(forKey: 3)
    cache.insert(9, forKey: 9, cost: 10)
    #expect(cache.statistics == CacheStatistics(hits: 1, misses: 1, insertions: 3, evictions: 1, refusals: 1))
  }

  /// A value, or a key, that calls its cache as it goes: nothing of it goes under the lock.
  @Test func L3_whatGoesMayCallTheCache() async {
    let clock = ManualClock()
    let cache = MemoryCache<Caller, Caller>(policy: .lru + .maxCount(3), clock: clock)
    let gone = Crowd()
    @Sendable func caller(_ number: Int) -> Caller {
      Caller(number) { [weak cache] in
        gone.enter()
        _ = cache?.count
        _ = cache?.statistics
      }
    }
    for number in 0..<6 { cache.insert(caller(number), forKey: caller(number)) }
    cache.insert(caller(50), forKey: caller(5))
    cache.setPinned([caller(5)])
    cache.setPinned([])
    cache.removeValue(forKey: caller(5))
    cache.insert(caller(7), forKey: caller(7), lifetime: .seconds(1))
    await clock.advance(by: .seconds(1))
    _ = cache.value(forKey: caller(7))
    cache.insert(caller(7), forKey: caller(7), lifetime: .zero)
    cache.trim(toCost: 1)
    cache.removeAll()
    #expect(cache.count == 0)
    #expect(gone.ever > 12)
  }

  // MARK: - Rules of one's own

  @Test func L3_aRuleThatMisbehavesBreaksNoBound() {
    for kind in Stubborn.Kind.allCases {
      let cache = MemoryCache<Int, Int>(policy: .custom(Stubborn(kind: kind)) + .maxCount(3))
      cache.setPinned([1])
      fill(cache, 1...9)
      #expect(cache.count == 3)
      #expect(cache.value(forKey: 1) == 1, "what is pinned stays while there are others")
      #expect(cache.statistics.evictions == 6)
    }
  }

  @Test func L3_aRuleIsToldOfEverything() async {
    let (log, clock) = (Log<String>(), ManualClock())
    let cache = MemoryCache<Int, Int>(policy: .custom(Telling(log: log)) + .maxCount(2), clock: clock)
    cache.insert(1, forKey: 1, cost: 5)
    _ = cache.value(forKey: 1)
    _ = cache.value(forKey: 2)
    cache.insert(10, forKey: 1, cost: 6)
    cache.insert(2, forKey: 2)
    cache.insert(3, forKey: 3, lifetime: .seconds(1))
    await clock.advance(by: .seconds(1))
    _ = cache.value(forKey: 3)
    cache.removeAll()
    #expect(
      log.entries == [
        "in 1 for 5", "used 1", "out 1", "in 1 for 6", "in 2 for 1", "next", "out 1", "in 3 for 1", "out 3", "out 2",
      ])
  }

  // MARK: - Threads

  /// Eight tasks on one cache: the bounds hold at every instant that anyone looks, a value belongs to its key, and the
  /// figures add up.
  @Test func L3_boundsHoldAtEveryInstantFromEightTasks() async {
    let cache = MemoryCache<Int, Counted>(policy: .lru + .maxCount(50) + .maxCost(400))
    let (alive, looks) = (Crowd(), Crowd())
    await withTaskGroup(of: Void.self) { tasks in
      for worker in 0..<8 {
        tasks.addTask {
          var chance = SeededGenerator(seed: UInt64(worker))
          for step in 0..<4_000 {
            let key = Int.random(in: 0..<100, using: &chance)
            if let value = cache.value(forKey: key) {
              #expect(value.number == key)
            } else {
              cache.insert(Counted(key, alive), forKey: key, cost: Int.random(in: 1...20, using: &chance))
            }
            looks.enter()
            if step.isMultiple(of: 10) {
              #expect(cache.count <= 50)
              #expect(cache.cost <= 400)
            }
            if step.isMultiple(of: 97) { cache.setPinned([key, key + 1]) }
            if step.isMultiple(of: 211) { cache.removeValue(forKey: key) }
            if step.isMultiple(of: 1_999) { cache.trim(toCost: 100) }
          }
        }
      }
    }
    let statistics = cache.statistics
    #expect(statistics.hits + statistics.misses == looks.ever)
    #expect(statistics.insertions == statistics.misses)
    #expect(alive.now == cache.count, "what has left the cache has gone")
    cache.removeAll()
    #expect(alive.now == 0)
  }
}

/// Calls back as it goes. Equal to others of its number.
private final class Caller: Hashable, Sendable {
  let number: Int
  private let goes: @Sendable () -> Void

  init(_ number: Int, goes: @escaping @Sendable () -> Void) {
    self.number = number
    self.goes = goes
  }

  deinit { goes() }

  static func == (a: Caller, b: Caller) -> Bool { a.number == b.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A value that is counted while it lives.
private final class Counted: Sendable {
  let number: Int
  private let alive: Crowd

  init(_ number: Int, _ alive: Crowd) {
    self.number = number
    self.alive = alive
    alive.enter()
  }

  deinit { alive.leave() }
}

/// A rule that says nothing, or names what isn't there, or what is pinned.
private struct Stubborn: EvictionRule {
  enum Kind: CaseIterable {
    case silent, absent, pinned
  }

  let kind: Kind

  mutating func inserted(_ key: Int, cost: Int) {}
  mutating func used(_ key: Int) {}
  mutating func removed(_ key: Int) {}

  mutating func next() -> Int? {
    switch kind {
    case .silent: nil
    case .absent: 1_000
    case .pinned: 1
    }
  }
}

/// A rule that notes what it is told.
private struct Telling: EvictionRule {
  let log: Log<String>

  mutating func inserted(_ key: Int, cost: Int) { log.add("in \(key) for \(cost)") }
  mutating func used(_ key: Int) { log.add("used \(key)") }
  mutating func removed(_ key: Int) { log.add("out \(key)") }
  mutating func next() -> Int? {
    log.add("next")
    return nil
  }
}
