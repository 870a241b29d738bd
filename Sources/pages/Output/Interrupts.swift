import Dispatch
import Foundation
import Synchronization

/// Listens for the user's interrupt (SIGINT) while it is held.
///
/// The first one calls back, the second ends the program at once: a walk that waits for a full pipe can't end otherwise.
final class Interrupts: Sendable {
  // Set once; a dispatch source may be cancelled from any thread.
  private let source: Mutex<any DispatchSourceSignal>

  /// Starts to listen; `first` is called once, on another thread.
  init(_ first: @escaping @Sendable () -> Void) {
    // The default action would end the program before the source hears of it.
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    let count = Mutex(0)
    source.setEventHandler {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { first() } else { _exit(ExitCode.interrupted.rawValue) }
    }
    source.resume()
    self.source = Mutex(source)
  }

  deinit {
    source.withLock { $0.cancel() }
    signal(SIGINT, SIG_DFL)
  }
}
