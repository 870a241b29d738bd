/// A source over rows that are there already: for previews, tests, and lists that fit into memory.
///
/// A key is the number of rows in front of a place. A refresh and an append load the rows behind it, a prepend the rows
/// in front of it. Counts are exact, so a pager shows placeholders for all that isn't loaded.
public struct ArrayPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private enum Rows: Sendable {
    case fixed([Item])
    case updated(ArrayFeed<Item>)
  }

  private let rows: Rows

  /// A source of these rows, whose number and order stay as they are.
  public init(_ items: [Item]) {
    rows = .fixed(items)
  }

  /// A source of the newest array of an asynchronous sequence: a query that is observed, a list that another part of
  /// the app keeps.
  ///
  /// The first load waits for the first array, so a screen shows that it is loading, not that there is nothing. Each
  /// array after that starts a new generation around the row on screen. A generation reads one array from beginning to
  /// end; a refresh begins with the newest one, and arrays in between are passed over.
  ///
  /// A sequence that ends leaves the newest array; where there was none the list is empty. One that throws makes
  /// refreshes fail with its error from then on, and the rows stay.
  ///
  /// The sequence is iterated once, by whichever load or pager comes first, until all pagers that used this source are
  /// closed or the source is released. Memory: two arrays.
  ///
  /// - Parameter updates: The arrays; each is the whole list.
  public init<Updates: AsyncSequence & Sendable>(updates: Updates) where Updates.Element == [Item] {
    rows = .updated(ArrayFeed(updates))
  }

  /// The rows at the key.
  ///
  /// Never throws for its arguments: a place outside the array is moved to its nearest end, where a refresh gives the
  /// last page, and a load size below 1 counts as 1.
  ///
  /// - Throws: Of a sequence of arrays, what it threw, and `CancellationError` where the wait for the first was
  ///   cancelled.
  @concurrent public func load(_ params: LoadParams<Int>) async throws -> Page<Int, Item> {
    let items =
      switch rows {
      case .fixed(let items): items
      case .updated(let feed): try await feed.items(for: params.type)
      }
    let range = params.type.positions(at: params.key ?? 0, size: params.loadSize, count: items.count)
    return Page(
      Array(items[range]),
      previousKey: range.lowerBound > 0 ? range.lowerBound : nil,
      nextKey: range.upperBound < items.count ? range.upperBound : nil,
      itemsBefore: range.lowerBound,
      itemsAfter: items.count - range.upperBound,
      total: .exact(items.count))
  }

  /// A key whose page has the anchor in its middle, as far as the array reaches.
  ///
  /// The anchor is found again by its identity, else by its place. Linear in the number of rows.
  public func refreshKey(for state: PagingState<Int, Item>) -> Int? {
    let items = newest
    guard !items.isEmpty, let place = state.anchorPlace else { return nil }
    let anchor = state.anchorItem.flatMap { anchor in items.firstIndex { $0.id == anchor.id } }
    let size = state.config.initialLoadSize
    return max(0, min((anchor ?? min(place, items.count - 1)) - size / 2, items.count - size))
  }

  /// Of a sequence of arrays, each one after the first; else nothing ever changes.
  public func changes() -> AsyncStream<SourceChange<Item>>? {
    if case .updated(let feed) = rows { feed.changes() } else { nil }
  }

  /// ``KeyKind/offset``.
  public var keyKind: KeyKind { .offset }

  /// The index itself; nil outside the array.
  public func key(forIndex index: Int) -> Int? {
    newest.indices.contains(index) ? index : nil
  }

  /// The index of the item; nil when there is none. Linear in the number of rows.
  public func key(around id: Item.ID) -> Int? {
    newest.firstIndex { $0.id == id }
  }

  /// What a refresh would read; empty before the first array of a sequence.
  private var newest: [Item] {
    switch rows {
    case .fixed(let items): items
    case .updated(let feed): feed.newest ?? []
    }
  }
}
