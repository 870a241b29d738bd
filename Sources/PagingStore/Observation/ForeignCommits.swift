import Synchronization

/// Looks at an interval whether another process has committed, while anybody listens.
final class ForeignCommits: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    /// What the file said last; nil: it couldn't be read.
    var seen: Int64?
    /// Whether the last look failed, so that it is reported once.
    var isFailing = false
  }

  private let database: Database
  private let hub: ChangeHub
  private let interval: Duration?
  private let clock: any Clock<Duration>
  private let report: @Sendable (ListStoreReport) -> Void
  private let state = Mutex(State())

  /// Looks when `hub` is listened to.
  ///
  /// - Parameter interval: How often; nil: never.
  init(
    database: Database, hub: ChangeHub, interval: Duration?, clock: any Clock<Duration>,
    report: @escaping @Sendable (ListStoreReport) -> Void
  ) {
    self.database = database
    self.hub = hub
    self.interval = interval
    self.clock = clock
    self.report = report
    guard interval != nil, database.path != nil else { return }
    hub.onListening { [weak self] in self?.listeningChanged() }
  }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Looks once, now, and tells the hub where another process has committed since the last look.
  func look() {
    do throws(ListStoreError) {
      let version = try database.dataVersion()
      let isNew = state.withLock { state in
        defer {
          state.seen = version
          state.isFailing = false
        }
        return state.seen != version
      }
      guard isNew else { return }
      let sequence = try database.read { connection throws(ListStoreError) in
        try WriteTransaction.lastSequence(connection)
      }
      hub.enqueue(StoreChange(sequence: sequence, isEverything: true))
      hub.deliver()
    } catch {
      let isFirst = state.withLock { state in
        defer {
          state.seen = nil
          state.isFailing = true
        }
        return !state.isFailing
      }
      guard isFirst else { return }
      report(ListStoreReport(kind: .otherProcessesUnseen, list: nil, count: 0, message: error.message))
    }
  }

  /// Looks at the interval from now on if anybody listens, and no more if nobody does.
  ///
  /// What the hub says now decides, not what it said when it called: a call for the last listener who left may come
  /// later than that for the first one who came after him.
  func listeningChanged() {
    guard let interval else { return }
    // What was committed before anybody listened is no news to them. A file that can't be read is told of at the first
    // look.
    let version = try? database.dataVersion()
    state.withLock { state in
      guard hub.isListenedTo else {
        state.task?.cancel()
        state.task = nil
        return
      }
      guard state.task == nil else { return }
      state.seen = version
      state.task = Task.detached { [weak self, clock] in
        while !Task.isCancelled {
          do { try await clock.sleep(for: interval) } catch { return }
          guard let self, !Task.isCancelled else { return }
          self.look()
        }
      }
    }
  }
}
