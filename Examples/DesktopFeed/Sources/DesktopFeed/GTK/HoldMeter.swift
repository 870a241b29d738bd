/// How long this program's code, and what it calls of GTK, holds the main thread: once, and in one frame.
@MainActor
final class HoldMeter {
  static let shared = HoldMeter()

  private(set) var longest = Duration.zero
  private(set) var longestFrame = Duration.zero
  private(set) var frames = 0
  private var frame = Duration.zero
  private var depth = 0
  private var leftOut = Duration.zero

  func measure(_ body: () -> Void) {
    // A callback within a callback is part of that.
    guard depth == 0 else { return body() }
    depth = 1
    leftOut = .zero
    let held = ContinuousClock().measure(body) - leftOut
    depth = 0
    longest = max(longest, held)
    frame += held
  }

  /// For what the script does to look, which no app does.
  func leavingOut<Result>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { leftOut += start.duration(to: .now) }
    return body()
  }

  func frameBegan() {
    longestFrame = max(longestFrame, frame)
    frame = .zero
    frames += 1
  }

  func reset() { (longest, longestFrame, frame, frames) = (.zero, .zero, .zero, 0) }
}
