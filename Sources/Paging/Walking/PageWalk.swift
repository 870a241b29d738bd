extension PageSource {
  /// The source's pages one after the other, as a plain asynchronous sequence, without a pager.
  ///
  /// ```swift
  /// for try await page in source.pages(pageSize: 500) {
  ///   try write(page.items)
  /// }
  /// ```
  ///
  /// A page is loaded when it is asked for, not before, and only one is held. The walk follows the next keys until
  /// there is none; counts and totals are not believed, short pages are not the end, and empty ones are handed out like
  /// others. It stops with ``PagingError/Code/emptyPages`` when 8 in a row were empty and named a next one, and with
  /// ``PagingError/Code/keyCycle`` when the keys go round, unless the source allows repeated keys. Rows are not
  /// compared: where the list changes meanwhile, one may come twice.
  ///
  /// The first load is a refresh, the others are appends, all without placeholders. Loads run off the caller's
  /// actor. The sequence can be walked several times, from the start each time.
  ///
  /// - Parameters:
  ///   - key: Where to start; nil, the default: at the source's own start.
  ///   - pageSize: How many rows to ask for at a time; default 100. Below 1 stops the program with a message that names
  ///     it.
  ///   - maxPages: How many pages to load at most; nil, the default: all. Below 0 stops the program likewise.
  /// - Returns: The pages. Iterating throws ``PageWalkFailure``, which knows where to resume.
  public func pages(from key: Key? = nil, pageSize: Int = 100, maxPages: Int? = nil) -> PageWalk<Key, Item> {
    precondition(pageSize >= 1, "A page walk's pageSize is \(pageSize) and must be at least 1.")
    precondition(maxPages ?? 0 >= 0, "A page walk's maxPages is \(maxPages ?? 0) and must be at least 0.")
    return PageWalk(
      source: self,
      start: WalkState(from: key, pageSize: pageSize, maxPages: maxPages, allowsRepeatedKeys: allowsRepeatedKeys))
  }

  /// The source's rows one after the other, as a plain asynchronous sequence, without a pager.
  ///
  /// Walks as ``pages(from:pageSize:maxPages:)`` does. The next page is loaded when the last row of the one before has
  /// been used, so leaving the loop early loads nothing more.
  ///
  /// - Parameters:
  ///   - key: Where to start; nil, the default: at the source's own start.
  ///   - pageSize: How many rows to ask for at a time; default 100. Below 1 stops the program with a message that names
  ///     it.
  /// - Returns: The rows. Iterating throws ``PageWalkFailure``, which knows where to resume.
  public func items(from key: Key? = nil, pageSize: Int = 100) -> ItemWalk<Key, Item> {
    ItemWalk(pages: pages(from: key, pageSize: pageSize))
  }
}

/// A source's pages one after the other; made by ``PageSource/pages(from:pageSize:maxPages:)``.
public struct PageWalk<Key: Hashable & Sendable, Item: Identifiable & Sendable>: AsyncSequence, Sendable
where Item.ID: Sendable {
  let source: any PageSource<Key, Item>
  let start: WalkState<Key>

  /// Loads a page each time it is asked for one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: any PageSource<Key, Item>
    private var state: WalkState<Key>

    init(source: any PageSource<Key, Item>, state: WalkState<Key>) {
      self.source = source
      self.state = state
    }

    /// Loads the next page; nil at the end of the list, at `maxPages`, and after a failure.
    ///
    /// - Throws: What the load threw, or why the walk can't go on, with the key to resume from. When the task is
    ///   cancelled ``PageWalkFailure/cause`` is a `CancellationError`, whatever the source made of it.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PageWalkFailure<Key>) -> Page<Key, Item>? {
      guard let params = try state.nextLoad() else { return nil }
      do {
        try Task.checkCancellation()
        let page = try await source.load(params)
        state.pageLoaded(isEmpty: page.items.isEmpty, nextKey: page.nextKey)
        return page
      } catch {
        state.loadFailed()
        throw PageWalkFailure(resumeKey: params.key, cause: Task.isCancelled ? CancellationError() : error)
      }
    }
  }

  /// An iterator that begins at the start of the walk.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: source, state: start)
  }
}

/// Why a walk stopped before the end of the list, and from where it can go on.
public struct PageWalkFailure<Key: Hashable & Sendable>: Error, CustomStringConvertible {
  /// The key of the page that did not come; nil when that was the source's own start.
  ///
  /// A walk from here gives every row that this one had still to give. After ``PagingError/Code/keyCycle`` it is the
  /// key that came again.
  public let resumeKey: Key?
  /// What the source threw, `CancellationError` when the task was cancelled, or the walk's own ``PagingError``.
  public let cause: any Error

  /// A failure to load the page at `resumeKey`.
  public init(resumeKey: Key?, cause: any Error) {
    self.resumeKey = resumeKey
    self.cause = cause
  }

  /// Whether the walk stopped because its task was cancelled, which is no fault of the source's.
  public var isCancellation: Bool { cause is CancellationError }

  /// What happened, in one line, without the key.
  public var description: String { "The walk stopped before the end: \(cause)" }
}
