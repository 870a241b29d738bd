/// The time since it was made, on any clock, and sleep on that clock.
struct ElapsedTime: Sendable {
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(on clock: any Clock<Duration>) {
    now = Self.elapsed(on: clock)
    sleep = { try await clock.sleep(for: $0) }
  }

  private static func elapsed<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
