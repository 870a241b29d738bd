import Dispatch
import Synchronization

/// Where calls are made that block on the disk: threads of their own, so that the few that run all tasks never wait.
struct DiskThreads: Sendable {
  private let queue: DispatchQueue

  /// - Parameter isSerial: Whether one call ends before the next begins, in the order in which they were asked for.
  init(_ label: String, isSerial: Bool = false) {
    // Somebody waits for what is read, and nobody for what is written behind a load.
    queue = DispatchQueue(
      label: label, qos: isSerial ? .utility : .userInitiated, attributes: isSerial ? [] : .concurrent)
  }

  /// Makes a call and waits for its end without holding a thread; the call is told when the task that waits is
  /// cancelled.
  func run<Value: Sendable>(_ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Value) async -> Value {
    let flag = CancelFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: work { flag.isSet.load(ordering: .relaxed) }) }
      }
    } onCancel: {
      flag.isSet.store(true, ordering: .relaxed)
    }
  }

  /// Has a call made some time, after those that were asked for before where they are serial.
  func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

private final class CancelFlag: Sendable {
  let isSet = Atomic<Bool>(false)
}
