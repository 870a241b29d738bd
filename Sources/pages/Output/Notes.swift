import Synchronization

/// What is said to the user on standard error: never rows.
///
/// A progress line is shown only where standard error is a terminal, and is wiped before anything else is said. It can
/// be called from any thread.
final class Notes: Sendable {
  private struct State {
    var progressIsShown = false
    var shownAt: ContinuousClock.Instant?
  }

  private let descriptor: Descriptor
  private let isTerminal: Bool
  private let isVerbose: Bool
  private let isSilent: Bool
  private let state = Mutex(State())

  /// Notes to standard error; `verbose` asks for details without a terminal too, `isSilent` for nothing at all.
  init(to descriptor: Descriptor = .standardError, verbose: Bool = false, isSilent: Bool = false) {
    self.descriptor = descriptor
    isTerminal = descriptor.isTerminal
    isVerbose = verbose
    self.isSilent = isSilent
  }

  /// Says something that matters whoever reads.
  func say(_ line: String) {
    if isSilent { return }
    state.withLock { state in
      wipe(&state)
      put("pages: " + line + "\n")
    }
  }

  /// Says a detail: to a terminal, or when details were asked for.
  func detail(_ line: String) {
    if isTerminal || isVerbose { say(line) }
  }

  /// Shows how far things are, at most ten times a second.
  func progress(_ line: @autoclosure () -> String) {
    guard isTerminal, !isSilent else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let shownAt = state.shownAt, now - shownAt < .milliseconds(100) { return }
      state.shownAt = now
      state.progressIsShown = true
      put("\r\u{1B}[K" + line())
    }
  }

  /// Wipes the progress line.
  func endProgress() {
    state.withLock { wipe(&$0) }
  }

  private func wipe(_ state: inout State) {
    if state.progressIsShown { put("\r\u{1B}[K") }
    state.progressIsShown = false
  }

  // Nobody is left to tell when standard error is gone.
  private func put(_ text: String) {
    try? descriptor.write(text.utf8)
  }
}
