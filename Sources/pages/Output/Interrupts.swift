import Dispatch
import Foundation
import Synchronization

/// Listens for the user's interrupt (SIGINT), or other signals, while it is held.
///
/// The first one calls back, the second ends the program at once: a walk that waits for a full pipe can't end
/// otherwise. Several may listen at a time, as a command and the trace of it.
final class Interrupts: Sendable {
  private let listenings: [(signal: ListenedSignal, number: UInt64)]

  /// Starts to listen; `first` is called once, on another thread. Whatever comes from its return on is heard.
  init(_ signals: [Int32] = [SIGINT], _ first: @escaping @Sendable () -> Void) {
    listenings = signals.map { number in
      let signal = ListenedSignal.of(number)
      return (signal, signal.add(first))
    }
  }

  deinit { for (signal, number) in listenings { signal.remove(number) } }
}

/// One signal of the process, shared by all who listen: two dispatch sources of one signal hear nothing on Linux.
private final class ListenedSignal: Sendable {
  private static let all = Mutex<[Int32: ListenedSignal]>([:])

  /// The one object of that signal.
  static func of(_ signal: Int32) -> ListenedSignal {
    all.withLock { all in
      if let known = all[signal] { return known }
      let new = ListenedSignal(signal)
      all[signal] = new
      return new
    }
  }

  private struct State {
    var listeners: [UInt64: @Sendable () -> Void] = [:]
    var nextNumber: UInt64 = 0
    var source: (any DispatchSourceSignal)?
    var count = 0
  }

  private let signal: Int32
  private let state = Mutex(State())

  private init(_ signal: Int32) { self.signal = signal }

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
      Foundation.signal(signal, SIG_DFL)
    }
  }

  private func start(_ state: inout State) {
    // The default action would end the program before the source hears of it.
    Foundation.signal(signal, SIG_IGN)
    // A queue of its own, which gets a thread though all those of the pool may be busy, or wait as this one does.
    let source = DispatchSource.makeSignalSource(signal: signal, queue: DispatchQueue(label: "pages.interrupts"))
    source.setEventHandler { [weak self] in self?.came() }
    // Another thread registers the source; a signal that came before that would be lost. Should nobody tell of it, a
    // program that begins late is better than none.
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.resume()
    _ = isRegistered.wait(timeout: .now() + .seconds(5))
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
