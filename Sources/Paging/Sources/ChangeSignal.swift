import Synchronization

/// What a hand-written source tells its pagers with that its data changed.
///
/// ```swift
/// struct PostSource: PageSource {
///   let table: PostTable  // sends .everything to its signal after each write
///   func changes() -> AsyncStream<SourceChange<Post>>? { table.signal.stream() }
///   …
/// }
/// ```
///
/// Any number of streams may be open. Each hears what is sent from its making on; what it has not read is folded into
/// one change: ``SourceChange/everything`` absorbs all, ``SourceChange/items(_:)`` merge by ID, where the later copy
/// wins. All streams see the changes in one order.
///
/// Every member may be used from any thread, and none waits for a reader. Memory: for each open stream at most 1,000
/// unread items; more than that become one ``SourceChange/everything``. A stream that ended is forgotten. When the
/// signal itself is released, its streams end once they have been read.
public final class ChangeSignal<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let board: ChangeBoard<Item>

  /// A signal that nobody hears yet.
  public init() {
    board = ChangeBoard()
  }

  deinit { board.end() }

  /// Tells all streams. Copies of no item at all are not told.
  public func send(_ change: SourceChange<Item>) {
    if case .items(let items) = change.kind, items.isEmpty { return }
    board.post(change)
  }

  /// A stream of what is sent from now on.
  ///
  /// It ends when the task that reads it is cancelled, or is forgotten with its last copy and iterator. Several tasks
  /// may read one stream: each change then goes to one of them, and cancelling one of them ends it for all.
  public func stream() -> AsyncStream<SourceChange<Item>> { stream {} }

  /// A stream that says when it ended and no other was open.
  ///
  /// - Parameter whenLast: Called on the thread that ends it. Another stream may have been made since.
  func stream(whenLast: @escaping @Sendable () -> Void) -> AsyncStream<SourceChange<Item>> {
    let subscription = ChangeSubscription(board, whenLast: whenLast)
    return AsyncStream(unfolding: { await subscription.next() }, onCancel: { subscription.end() })
  }

  /// Whether a stream is open.
  var isHeard: Bool { board.isHeard }
  /// How many tasks wait for a change.
  var waitingReaders: Int { board.waitingReaders }
}

/// One stream's place at a signal, given up with the stream.
private final class ChangeSubscription<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let board: ChangeBoard<Item>
  private let id: UInt64
  private let whenLast: @Sendable () -> Void

  init(_ board: ChangeBoard<Item>, whenLast: @escaping @Sendable () -> Void) {
    self.board = board
    self.whenLast = whenLast
    id = board.open()
  }

  deinit { end() }

  func next() async -> SourceChange<Item>? { await board.next(id) }

  func end() {
    if board.close(id) { whenLast() }
  }
}

/// The streams of a signal: what each has not read, and who waits there.
private final class ChangeBoard<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  typealias Reader = CheckedContinuation<SourceChange<Item>?, Never>

  /// Where readers wait nothing is unread.
  private struct Mailbox {
    var unread = UnreadChanges<Item>()
    var readers: [Reader] = []
  }

  private struct State {
    var mailboxes: [UInt64: Mailbox] = [:]
    var nextID: UInt64 = 0
    var isOver = false
  }

  private let state = Mutex(State())

  var isHeard: Bool { state.withLock { !$0.mailboxes.isEmpty } }
  var waitingReaders: Int { state.withLock { $0.mailboxes.values.reduce(0) { $0 + $1.readers.count } } }

  func open() -> UInt64 {
    state.withLock { state in
      state.nextID += 1
      state.mailboxes[state.nextID] = Mailbox()
      return state.nextID
    }
  }

  /// Forgets a stream.
  ///
  /// - Returns: Whether it was open, and the last one.
  func close(_ id: UInt64) -> Bool {
    let (closed, isLast) = state.withLock { state in
      let closed = state.mailboxes.removeValue(forKey: id)
      return (closed, closed != nil && state.mailboxes.isEmpty)
    }
    for reader in closed?.readers ?? [] { reader.resume(returning: nil) }
    return isLast
  }

  func post(_ change: SourceChange<Item>) {
    let readers = state.withLock { state in
      var readers: [Reader] = []
      for id in state.mailboxes.keys {
        if state.mailboxes[id]?.readers.isEmpty == false {
          if let reader = state.mailboxes[id]?.readers.removeFirst() { readers.append(reader) }
        } else {
          state.mailboxes[id]?.unread.fold(change)
        }
      }
      return readers
    }
    for reader in readers { reader.resume(returning: change) }
  }

  func next(_ id: UInt64) async -> SourceChange<Item>? {
    await withCheckedContinuation { reader in
      let (isAnswered, change) = state.withLock { state -> (Bool, SourceChange<Item>?) in
        if let unread = state.mailboxes[id]?.unread.take() { return (true, unread) }
        if state.isOver || state.mailboxes[id] == nil { return (true, nil) }
        state.mailboxes[id]?.readers.append(reader)
        return (false, nil)
      }
      if isAnswered { reader.resume(returning: change) }
    }
  }

  /// Nothing will be sent any more.
  func end() {
    let readers = state.withLock { state in
      state.isOver = true
      let readers = state.mailboxes.values.flatMap(\.readers)
      for id in state.mailboxes.keys { state.mailboxes[id]?.readers = [] }
      return readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }
}
