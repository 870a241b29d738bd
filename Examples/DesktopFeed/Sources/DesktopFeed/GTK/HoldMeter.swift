/// How long this program's code, and what it calls of GTK, holds the main thread: once, and in one frame.
@MainActor
final class HoldMeter {
  static let shared = HoldMeter()

  private(set) var longest = Duration.zero
  private(set) var longestFrame = Duration.zero
  private(set) var frames = 0
  private var frame = Duration.zero
  private var depth = 0

  func measure(_ body: () -> Void) {
    // A callback within a callback is part of that.
    guard depth == 0 else { return body() }
    depth = 1
    let held = ContinuousClock().measure(body)
    depth = 0
    longest = max(longest, held)
    frame += held
  }

  func frameBegan() {
    longestFrame = max(longestFrame, frame)
    frame = .zero
    frames += 1
  }

  func reset() { (longest, longestFrame, frame, frames) = (.zero, .zero, .zero, 0) }
}
