import Dispatch
import Foundation
import Synchronization

/// Listens for the user's interrupt (SIGINT), or other signals, while it is held.
///
/// The first one calls back, the second ends the program at once: a walk that waits for a full pipe can't end otherwise.
final class Interrupts: Sendable {
  private let signals: [Int32]
  // Set once; a dispatch source may be cancelled from any thread.
  private let sources: Mutex<[any DispatchSourceSignal]>

  /// Starts to listen; `first` is called once, on another thread.
  init(_ signals: [Int32] = [SIGINT], _ first: @escaping @Sendable () -> Void) {
    let count = Counter()
    self.signals = signals
    sources = Mutex(
      signals.map { number in
        // The default action would end the program before the source hears of it.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          if count.next() == 1 { first() } else { _exit(ExitCode.interrupted.rawValue) }
        }
        source.resume()
        return source
      })
  }

  deinit {
    sources.withLock { sources in sources.forEach { $0.cancel() } }
    for number in signals { signal(number, SIG_DFL) }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }
}
