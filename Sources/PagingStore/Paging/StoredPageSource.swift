public import Paging

/// Reads a stored list page by page, without any network.
///
/// Pages are windows of the store at one moment each. What is written to the store shows by itself: fresher items in
/// place, and a new generation where rows that were loaded came, went or moved. What is written elsewhere, in other
/// lists or far from what was loaded, costs nothing. Make one for each pager, by ``StoredList/pageSource()``.
public struct StoredPageSource<Item: StoredItem>: PageSource {
  private let list: StoredList<Item>
  private let watch: WindowWatch<Item>

  init(_ list: StoredList<Item>) {
    self.list = list
    watch = WindowWatch(list)
  }

  /// Reads one page. Items that don't decode are left out and reported; see ``ListStoreReport``.
  ///
  /// - Throws: ``ListStoreError`` where the store can't be read; ``/Paging/PagingError/Code/itemNotFound`` for the key
  ///   of an item that isn't in the list, if nothing is known of where it stood.
  @concurrent public func load(_ params: LoadParams<ListKey>) async throws -> Page<ListKey, ListRow<Item>> {
    while true {
      try Task.checkCancellation()
      let reading = watch.begin(isRefresh: params.type == .refresh)
      var window: Window?
      var isOutdated = false
      do {
        defer { isOutdated = watch.ended(reading, with: window) }
        window = try read(params)
      }
      if !isOutdated { return try page(of: window) }
    }
  }

  /// The row at the top of the screen in the middle, or what stands where it stood. Linear in the number of pages.
  public func refreshKey(for state: PagingState<ListKey, ListRow<Item>>) -> ListKey? {
    guard let index = state.anchorIndex, let row = state.closestItem(to: index), var key = key(around: row.id) else {
      return nil
    }
    for distance in 1...Self.standIns {
      // The rows below first, as a reader goes on there.
      for place in [index + distance, index - distance] {
        guard case .item(let item)? = state.closestItem(to: place)?.id.name, item != key.item, !key.near.contains(item)
        else {
          continue
        }
        key.near.append(item)
      }
    }
    return key
  }

  private static var standIns: Int { 8 }

  /// What concerns the rows that were loaded.
  public func changes() -> AsyncStream<SourceChange<ListRow<Item>>>? { watch.changes() }

  /// The row in the middle.
  public func key(around id: ListRow<Item>.ID) -> ListKey? {
    switch id.name {
    case .item(let item): ListKey(side: .around, item: item, stood: watch.standing(of: item))
    case .gap(let gap): watch.row(below: gap).map { ListKey(side: .around, item: $0, stood: watch.standing(of: $0)) }
    }
  }

  /// ``/Paging/KeyKind/id``.
  public var keyKind: KeyKind { .id }

  private func read(_ params: LoadParams<ListKey>) throws -> Window? {
    let size = max(1, params.loadSize)
    guard let key = params.key else { return try list.core.window(of: list.id, at: .head, before: 0, after: size) }
    switch key.side {
    case .newer: return try list.core.window(of: list.id, at: .newer(key), before: size, after: 0)
    case .older: return try list.core.window(of: list.id, at: .older(key), before: 0, after: size)
    case .around:
      // The row is at the top of a screen, so most of what is to be seen lies below it.
      let window = try list.core.window(of: list.id, at: .around(key), before: size / 3, after: size - size / 3)
      guard window != nil || key.stood != nil else {
        throw PagingError(
          .itemNotFound, message: "The item isn't in the list “\(list.name)”: ask the remote for the rows around it.")
      }
      return window
    }
  }

  private func page(of window: Window?) throws -> Page<ListKey, ListRow<Item>> {
    guard let window, let first = window.rows.first, let last = window.rows.last else { return Page([]) }
    return Page(
      try list.rows(of: window), previousKey: window.hasNewer ? key(.newer, of: first, in: window) : nil,
      nextKey: window.hasOlder ? key(.older, of: last, in: window) : nil)
  }

  private func key(_ side: ListKey.Side, of row: Window.Row, in window: Window) -> ListKey {
    let stood = ListKey.Standing(list: window.list, epoch: window.epoch, position: row.position)
    return ListKey(side: side, item: row.item, stood: stood)
  }
}
