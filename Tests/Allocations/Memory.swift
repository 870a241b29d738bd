import Loading

/// A memory cache.
enum Memory {
  static func counts() -> [(name: String, count: Int)] {
    let cache = MemoryCache<String, Int>(policy: .lru + .maxCount(1_000))
    let keys = (0..<2_000).map { "https://example.org/pages/\($0)" }
    for (number, key) in keys.enumerated() { cache.insert(number, forKey: key) }
    var turn = 0
    let hit = Allocations.count {
      turn = (turn + 1) % 1_000
      consume(cache.value(forKey: keys[1_000 + turn]))
    }
    let insertion = Allocations.count {
      turn = (turn + 1) % 2_000
      cache.insert(turn, forKey: keys[turn])
    }
    return [("a hit of the memory cache", hit), ("an insertion that evicts", insertion)]
  }
}
