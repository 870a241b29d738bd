import ImageCodecs
import Observation

/// Shows the frames of one animation at their times; of no UI framework.
@MainActor @Observable final class AnimationPlayer {
  /// The frame to show; nil before the first.
  private(set) var image: DecodedImage?

  /// Plays until the animation ends by its own count, fails, or the task is cancelled; the frame that is shown then
  /// stays.
  ///
  /// Two pictures are held, the one that is shown and the one that comes next. Where the budget hasn't room for them,
  /// the first one is shown alone. A frame that comes late moves those behind it, so none is skipped.
  func play<C: Clock>(_ frames: any ImageFrames, budget: AnimationBudget, on clock: C) async
  where C.Duration == Duration {
    let (bytes, isTooMuch) = max(frames.size.area, 1).multipliedReportingOverflow(by: 8)
    let share = budget.admit(bytes: isTooMuch ? .max : bytes)
    defer { withExtendedLifetime(share) {} }
    var due = clock.now
    var rounds = 0
    var isFirstOfRound = true
    do {
      while true {
        guard let frame = try await budget.next(of: frames) else {
          rounds += 1
          // A file without a frame would go round for ever.
          guard !isFirstOfRound, frames.loopCount <= 0 || rounds < frames.loopCount else { return }
          isFirstOfRound = true
          try await budget.rewind(frames)
          continue
        }
        isFirstOfRound = false
        try await clock.sleep(until: due, tolerance: nil)
        image = frame.image
        guard share != nil else { return }
        due = max(due, clock.now).advanced(by: frame.duration)
      }
    } catch {
      // The last good frame stays: an animation that breaks off is no reason to show nothing.
      return
    }
  }

  /// Shows no frame.
  func clear() { image = nil }
}
