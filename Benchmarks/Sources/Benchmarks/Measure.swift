import Foundation

/// Takes times: some rounds to warm up, then samples, of which the median counts.
///
/// What one thread does is measured by what it had of a processor, so that others on the machine count less; what several do,
/// by the time on the wall.
enum Measure {
  /// Nanoseconds of one call of `body`.
  static func median(warmUp: Int = 3, samples: Int = 15, _ body: () -> Void) -> Double {
    for _ in 0..<warmUp { body() }
    return median((0..<samples).map { _ in time(body) })
  }

  /// Nanoseconds of one call of `body`, of two that take turns, so that both meet the same machine.
  static func medians(
    warmUp: Int = 3, samples: Int = 15, ours: () -> Void, baseline: () -> Void
  ) -> (ours: Double, baseline: Double) {
    for _ in 0..<warmUp {
      ours()
      baseline()
    }
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for _ in 0..<samples {
      times.ours.append(time(ours))
      times.baseline.append(time(baseline))
    }
    return (median(times.ours), median(times.baseline))
  }

  static func median(_ times: [Double]) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start
  }

  /// Nanoseconds that this process has had of all processors: a busy machine changes it less than the time on the wall.
  static var processorTime: Double {
    nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func nanoseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
  }
}

/// Keeps a result from being optimised away.
@inline(never) func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}
