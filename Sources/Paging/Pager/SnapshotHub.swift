import Synchronization

/// Hands the newest snapshot of one content to whoever reads it: by property, or by stream.
///
/// Each stream keeps the newest unread snapshot only, so a slow reader costs nothing but what it misses.
final class SnapshotHub<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    var latest: PagingSnapshot<Item>
    var streams: [UInt64: SnapshotStream<Item>] = [:]
    var listeners: [UInt64: SnapshotListener<Item>] = [:]
    var nextID: UInt64 = 0
    var isEnded = false
  }

  /// What the screens of the content report.
  let viewports = ViewportReports<Item>()
  private let state: Mutex<State>
  /// Called outside the lock when a stream begins (true) or ends (false).
  private let streamsChanged: @Sendable (_ began: Bool) -> Void

  init(_ first: PagingSnapshot<Item>, streamsChanged: @escaping @Sendable (_ began: Bool) -> Void) {
    state = Mutex(State(latest: first))
    self.streamsChanged = streamsChanged
  }

  var latest: PagingSnapshot<Item> { state.withLock { $0.latest } }

  /// Makes a snapshot the newest one, unless a newer one is; listeners note it.
  ///
  /// To be called under the lock that the snapshot was taken under, and followed by ``offer(_:)`` outside it. So whoever
  /// learns that something happened, by `settled()` or a command's end, finds it in the newest snapshot.
  ///
  /// - Returns: What it replaced, to be let go outside the lock, since rows may die with it; nil where it is not shown.
  func show(_ snapshot: PagingSnapshot<Item>) -> PagingSnapshot<Item>? {
    state.withLock { state in
      guard snapshot.version > state.latest.version else { return nil }
      defer { state.latest = snapshot }
      for listener in state.listeners.values { listener.noted(snapshot) }
      return state.latest
    }
  }

  /// Hands a snapshot that was shown to the streams, and lets listeners go on. Outside all locks.
  func offer(_ snapshot: PagingSnapshot<Item>) {
    let (streams, listeners) = state.withLock { state in
      (
        state.streams.isEmpty ? [] : Array(state.streams.values),
        state.listeners.isEmpty ? [] : Array(state.listeners.values)
      )
    }
    for stream in streams { stream.offer(snapshot) }
    for listener in listeners { listener.told(false) }
  }

  /// Shows a snapshot to all, unless a newer one was shown already: for a content that takes snapshots outside a lock.
  func publish(_ snapshot: PagingSnapshot<Item>) {
    if show(snapshot) != nil { offer(snapshot) }
  }

  /// Passes on what a screen of the content reports; what it says of another content's snapshot is ignored.
  func viewportReported(_ rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    guard snapshot.body.origin === latest.body.origin else { return }
    viewports.tell(rows, of: snapshot)
  }

  /// Lets `listener` note the newest snapshot and each one from then on, until what is returned goes away.
  func listen(_ listener: SnapshotListener<Item>) -> SnapshotListening {
    let (id, isEnded) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      listener.noted(state.latest)
      if !state.isEnded { state.listeners[id] = listener }
      return (id, state.isEnded)
    }
    listener.told(isEnded)
    return SnapshotListening { [self] in
      _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }
  }

  /// A stream of its own, with the newest snapshot to read at once.
  func subscribe() -> SnapshotStream<Item> {
    let (stream, isLive) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      let stream = SnapshotStream(first: state.latest, isEnded: state.isEnded) { [weak self] in self?.ended(id) }
      if !state.isEnded { state.streams[id] = stream }
      return (stream, !state.isEnded)
    }
    if isLive { streamsChanged(true) }
    return stream
  }

  private func ended(_ id: UInt64) {
    let wasThere = state.withLock { $0.streams.removeValue(forKey: id) != nil }
    if wasThere { streamsChanged(false) }
  }

  /// Ends all streams, after what they have not read yet.
  func end() {
    let (streams, listeners) = state.withLock { state in
      state.isEnded = true
      defer {
        state.streams = [:]
        state.listeners = [:]
      }
      return (Array(state.streams.values), Array(state.listeners.values))
    }
    for stream in streams { stream.end() }
    for listener in listeners { listener.told(true) }
  }
}

/// One reader's place: the newest snapshot that it has not read, or the reader itself, waiting.
final class SnapshotStream<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    var unread: PagingSnapshot<Item>?
    /// The version of the newest snapshot that was offered, read or not.
    var newest: UInt64
    var reader: UnsafeContinuation<PagingSnapshot<Item>?, Never>?
    var isEnded: Bool
  }

  private let state: Mutex<State>
  private let onEnd: @Sendable () -> Void

  init(first: PagingSnapshot<Item>, isEnded: Bool, onEnd: @escaping @Sendable () -> Void) {
    state = Mutex(State(unread: first, newest: first.version, isEnded: isEnded))
    self.onEnd = onEnd
  }

  func offer(_ snapshot: PagingSnapshot<Item>) {
    let reader = state.withLock { state -> UnsafeContinuation<PagingSnapshot<Item>?, Never>? in
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
  func next(isolation actor: isolated (any Actor)?) async -> PagingSnapshot<Item>? {
    if let (snapshot, isOver) = readNow() { return isOver ? nil : snapshot }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { continuation in
        typealias Reader = UnsafeContinuation<PagingSnapshot<Item>?, Never>
        let (reader, answer) = state.withLock { state -> (Reader?, PagingSnapshot<Item>?) in
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
  private func readNow() -> (PagingSnapshot<Item>?, isOver: Bool)? {
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
