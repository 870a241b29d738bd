import Foundation
import Synchronization

/// What the loop of the screen waits for: keys, signals, and news from other threads. Nothing is polled.
final class TerminalEvents: Sendable {
  /// What came.
  struct Events: Hashable, Sendable {
    /// Someone said that there is something new.
    var hasNews = false
    /// The terminal has another size.
    var isResized = false
    /// The program is to end: a signal said so, or the terminal is gone.
    var isToEnd = false
  }

  private let reading: Int32
  private let writing: Int32
  private let isNoted = Atomic(false)
  /// What the signals did before.
  private let former: [(Int32, sigaction)]

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH]

  /// Begins to listen to signals. One at a time in a process; nil where the system has no pipe left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    signalPipe.store(writing, ordering: .releasing)
    former = Self.signals.map { number in
      var action = sigaction()
      var before = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = noteSignal
      #else
        action.__sigaction_handler.sa_handler = noteSignal
      #endif
      action.sa_flags = Int32(SA_RESTART)
      sigaction(number, &action, &before)
      return (number, before)
    }
  }

  deinit {
    for (number, before) in former {
      var before = before
      sigaction(number, &before, nil)
    }
    signalPipe.store(-1, ordering: .releasing)
    close(reading)
    close(writing)
  }

  /// There is something new. From any thread; many calls are one event.
  func wake() {
    if isNoted.exchange(true, ordering: .acquiringAndReleasing) { return }
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until something comes, at most so many milliseconds; below 0: for ever. A key that was pressed is no event.
  ///
  /// What ``wake()`` was called for may be looked at after this returns: nothing that is said from then on is missed.
  ///
  /// - Parameter whileReading: Called between the wait and its end; for tests.
  func wait(milliseconds: Int32 = -1, forKeys: Bool = true, whileReading: () -> Void = {}) -> Events {
    var entries = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
    var events = Events()
    // A terminal that hung up gives no key and never will.
    if entries[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { events.isToEnd = true }
    var bytes = [UInt8](repeating: 0, count: 64)
    whileReading()
    while true {
      let count = read(reading, &bytes, bytes.count)
      guard count > 0 else { break }
      for byte in bytes.prefix(count) {
        switch Int32(byte) {
        case 0: events.hasNews = true
        case SIGWINCH: events.isResized = true
        default: events.isToEnd = true
        }
      }
    }
    // After reading: of what is said before, the byte is read or was never written, and whoever waited looks now;
    // cleared before, a byte that is read with the others would leave the mark without one, and nobody would ever be
    // woken again.
    _ = isNoted.exchange(false, ordering: .acquiringAndReleasing)
    return events
  }
}

/// Where signals are noted; below 0: nowhere.
private let signalPipe = Atomic<Int32>(-1)

/// Called by the system at any instant: writes the signal's number, and leaves all else alone.
private func noteSignal(_ number: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: number)
  let descriptor = signalPipe.load(ordering: .acquiring)
  if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
  errno = code
}
