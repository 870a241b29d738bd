/// What is loaded, for a source that decides where a refresh starts.
public struct PagingState<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The loaded pages that hold rows, in list order.
  public var pages: [Page<Key, Item>]
  /// The anchor's index among the loaded rows, so 0 is the first row of the first page; nil when nothing was looked at.
  ///
  /// Outside `0..<count` where the anchor is a placeholder.
  public var anchorIndex: Int?
  /// The pager's configuration.
  public var config: PagingConfig

  /// A state, as tests of a source make one.
  public init(pages: [Page<Key, Item>], anchorIndex: Int? = nil, config: PagingConfig) {
    self.pages = pages
    self.anchorIndex = anchorIndex
    self.config = config
  }

  /// The row that is to stay in place; nil when it isn't loaded or nothing was looked at.
  public var anchorItem: Item? {
    guard let anchorIndex, let place = place(of: anchorIndex), place.isExact else { return nil }
    return pages[place.page].items[place.row]
  }

  /// The loaded row at `index`, or the nearest one; nil when nothing is loaded. Linear in the number of pages.
  public func closestItem(to index: Int) -> Item? {
    place(of: index).map { pages[$0.page].items[$0.row] }
  }

  /// The loaded row nearest to `index` that `predicate` accepts, the earlier of two. Linear in the number of rows.
  public func closestItem(to index: Int, where predicate: (Item) -> Bool) -> Item? {
    var before: (distance: Int, item: Item)?
    var row = 0
    for page in pages {
      for item in page.items {
        defer { row += 1 }
        // A row farther off than one that was accepted ends the search, since distances only grow from here.
        if row > index, let before, row - index >= before.distance { return before.item }
        guard predicate(item) else { continue }
        if row > index { return item }
        before = (index - row, item)
      }
    }
    return before?.item
  }

  /// The page that holds the loaded row at `index`, or the nearest one; nil when nothing is loaded.
  public func closestPage(to index: Int) -> Page<Key, Item>? {
    place(of: index).map { pages[$0.page] }
  }

  private func place(of index: Int) -> (page: Int, row: Int, isExact: Bool)? {
    var rest = index
    var last: Int?
    for (number, page) in pages.enumerated() where !page.items.isEmpty {
      if rest < 0 { return (number, 0, false) }
      if rest < page.items.count { return (number, rest, true) }
      rest -= page.items.count
      last = number
    }
    return last.map { ($0, pages[$0].items.count - 1, false) }
  }
}
