/// A source over rows that are there already: for previews, tests, and lists that fit into memory.
///
/// A key is the number of rows in front of a place. A refresh and an append load the rows behind it, a prepend the rows in
/// front of it. Counts are exact, so a pager shows placeholders for all that isn't loaded.
public struct ArrayPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private let items: [Item]

  /// A source of these rows, whose number and order stay as they are.
  public init(_ items: [Item]) {
    self.items = items
  }

  /// The rows at the key.
  ///
  /// Never throws for its arguments: a place outside the array is moved to its nearest end, where a refresh gives the
  /// last page, and a load size below 1 counts as 1.
  public func load(_ params: LoadParams<Int>) async throws -> Page<Int, Item> {
    let range = range(for: params)
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
    guard let index = index(ofAnchorIn: state) else { return nil }
    let size = state.config.initialLoadSize
    return max(0, min(index - size / 2, items.count - size))
  }

  /// ``KeyKind/offset``.
  public var keyKind: KeyKind { .offset }

  /// The index itself; nil outside the array.
  public func key(forIndex index: Int) -> Int? {
    items.indices.contains(index) ? index : nil
  }

  /// The index of the item; nil when there is none. Linear in the number of rows.
  public func key(around id: Item.ID) -> Int? {
    items.firstIndex { $0.id == id }
  }

  private func range(for params: LoadParams<Int>) -> Range<Int> {
    let size = min(max(1, params.loadSize), items.count)
    let place = min(max(0, params.key ?? 0), items.count)
    if params.type == .prepend { return max(0, place - size)..<place }
    let start = params.type == .refresh && place == items.count ? items.count - size : place
    return start..<min(start + size, items.count)
  }

  private func index(ofAnchorIn state: PagingState<Int, Item>) -> Int? {
    guard let anchorIndex = state.anchorIndex, !items.isEmpty else { return nil }
    if let anchor = state.anchorItem, let index = key(around: anchor.id) { return index }
    let (place, overflows) = (state.pages.first?.itemsBefore ?? 0).addingReportingOverflow(anchorIndex)
    return overflows ? nil : min(max(0, place), items.count - 1)
  }
}
