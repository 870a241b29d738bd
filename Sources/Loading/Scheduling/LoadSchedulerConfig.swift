/// How many loads run at once, and how long one waits before it counts for more.
package struct LoadSchedulerConfig: Sendable {
  /// Jobs that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrent: Int
  /// Jobs of one group that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrentPerGroup: Int
  /// A waiting job moves up a level each time it has waited this long; zero or less: never.
  package var ageing: Duration

  package init(maxConcurrent: Int = 6, maxConcurrentPerGroup: Int = 4, ageing: Duration = .seconds(2)) {
    self.maxConcurrent = max(1, maxConcurrent)
    self.maxConcurrentPerGroup = max(1, maxConcurrentPerGroup)
    self.ageing = ageing
  }
}

/// How jobs of one key are kept apart in time.
package struct LoadPacing: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case debounce
    case throttle
  }

  let kind: Kind
  let key: String
  let interval: Duration

  /// Waits until no other job of the key has come for `interval`; one that comes meanwhile takes its place, and it ends
  /// as cancelled.
  package static func debounce(_ key: String, for interval: Duration) -> LoadPacing {
    LoadPacing(kind: .debounce, key: key, interval: interval)
  }

  /// Starts no sooner than `interval` after the last job of the key did; all of them run.
  package static func throttle(_ key: String, every interval: Duration) -> LoadPacing {
    LoadPacing(kind: .throttle, key: key, interval: interval)
  }
}
