import Foundation

/// How long this program's code, and what it calls of GTK, holds the main thread in each frame.
///
/// What is judged is the thread's own time on a processor: a machine with more work than processors makes every program wait,
/// which says nothing of this one. The time that passed is kept beside it.
@MainActor
final class HoldMeter {
  /// What the thread is held by.
  enum Part: String {
    /// Jobs of the main actor, but for those that are named below.
    case jobs
    /// What the list says has changed.
    case changes
    /// Taking an update over, but for what GTK does.
    case updates
    /// Pictures that came.
    case pictures
    /// Telling GTK of rows that went and came, and what it does at once.
    case splices
    /// Rows that get widgets, get content, and lose it.
    case rows
    case scrolling
    /// Everything else that GTK calls.
    case other
    /// What the script does to look, which no app does.
    case script
  }

  /// What one frame was held for.
  struct Frame {
    var parts: [Part: Duration] = [:]
    var passed = Duration.zero

    var held: Duration { parts.reduce(.zero) { $1.key == .script ? $0 : $0 + $1.value } }
    var text: String {
      let parts = parts.filter { $0.key != .script }.sorted { $0.value > $1.value }
      return parts.map { "\($0.key) \($0.value.inMilliseconds)" }.joined(separator: ", ")
    }
  }

  static let shared = HoldMeter()

  private(set) var frames: [Frame] = []
  private var frame = Frame()
  private var depth = 0
  /// What the parts within the one that runs have taken.
  private var within = Duration.zero

  /// Runs something that counts as one part, but for what within it is another.
  func measure<Result>(_ part: Part, _ body: () -> Result) -> Result {
    let (start, clock, outer) = (Self.threadTime, ContinuousClock.now, within)
    within = .zero
    depth += 1
    defer {
      depth -= 1
      let taken = Self.threadTime - start
      frame.parts[part, default: .zero] += taken - within
      within = outer + taken
      let passed = clock.duration(to: .now)
      if depth == 0 { frame.passed += passed }
      if part == .script { frame.passed -= passed }
    }
    return body()
  }

  func frameBegan() {
    frames.append(frame)
    frame = Frame()
  }

  func reset() { (frame, frames) = (Frame(), []) }

  private static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension Duration {
  /// As `3.2 ms`.
  var inMilliseconds: String {
    let tenths = Int((self / .milliseconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
