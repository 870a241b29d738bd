import Synchronization

/// Hands the newest snapshot of one content to whoever reads it: by property, or by stream.
///
/// Each stream keeps the newest unread snapshot only, so a slow reader costs nothing but what it misses. A thin coat of
/// types over a ``SnapshotBoard``.
struct SnapshotHub<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let board: SnapshotBoard

  /// - Parameters:
  ///   - first: The snapshot until another is shown.
  ///   - streamsChanged: Called outside the lock when a stream begins (true) or ends (false).
  init(_ first: PagingSnapshot<Item>, streamsChanged: @escaping @Sendable (_ began: Bool) -> Void) {
    board = SnapshotBoard(first.body, streamsChanged: streamsChanged)
  }

  var latest: PagingSnapshot<Item> { Self.typed(board.latest) }

  /// What the screens of the content report.
  var viewports: ViewportReports { board.viewports }

  /// Where it belongs to a type-free state.
  var untyped: SnapshotBoard { board }

  /// Shows a snapshot to all, unless a newer one was shown already: for a content that takes snapshots outside a lock.
  func publish(_ snapshot: PagingSnapshot<Item>) {
    if board.show(snapshot.body) != nil { board.offer(snapshot.body) }
  }

  /// Passes on what a screen of the content reports; what it says of another content's snapshot is ignored.
  func viewportReported(_ rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    guard snapshot.body.origin === board.origin else { return }
    viewports.tell(rows, of: snapshot.body)
  }

  /// Lets `listener` note the newest snapshot and each one from then on, until what is returned goes away.
  func listen(_ listener: SnapshotListener<Item>) -> SnapshotListening {
    board.listen(SnapshotBoard.Listener(noted: { listener.noted(Self.typed($0)) }, told: listener.told))
  }

  /// A stream of its own, with the newest snapshot to read at once.
  func subscribe() -> SnapshotStream { board.subscribe() }

  /// Right for the snapshots of this content, which all have its type.
  @inline(__always) static func typed(_ body: any AnySnapshotBody) -> PagingSnapshot<Item> {
    PagingSnapshot(Paging.typed(body, as: SnapshotBody<Item>.self))
  }
}

/// The newest snapshot of a content, and who reads its snapshots: all of it without the items' type.
///
/// Every page passes here several times. As generic code it looked types up that often, which took a fifth of the time
/// of a page.
final class SnapshotBoard: Sendable {
  /// Hears of every snapshot: see ``SnapshotListener``.
  struct Listener: Sendable {
    let noted: @Sendable (any AnySnapshotBody) -> Void
    let told: @Sendable (_ isOver: Bool) -> Void
  }

  private struct State {
    var latest: any AnySnapshotBody
    var streams: [UInt64: SnapshotStream] = [:]
    var listeners: [UInt64: Listener] = [:]
    var nextID: UInt64 = 0
    var isEnded = false
  }

  /// Whose snapshots these are.
  let origin: SnapshotOrigin
  /// What the screens of the content report.
  let viewports = ViewportReports()
  private let state: Mutex<State>
  /// Called outside the lock when a stream begins (true) or ends (false).
  private let streamsChanged: @Sendable (_ began: Bool) -> Void

  init(_ first: any AnySnapshotBody, streamsChanged: @escaping @Sendable (_ began: Bool) -> Void) {
    origin = first.origin
    state = Mutex(State(latest: first))
    self.streamsChanged = streamsChanged
  }

  var latest: any AnySnapshotBody { state.withLock { $0.latest } }

  /// Makes a snapshot the newest one, unless a newer one is; listeners note it.
  ///
  /// To be called under the lock that the snapshot was taken under, and followed by ``offer(_:)`` outside it. So
  /// whoever learns that something happened, by `settled()` or a command's end, finds it in the newest snapshot.
  ///
  /// - Returns: What it replaced, to be let go outside the lock, since rows may die with it; nil where it is not shown.
  func show(_ snapshot: any AnySnapshotBody) -> (any AnySnapshotBody)? {
    state.withLock { state in
      guard snapshot.version > state.latest.version else { return nil }
      defer { state.latest = snapshot }
      if !state.listeners.isEmpty { for listener in state.listeners.values { listener.noted(snapshot) } }
      return state.latest
    }
  }

  /// Hands a snapshot that was shown to the streams, and lets listeners go on. Outside all locks.
  func offer(_ snapshot: any AnySnapshotBody) {
    let (streams, listeners) = state.withLock { state in
      (
        state.streams.isEmpty ? [] : Array(state.streams.values),
        state.listeners.isEmpty ? [] : Array(state.listeners.values)
      )
    }
    for stream in streams { stream.offer(snapshot) }
    for listener in listeners { listener.told(false) }
  }

  /// Lets `listener` note the newest snapshot and each one from then on, until what is returned goes away.
  func listen(_ listener: Listener) -> SnapshotListening {
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
  func subscribe() -> SnapshotStream {
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
    let (streams, listeners, latest) = state.withLock { state in
      state.isEnded = true
      defer {
        state.streams = [:]
        state.listeners = [:]
      }
      return (Array(state.streams.values), Array(state.listeners.values), state.latest)
    }
    for stream in streams {
      // Who showed it may not have offered it yet.
      stream.offer(latest)
      stream.end()
    }
    for listener in listeners { listener.told(true) }
  }
}
