/// How many loads run at once, and how long one waits before it counts for more.
package struct LoadSchedulerConfig: Sendable {
  /// Jobs that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrent: Int
  /// Jobs of one group that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrentPerGroup: Int
  /// A waiting job moves up a level each time it has waited this long; zero or less: never.
  package var ageing: Duration

  package init(maxConcurrent: Int = 6, maxConcurrentPerGroup: Int = 4, ageing: Duration = .seconds(2)) {
    self.maxConcurrent = maxConcurrent
    self.maxConcurrentPerGroup = maxConcurrentPerGroup
    self.ageing = ageing
  }

  /// What holds where a value is out of its range. Ageing is no finer than a microsecond and no longer than is sensible, so
  /// that sums with it stay within theirs.
  var clamped: LoadSchedulerConfig {
    LoadSchedulerConfig(
      maxConcurrent: max(1, maxConcurrent), maxConcurrentPerGroup: max(1, maxConcurrentPerGroup),
      ageing: ageing > .zero ? min(max(ageing, .microseconds(1)), longestWait) : .zero)
  }
}

/// Some thousands of years, which still can be added up.
private let longestWait = Duration.seconds(1 << 37)

/// How jobs of one key are kept apart in time.
package struct LoadPacing: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case debounce
    case throttle
  }

  let kind: Kind
  let key: String
  let interval: Duration

  private init(_ kind: Kind, _ key: String, _ interval: Duration) {
    self.kind = kind
    self.key = key
    self.interval = min(max(.zero, interval), longestWait)
  }

  /// Waits until no other job of the key has come for `interval`; one that comes meanwhile takes its place, and it ends
  /// as cancelled.
  package static func debounce(_ key: String, for interval: Duration) -> LoadPacing {
    LoadPacing(.debounce, key, interval)
  }

  /// Has the next job of the key start no sooner than `interval` after this one did; all of them run, by priority.
  package static func throttle(_ key: String, every interval: Duration) -> LoadPacing {
    LoadPacing(.throttle, key, interval)
  }
}
