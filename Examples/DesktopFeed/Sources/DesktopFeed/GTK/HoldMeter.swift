/// How long this program's code, and what it calls of GTK, holds the main thread: once, and in one frame.
@MainActor
final class HoldMeter {
  static let shared = HoldMeter()

  private(set) var longest = Duration.zero
  /// What each frame was held for, all in all.
  private(set) var frames: [Duration] = []
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
    frames.append(frame)
    frame = .zero
  }

  func reset() { (longest, frame, frames) = (.zero, .zero, []) }
}
