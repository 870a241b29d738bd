import Synchronization

/// Passes on what the screens of one content report, to whoever prepares for what they will show next.
///
/// The last report counts. Who listens isn't an observer: it starts no load and keeps nothing alive.
final class ViewportReports: Sendable {
  typealias Listener = @Sendable (_ rows: Range<Int>, _ snapshot: any AnySnapshotBody) -> Void

  private struct State {
    var listeners: [UInt64: Listener] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Says which rows a screen shows. Outside all locks.
  func tell(_ rows: Range<Int>, of snapshot: any AnySnapshotBody) {
    let listeners = state.withLock { $0.listeners.isEmpty ? [] : Array($0.listeners.values) }
    for listener in listeners { listener(rows, snapshot) }
  }

  /// Calls `listener` at each report, on the thread that reports, until what is returned goes away.
  func listen(_ listener: @escaping Listener) -> SnapshotListening {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.listeners[state.nextID] = listener
      return state.nextID
    }
    return SnapshotListening { [self] in
      // Handed out, so that it goes outside the lock.
      _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }
  }
}

extension PagingSnapshots {
  /// Calls `listener` at each report of a screen that shows this content, on the thread that reports, until what is
  /// returned goes away.
  package func listenToViewports(
    _ listener: @escaping @Sendable (_ rows: Range<Int>, _ snapshot: PagingSnapshot<Item>) -> Void
  ) -> SnapshotListening {
    hub.viewports.listen { listener($0, SnapshotHub<Item>.typed($1)) }
  }
}
