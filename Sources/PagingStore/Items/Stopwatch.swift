/// How long it is since it was made, on any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts at zero.
  init(_ clock: any Clock<Duration>) {
    read = Self.reading(clock)
  }

  /// The time since it was made.
  var elapsed: Duration { read() }

  private static func reading<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
