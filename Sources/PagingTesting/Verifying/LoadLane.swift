import Dispatch

/// A thread of its own for one load, to see whether the load gives it back while it waits.
final class LoadLane: TaskExecutor {
  private let queue = DispatchQueue(label: "PagingTesting.LoadLane")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Begins `load` on the lane, and returns once something else has run there: when the load has ended or waits.
  ///
  /// - Throws: ``OutOfPatience`` when the load keeps the thread for a tenth of the patience.
  static func letPass(
    _ load: @escaping @Sendable () async -> Void, within patience: Patience
  ) async throws {
    let lane = LoadLane()
    let loading = Task(executorPreference: lane) { await load() }
    defer { loading.cancel() }
    try await patience.wait(divided: 10) {
      await Task(executorPreference: lane) {}.value
    }
  }
}
