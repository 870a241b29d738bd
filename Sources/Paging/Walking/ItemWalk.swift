/// A source's rows one after the other; made by ``PageSource/items(from:pageSize:)``.
public struct ItemWalk<Key: Hashable & Sendable, Item: Identifiable & Sendable>: AsyncSequence, Sendable
where Item.ID: Sendable {
  let pages: PageWalk<Key, Item>

  /// Hands out the rows of one page, then loads the next.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pages: PageWalk<Key, Item>.AsyncIterator
    private var rows: IndexingIterator<[Item]>

    init(pages: PageWalk<Key, Item>.AsyncIterator) {
      self.pages = pages
      rows = [].makeIterator()
    }

    /// The next row; nil at the end of the list and after a failure.
    ///
    /// - Throws: Why the next page did not come, with its key; all rows of the pages before have been handed out then.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PageWalkFailure<Key>) -> Item? {
      while true {
        if let row = rows.next() { return row }
        // The page that is done is let go before the next one is loaded.
        rows = [].makeIterator()
        guard let page = try await pages.next(isolation: actor) else { return nil }
        rows = page.items.makeIterator()
      }
    }
  }

  /// An iterator that begins at the start of the walk.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator())
  }

  /// The first rows, in an array; no page is loaded that isn't needed for them.
  ///
  /// - Parameter count: How many rows at most; below 1 gives none and loads nothing.
  /// - Returns: Up to `count` rows; fewer where the list ends.
  /// - Throws: Why a page did not come. The rows before it are lost with that: iterate in order to keep them.
  public func collect(atMost count: Int) async throws(PageWalkFailure<Key>) -> [Item] {
    var collected: [Item] = []
    var iterator = makeAsyncIterator()
    while collected.count < count, let item = try await iterator.next(isolation: #isolation) {
      collected.append(item)
    }
    return collected
  }
}
