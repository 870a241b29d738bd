import Dispatch
import Foundation
import Synchronization

/// Listens for the user's interrupt (SIGINT) while it is held.
///
/// The first one calls back, the second ends the program at once: a walk that waits for a full pipe can't end otherwise.
/// Several may listen at a time, as a command and the trace of it.
final class Interrupts: Sendable {
  private let number: UInt64

  /// Starts to listen; `first` is called once, on another thread.
  init(_ first: @escaping @Sendable () -> Void) {
    number = InterruptSignal.shared.add(first)
  }

  deinit { InterruptSignal.shared.remove(number) }
}

/// The process's one signal, shared by all who listen: two dispatch sources of one signal hear nothing on Linux.
private final class InterruptSignal: Sendable {
  static let shared = InterruptSignal()

  private struct State {
    var listeners: [UInt64: @Sendable () -> Void] = [:]
    var nextNumber: UInt64 = 0
    var source: (any DispatchSourceSignal)?
    var count = 0
  }

  private let state = Mutex(State())

  func add(_ listener: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      if state.listeners.isEmpty { start(&state) }
      state.nextNumber += 1
      state.listeners[state.nextNumber] = listener
      return state.nextNumber
    }
  }

  func remove(_ number: UInt64) {
    state.withLock { state in
      state.listeners[number] = nil
      guard state.listeners.isEmpty else { return }
      state.source?.cancel()
      state.source = nil
      signal(SIGINT, SIG_DFL)
    }
  }

  private func start(_ state: inout State) {
    // The default action would end the program before the source hears of it.
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [weak self] in self?.came() }
    source.resume()
    state.source = source
    state.count = 0
  }

  private func came() {
    let listeners = state.withLock { state in
      state.count += 1
      return state.count == 1 ? Array(state.listeners.values) : nil
    }
    guard let listeners else { _exit(ExitCode.interrupted.rawValue) }
    for listener in listeners { listener() }
  }
}
