import Synchronization

/// A clock that moves when it is told to, so that a test of delays and timeouts never waits.
///
/// Hand it to what is tested in place of a `ContinuousClock`, wait with ``sleepers(atLeast:)`` until the code under
/// test sleeps, then ``advance(by:)``:
///
/// ```swift
/// let clock = ManualClock()
/// let alarm = Task { try await clock.sleep(for: .seconds(5)) }
/// await clock.sleepers(atLeast: 1)
/// await clock.advance(by: .seconds(5))
/// try await alarm.value
/// ```
///
/// Every member may be used from any thread.
public final class ManualClock: Clock, Sendable {
  /// A point in the time of a manual clock.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// How far the clock had been advanced; zero is where it started.
    public var offset: Duration

    /// The instant at which a clock has been advanced by `offset` in all.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The instant `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// From this instant to `other`; below zero where `other` is the earlier one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Orders by time.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID: UInt64 = 0
    /// By deadline, equal ones in the order in which they went to sleep.
    var sleepers: [Sleeper] = []
  }

  private let state = Mutex(State())
  private let asleep = Tally()

  /// A clock that stands at offset zero.
  public init() {}

  /// Where the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: sleepers wake exactly at their deadline.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock has been advanced to `deadline`; returns at once when it stands there already.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: Not used: nobody wakes late.
  /// - Throws: `CancellationError`, as soon as the task that sleeps is cancelled, without the clock being moved.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      guard let sleeper else { return }
      asleep.add(-1)
      sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the time and returns when the sleepers that it woke have run as far as that can be known.
  ///
  /// Sleepers wake one after the other by deadline, those of one deadline in the order in which they went to sleep.
  /// While one runs, ``now`` is its deadline; if it goes to sleep again for less than is left, it wakes again. What a
  /// sleeper does is known to be over only by signs: everything else was given many chances to run. Work that takes
  /// long on another thread can outlast them, so a test waits for what it expects besides.
  ///
  /// - Parameter duration: How far to move; below zero counts as zero.
  public func advance(by duration: Duration) async {
    let target = state.withLock { $0.now.advanced(by: max(.zero, duration)) }
    await letOthersRun()
    while let sleeper = wakeNext(until: target) {
      sleeper.resume()
      await letOthersRun()
    }
    state.withLock { $0.now = max($0.now, target) }
  }

  /// Moves the time and wakes whom that wakes, without waiting for what they do: for a caller who knows by other signs
  /// when they have done it.
  ///
  /// - Parameter instant: Where to move to; an earlier one than ``now`` moves nothing.
  package func move(to instant: Instant) {
    while let sleeper = wakeNext(until: instant) { sleeper.resume() }
    state.withLock { $0.now = max($0.now, instant) }
  }

  /// The deadlines of all who sleep, the earliest first.
  public var sleepers: [Instant] { state.withLock { $0.sleepers.map(\.deadline) } }

  /// Returns when at least `count` sleep at the same time, or when the task that waits is cancelled.
  ///
  /// Without this ``advance(by:)`` can come before the code under test sleeps, which then sleeps for good.
  public func sleepers(atLeast count: Int) async {
    await asleep.reached(count)
  }

  private func register(_ sleeper: Sleeper) {
    enum Outcome {
      case sleeps, due, cancelled
    }
    let outcome: Outcome = state.withLock { state in
      // A cancellation from here on finds the sleeper in the list; one before has set the flag.
      if Task.isCancelled { return .cancelled }
      if sleeper.deadline <= state.now { return .due }
      let place = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
      state.sleepers.insert(sleeper, at: place)
      return .sleeps
    }
    switch outcome {
    case .sleeps: asleep.add(1)
    case .due: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func wakeNext(until target: Instant) -> CheckedContinuation<Void, any Error>? {
    let next: Sleeper? = state.withLock { state in
      guard let first = state.sleepers.first, first.deadline <= target else { return nil }
      state.sleepers.removeFirst()
      state.now = max(state.now, first.deadline)
      return first
    }
    guard let next else { return nil }
    asleep.add(-1)
    return next.continuation
  }
}

/// Gives every task that could run many chances to, on the caller's actor and off it.
func letOthersRun() async {
  for _ in 0..<16 {
    await Task.yield()
    // A task of the lowest priority starts when nothing else is left to start.
    await Task.detached(priority: .background) { await Task.yield() }.value
  }
}
