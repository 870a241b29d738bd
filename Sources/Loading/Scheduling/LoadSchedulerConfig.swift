/// How many loads run at once, and how long one waits before it counts for more.
package struct LoadSchedulerConfig: Sendable {
  /// Jobs that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrent: Int
  /// Jobs of one group that run at the same time, at most; values below 1 count as 1.
  package var maxConcurrentPerGroup: Int
  /// A waiting job moves up a level each time it has waited this long; zero or less: never.
  package var ageing: Duration
  /// Of the slots, those that only jobs may take which were at least of ``reservedPriority`` by their ticket when they
  /// started; ageing doesn't count for that. Default 0. Clamped so that one slot is left for all.
  package var reserved = 0
  /// Of the reserved slots, how many only jobs may take whose group has nothing running; a job without a group never
  /// does. Default 0.
  package var reservedForIdleGroups = 0
  /// What the reserved slots are for; default medium and above.
  package var reservedPriority = LoadPriority.medium
  /// How many jobs may start in a time; default nil: as many as there is room for. A job that never starts costs no
  /// token.
  package var pace: TokenBucket?

  package init(maxConcurrent: Int = 6, maxConcurrentPerGroup: Int = 4, ageing: Duration = .seconds(2)) {
    self.maxConcurrent = maxConcurrent
    self.maxConcurrentPerGroup = maxConcurrentPerGroup
    self.ageing = ageing
  }

  /// What holds where a value is out of its range. Ageing is no finer than a microsecond and no longer than is
  /// sensible, so that sums with it stay within theirs.
  var clamped: LoadSchedulerConfig {
    var config = self
    config.maxConcurrent = max(1, maxConcurrent)
    config.maxConcurrentPerGroup = max(1, maxConcurrentPerGroup)
    config.ageing = ageing > .zero ? min(max(ageing, .microseconds(1)), longestWait) : .zero
    config.reserved = min(max(0, reserved), config.maxConcurrent - 1)
    config.reservedForIdleGroups = min(max(0, reservedForIdleGroups), config.reserved)
    return config
  }
}

/// Some thousands of years, which still can be added up.
private let longestWait = Duration.seconds(1 << 37)

/// How jobs of one key are kept apart in time; both ways joined with `+`.
package struct LoadPacing: Hashable, Sendable {
  /// A key, and how long it is kept.
  struct Pace: Hashable, Sendable {
    let key: String
    let interval: Duration

    init(_ key: String, _ interval: Duration) {
      self.key = key
      self.interval = min(max(.zero, interval), longestWait)
    }
  }

  private(set) var debounce: Pace?
  private(set) var throttle: Pace?

  /// Waits until no other job of the key has come for `interval`; one that comes meanwhile takes its place, and it ends
  /// as cancelled. A key that no other job has makes a job wait that long and takes nobody's place.
  package static func debounce(_ key: String, for interval: Duration) -> LoadPacing {
    LoadPacing(debounce: Pace(key, interval))
  }

  /// Has the next job of the key start no sooner than `interval` after this one did; all of them run, by priority.
  package static func throttle(_ key: String, every interval: Duration) -> LoadPacing {
    LoadPacing(throttle: Pace(key, interval))
  }

  /// Both: it waits for its quiet first, and then for its throttled key. Of two of one kind the later one counts.
  package static func + (a: LoadPacing, b: LoadPacing) -> LoadPacing {
    LoadPacing(debounce: b.debounce ?? a.debounce, throttle: b.throttle ?? a.throttle)
  }
}
