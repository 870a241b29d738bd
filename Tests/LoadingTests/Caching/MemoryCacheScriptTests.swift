import PagingTesting
import Synchronization
import Testing

@testable import Loading

/// L3 in random scripts, against the naive cache.
@Suite struct MemoryCacheScriptTests {
  /// Every order, with and without each limit and a time to live.
  @Test(arguments: NaiveCache.Order.allCases, 0..<16)
  func L3_randomScriptsDoWhatTheNaiveOneDoes(order: NaiveCache.Order, limits: Int) {
    for seed in UInt64(0)..<4 {
      let naive = NaiveCache(
        order: order, maxCount: limits & 1 == 0 ? nil : 1 + Int(seed) * 4, maxCost: limits & 2 == 0 ? nil : 30,
        lifetime: limits & 4 == 0 ? nil : .seconds(5))
      play(naive, livesVary: limits & 8 != 0, seed: seed * 16 + UInt64(limits))
    }
  }

  private func policy(_ naive: NaiveCache) -> EvictionPolicy<Int> {
    var policy: EvictionPolicy<Int> =
      switch naive.order {
      case .lru: .lru
      case .fifo: .fifo
      case .lifo: .lifo
      case .custom: .custom(LightestFirst())
      }
    if let count = naive.maxCount { policy = policy + .maxCount(count) }
    if let cost = naive.maxCost { policy = .maxCost(cost) + policy }
    if let lifetime = naive.lifetime { policy = policy + .ttl(lifetime) }
    return policy
  }

  private func play(_ start: NaiveCache, livesVary: Bool, seed: UInt64) {
    var (naive, now, chance) = (start, Duration.zero, SeededGenerator(seed: seed))
    let clock = SteppedClock()
    let cache = MemoryCache<Int, Int>(policy: policy(naive), clock: clock)
    var trace: [String] = []
    for step in 0..<400 {
      let key = Int.random(in: 0..<24, using: &chance)
      var isSame = true
      switch Int.random(in: 0..<100, using: &chance) {
      case 0..<45:
        let lives: [Duration?] = [nil, .seconds(1), .seconds(9), .zero, .seconds(-1)]
        let cost = Int.random(in: 0..<12, using: &chance) * (Int.random(in: 0..<20, using: &chance) == 0 ? 4 : 1)
        let life = livesVary ? lives.randomElement(using: &chance) ?? nil : nil
        trace.append("insert \(key), cost \(cost), life \(String(describing: life))")
        isSame =
          cache.insert(step, forKey: key, cost: cost, lifetime: life)
          == naive.insert(step, key, cost: cost, lifetime: life, now)
      case 45..<85:
        trace.append("value \(key)")
        isSame = cache.value(forKey: key) == naive.value(key, now)
      case 85..<89:
        trace.append("remove \(key)")
        cache.removeValue(forKey: key)
        naive.remove(key)
      case 89..<93:
        let keys = Set((0..<Int.random(in: 0...4, using: &chance)).map { _ in Int.random(in: 0..<24, using: &chance) })
        trace.append("pin \(keys.sorted())")
        cache.setPinned(keys)
        naive.pin(keys)
      case 93..<95:
        let limit = Int.random(in: -2...40, using: &chance)
        trace.append("trim to \(limit)")
        cache.trim(toCost: limit)
        naive.trim(limit, now)
      case 95:
        trace.append("remove all")
        cache.removeAll()
        naive.removeAll()
      default:
        let time = Duration.milliseconds(Int.random(in: 0..<1_500, using: &chance))
        trace.append("wait \(time)")
        now += time
        clock.move(by: time)
      }
      isSame = isSame && cache.count == naive.entries.count && cache.cost == naive.cost
      guard isSame, cache.statistics == naive.statistics else {
        Issue.record(
          """
          \(start.order), seed \(seed), step \(step): \(cache.count) entries of cost \(cache.cost), \(cache.statistics); \
          the naive one \(naive.entries.count) of cost \(naive.cost), \(naive.statistics); \(trace.suffix(12))
          """)
        return
      }
    }
    // What is there is the same, one by one.
    for key in 0..<24 where cache.value(forKey: key) != naive.value(key, now) {
      Issue.record("\(start.order), seed \(seed): key \(key) differs at the end")
    }
  }
}

/// A clock that nobody sleeps on.
private final class SteppedClock: Clock {
  private let offset = Mutex(Duration.zero)

  var now: ManualClock.Instant { ManualClock.Instant(offset: offset.withLock { $0 }) }
  var minimumResolution: Duration { .zero }

  func move(by duration: Duration) { offset.withLock { $0 += duration } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
}
