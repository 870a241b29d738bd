public import Paging
import Synchronization

// What clients ask. Every method counts as a request, and runs what is due before it.
extension DriftingServer {
  /// Rows by how many precede them.
  ///
  /// - Parameter range: Which rows; those that are not there are left out.
  /// - Returns: The rows, and the total if the server says it.
  /// - Throws: `PagingError` with the code `invalidKey` for a negative offset.
  public func rows(in range: Range<Int>) throws(PagingError) -> PageSlice<Item> {
    noteRequest(.offset, at: String(range.lowerBound), limit: range.count)
    guard range.lowerBound >= 0 else { throw Self.invalidKey("The offset \(range.lowerBound) is negative.") }
    return slice(from: range.lowerBound, limit: range.count)
  }

  /// The rows of a numbered page.
  ///
  /// - Parameters:
  ///   - number: The page's number; the first page is 1.
  ///   - size: The size of all pages; ``maxPageSize`` lowers it.
  /// - Returns: The rows, none beyond the end, and the total if the server says it.
  /// - Throws: `PagingError` with the code `invalidKey` for a number or a size below 1.
  public func page(number: Int, size: Int) throws(PagingError) -> PageSlice<Item> {
    noteRequest(.page, at: String(number), limit: size)
    guard number >= 1, size >= 1 else {
      throw Self.invalidKey("Page number \(number) or size \(size) is below 1.")
    }
    let (offset, overflows) = (number - 1).multipliedReportingOverflow(by: min(size, maxPageSize))
    return slice(from: overflows ? .max : offset, limit: size)
  }

  /// The rows at a cursor, with the cursors before and after them.
  ///
  /// A cursor names a boundary between rows, not a position: whatever comes or goes, and even if the row beside it
  /// goes, it reads on at the same place. One looks down and one up; which way the load goes makes no difference.
  ///
  /// - Parameter params: The cursor, nil for the start of the list, and how many rows.
  /// - Returns: The rows. A key is nil where no row follows, hidden ones counted.
  /// - Throws: `PagingError.cursorExpired` after ``expireCursors()``; the code `invalidKey` for a cursor that this
  ///   server never gave.
  public func page(_ params: LoadParams<String>) throws(PagingError) -> Page<String, Item> {
    noteRequest(.cursor, at: params.key, limit: params.loadSize)
    let limit = clamped(params.loadSize)
    return try state.withLock { state throws(PagingError) in
      guard let cursor = params.key else { return Self.page(0..<limit, of: &state.list) }
      guard cursor.hasPrefix(Self.cursorPrefix), let mark = Int(cursor.dropFirst(Self.cursorPrefix.count)) else {
        throw Self.invalidKey("The server gave no such cursor.")
      }
      switch state.list.find(mark: mark) {
      case .place(let rows, .after): return Self.page(rows..<Self.sum(rows, limit), of: &state.list)
      case .place(let rows, .before): return Self.page(max(0, rows - limit)..<rows, of: &state.list)
      case .expired: throw PagingError.cursorExpired
      case .unknown: throw Self.invalidKey("The server gave no such cursor.")
      }
    }
  }

  /// The rows around one of them, with the cursors before and after.
  ///
  /// - Parameters:
  ///   - id: The row in the middle, as far as the list reaches.
  ///   - limit: How many rows.
  /// - Returns: The rows, as ``page(_:)`` gives them.
  /// - Throws: `PagingError` with the code `itemNotFound` when there is no such row.
  public func page(around id: Item.ID, limit: Int) throws(PagingError) -> Page<String, Item> {
    noteRequest(.around, at: nil, limit: limit)
    let limit = clamped(limit)
    return try state.withLock { state throws(PagingError) in
      let rows = state.list.rows
      guard let index = rows.firstIndex(where: { $0.item.id == id }) else {
        throw PagingError(.itemNotFound, message: "The server has no row of that ID.")
      }
      let start = max(0, min(index - limit / 2, rows.count - limit))
      return Self.page(start..<Self.sum(start, limit), of: &state.list)
    }
  }

  /// The rows behind a sort key, in the order of their keys.
  ///
  /// - Parameters:
  ///   - key: The key of the last row that the client has, there or not; nil: from the start.
  ///   - limit: How many rows.
  ///   - sortKey: A row's key. Rows of equal keys would be lost at a boundary, so it ends with the ID.
  /// - Returns: The rows; none at the end.
  public func rows<Key: Comparable>(
    after key: Key?, limit: Int, by sortKey: (Item) -> Key
  ) -> [Item] {
    noteRequest(.keyset, at: nil, limit: limit)
    let rows = sorted(by: sortKey).drop { row in key.map { sortKey(row) <= $0 } ?? false }
    return Array(rows.prefix(clamped(limit)))
  }

  /// The rows in front of a sort key that are nearest to it, in the order of their keys.
  ///
  /// - Parameters:
  ///   - key: The key of the first row that the client has, there or not; nil: the last rows of the list.
  ///   - limit: How many rows.
  ///   - sortKey: A row's key, which ends with the ID.
  /// - Returns: The rows; none at the start.
  public func rows<Key: Comparable>(
    before key: Key?, limit: Int, by sortKey: (Item) -> Key
  ) -> [Item] {
    noteRequest(.keyset, at: nil, limit: limit)
    let rows = sorted(by: sortKey).prefix { row in key.map { sortKey(row) < $0 } ?? true }
    return Array(rows.suffix(clamped(limit)))
  }

  /// The identities of all rows that are served.
  public func ids() -> [Item.ID] {
    noteRequest(.ids, at: nil, limit: .max)
    return visibleItems.map(\.id)
  }

  /// Rows by their identities.
  ///
  /// - Parameter ids: Which rows.
  /// - Returns: Those that are there and not hidden, in list order and not in that of `ids`, as servers do it.
  public func items(_ ids: [Item.ID]) -> [Item] {
    noteRequest(.items, at: nil, limit: ids.count)
    let wanted = Set(ids)
    return visibleItems.filter { wanted.contains($0.id) }
  }

  // MARK: - Parts

  private static var cursorPrefix: String { "cursor-" }

  private static func invalidKey(_ message: String) -> PagingError { PagingError(.invalidKey, message: message) }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }

  private func clamped(_ limit: Int) -> Int { min(max(0, limit), maxPageSize) }

  private func noteRequest(_ view: DriftingRequest.View, at place: String?, limit: Int) {
    let (request, script, beforeEach) = state.withLock { state in
      let request = DriftingRequest(number: state.requests.count + 1, view: view, place: place, limit: limit)
      state.requests.append(request)
      return (request, state.script.removeValue(forKey: request.number) ?? [], state.beforeEach)
    }
    for change in script { change(self) }
    beforeEach?(self, request)
  }

  private func slice(from offset: Int, limit: Int) -> PageSlice<Item> {
    let rows = state.withLock { $0.list.rows }
    let served = rows.dropFirst(offset).prefix(clamped(limit))
    return PageSlice(served.filter { !$0.isHidden }.map(\.item), total: saysTotal ? rows.count : nil)
  }

  private func sorted<Key: Comparable>(by sortKey: (Item) -> Key) -> [Item] {
    visibleItems.sorted { sortKey($0) < sortKey($1) }
  }

  private static func page(_ range: Range<Int>, of list: inout DriftingList<Item>) -> Page<String, Item> {
    let rows = list.rows
    let range = range.clamped(to: rows.indices)
    let before = range.lowerBound > 0 ? list.mark(.before, at: range.lowerBound) : nil
    let after = range.upperBound < rows.count ? list.mark(.after, at: range.upperBound) : nil
    return Page(
      rows[range].filter { !$0.isHidden }.map(\.item), previousKey: before.map { "\(cursorPrefix)\($0)" },
      nextKey: after.map { "\(cursorPrefix)\($0)" })
  }
}
