import ImageCodecs
import Synchronization

/// What all animations on screen may use together: one frame is composed at a time, off the main actor, and the
/// pictures that they hold stay within a bound. Every member may be used from any thread.
public final class AnimationBudget: Sendable {
  /// The budget of all animations that aren't given another: 64 MiB.
  ///
  /// The one instance that is shared, since what it bounds is the whole process's: views are made by frameworks in places that know
  /// nothing of one another, and two budgets of which neither knows the other bound nothing together. Whatever uses it also takes another.
  public static let shared = AnimationBudget()

  private struct State {
    var heldBytes = 0
    var pausedUntil: ContinuousClock.Instant?
  }

  /// One after another.
  private actor Lane {
    func next(of frames: any ImageFrames) throws -> ImageFrame? {
      try Task.checkCancellation()
      return try frames.next()
    }

    func rewind(_ frames: any ImageFrames) throws { try frames.seek(to: 0) }
  }

  private let maxBytes: Int
  private let lane = Lane()
  private let state = Mutex(State())

  /// A budget of its own.
  ///
  /// - Parameter maxBytes: How much the pictures may take that animations hold; default 64 MiB. An animation that
  ///   doesn't fit in beside the others stands still.
  public init(maxBytes: Int = 64 << 20) { self.maxBytes = max(0, maxBytes) }

  /// Has all animations stand still for a while, as under memory pressure; they go on by themselves.
  public func pause(for duration: Duration) {
    let end = ContinuousClock.now + min(max(.zero, duration), .seconds(86_400))
    state.withLock { $0.pausedUntil = max($0.pausedUntil ?? end, end) }
  }

  /// A share of the bound, given back when it is let go of; nil where there isn't as much left.
  func admit(bytes: Int) -> Share? {
    let isAdmitted = state.withLock { state in
      let (sum, overflow) = state.heldBytes.addingReportingOverflow(max(0, bytes))
      guard !overflow, sum <= maxBytes else { return false }
      state.heldBytes = sum
      return true
    }
    return isAdmitted ? Share(self, bytes: max(0, bytes)) : nil
  }

  /// The next frame, after a pause if there is one.
  func next(of frames: any ImageFrames) async throws -> ImageFrame? {
    while let end = state.withLock({ $0.pausedUntil }), end > .now {
      try await Task.sleep(until: end, clock: .continuous)
    }
    return try await lane.next(of: frames)
  }

  func rewind(_ frames: any ImageFrames) async throws { try await lane.rewind(frames) }

  private func giveBack(_ bytes: Int) { state.withLock { $0.heldBytes -= bytes } }

  /// Bytes that one animation may hold.
  final class Share: Sendable {
    private let budget: AnimationBudget
    private let bytes: Int

    fileprivate init(_ budget: AnimationBudget, bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.giveBack(bytes) }
  }
}
