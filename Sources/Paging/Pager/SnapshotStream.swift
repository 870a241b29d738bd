import Synchronization

/// One reader's place: the newest snapshot that it has not read, or the reader itself, waiting.
final class SnapshotStream: Sendable {
  typealias Snapshot = any AnySnapshotBody

  private struct State {
    var unread: Snapshot?
    /// The version of the newest snapshot that was offered, read or not.
    var newest: UInt64
    var reader: UnsafeContinuation<Snapshot?, Never>?
    var isEnded: Bool
  }

  private let state: Mutex<State>
  private let onEnd: @Sendable () -> Void

  init(first: Snapshot, isEnded: Bool, onEnd: @escaping @Sendable () -> Void) {
    state = Mutex(State(unread: first, newest: first.version, isEnded: isEnded))
    self.onEnd = onEnd
  }

  func offer(_ snapshot: Snapshot) {
    let reader = state.withLock { state -> UnsafeContinuation<Snapshot?, Never>? in
      // Two threads may offer out of order.
      guard !state.isEnded, snapshot.version > state.newest else { return nil }
      state.newest = snapshot.version
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.unread = snapshot
      return nil
    }
    reader?.resume(returning: snapshot)
  }

  /// The next snapshot; nil at the end, or when the task that reads is cancelled.
  func next(isolation actor: isolated (any Actor)?) async -> Snapshot? {
    if let (snapshot, isOver) = readNow() { return isOver ? nil : snapshot }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { continuation in
        typealias Reader = UnsafeContinuation<Snapshot?, Never>
        let (reader, answer) = state.withLock { state -> (Reader?, Snapshot?) in
          if let unread = state.unread {
            state.unread = nil
            return (continuation, unread)
          }
          if state.isEnded || Task.isCancelled { return (continuation, nil) }
          // A second reader of one stream takes the place of the first, whose read ends.
          defer { state.reader = continuation }
          return (state.reader, nil)
        }
        reader?.resume(returning: answer)
      }
    } onCancel: {
      cancel()
    }
  }

  /// What can be read without waiting: a snapshot, or that it is over.
  private func readNow() -> (Snapshot?, isOver: Bool)? {
    if Task.isCancelled {
      cancel()
      return (nil, true)
    }
    return state.withLock { state in
      if let unread = state.unread {
        state.unread = nil
        return (unread, false)
      }
      return state.isEnded ? (nil, true) : nil
    }
  }

  /// Ends the stream; an unread snapshot can still be read.
  func end() {
    let reader = state.withLock { state in
      state.isEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// The reader went away.
  func cancel() {
    let (reader, wasLive) = state.withLock { state in
      defer {
        state.reader = nil
        state.unread = nil
        state.isEnded = true
      }
      return (state.reader, !state.isEnded)
    }
    reader?.resume(returning: nil)
    if wasLive { onEnd() }
  }
}
