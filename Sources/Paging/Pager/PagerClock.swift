/// A clock of any kind as the engine sees it: the time since its pager was made.
struct PagerClock: Sendable {
  /// The time since this value was made.
  let elapsed: @Sendable () -> Duration
  /// Returns after that long.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: any Clock<Duration>) {
    self = Self.make(clock)
  }

  private init(elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void)
  {
    self.elapsed = elapsed
    self.sleep = sleep
  }

  private static func make<C: Clock<Duration>>(_ clock: C) -> PagerClock {
    let start = clock.now
    return PagerClock(elapsed: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
  }
}
