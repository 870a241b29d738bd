/// A source for a server that gives all IDs of a list at once and items by their IDs, from two closures.
///
/// ```swift
/// let source = IDListPageSource<Post> {
///   try await api.postIDs()
/// } items: { ids in
///   try await api.posts(withIDs: ids)
/// }
/// ```
///
/// The IDs are read once for each generation: at its first load, before the items of that page. All its other loads go
/// by the same list, which their keys carry, so no row repeats or is skipped however the server's list changes
/// meanwhile, and a refresh that fails half-way leaves the shown rows on their own list. A refresh finds its anchor by
/// ID and loads around it, wherever it has gone.
///
/// Items may come in any order. One that doesn't come is left out: it is no row, and its placeholder goes when its page
/// is loaded. Others that were not asked for are ignored. Counts are those of the list of IDs, so they are exact but
/// for items that turn out to be missing, and a pager shows placeholders for all that isn't loaded.
///
/// The source keeps no state. Memory: the IDs, for as long as a generation has keys of their list.
public struct IDListPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  let idsPerCall: Int
  let idsNow: @Sendable () async throws -> [Item.ID]
  let itemsNow: @Sendable ([Item.ID]) async throws -> [Item]

  /// A source of the items that `items` brings, in the order that `ids` says.
  ///
  /// What ``PageSource/load(_:)`` says of blocking and of cancellation holds for both closures.
  ///
  /// - Parameters:
  ///   - idsPerCall: How many IDs `items` is asked for at most, since servers cap that; default 100. A page is no
  ///     longer, whatever its load size. Below 1 stops the program with a message that names it.
  ///   - ids: All IDs, in list order. Of equal ones the first counts.
  ///   - items: The items of these IDs, of which there is at least one.
  public init(
    idsPerCall: Int = 100, ids: @escaping @Sendable () async throws -> [Item.ID],
    items: @escaping @Sendable (_ ids: [Item.ID]) async throws -> [Item]
  ) {
    precondition(idsPerCall >= 1, "An ID list source's idsPerCall is \(idsPerCall) and must be at least 1.")
    self.idsPerCall = idsPerCall
    idsNow = ids
    itemsNow = items
  }

  /// Reads the IDs where a generation begins, and the items of one page.
  ///
  /// Never throws for its key: a place outside the list is moved to its nearest end. Linear in the number of IDs at a
  /// refresh.
  ///
  /// - Throws: What the closures throw, and `CancellationError` between them.
  @concurrent public func load(
    _ params: LoadParams<IDListKey<Item.ID>>
  ) async throws -> Page<
    IDListKey<Item.ID>, Item
  > {
    let list: IDListReading<Item.ID>
    if params.type != .refresh, let known = params.key?.list {
      list = known
    } else {
      list = IDListReading(try await idsNow())
      try Task.checkCancellation()
    }
    let range = positions(for: params, in: list.ids)
    return Page(
      try await items(of: Array(list.ids[range])),
      previousKey: range.lowerBound > 0 ? IDListKey(range.lowerBound, in: list) : nil,
      nextKey: range.upperBound < list.ids.count ? IDListKey(range.upperBound, in: list) : nil,
      itemsBefore: range.lowerBound,
      itemsAfter: list.ids.count - range.upperBound,
      total: .exact(list.ids.count))
  }

  /// The anchor's ID, and the place that it has now for where it is gone by then.
  public func refreshKey(for state: PagingState<IDListKey<Item.ID>, Item>) -> IDListKey<Item.ID>? {
    guard let place = state.anchorPlace else { return nil }
    if let anchor = state.anchorItem { return IDListKey(place, around: anchor.id) }
    return IDListKey(max(0, place - state.config.initialLoadSize / 2))
  }

  /// ``KeyKind/offset``.
  public var keyKind: KeyKind { .offset }

  /// The index itself; nil below zero. Beyond the end the list's last page comes.
  public func key(forIndex index: Int) -> IDListKey<Item.ID>? {
    index >= 0 ? IDListKey(index) : nil
  }

  /// A key that finds the item when the IDs are read; never nil.
  public func key(around id: Item.ID) -> IDListKey<Item.ID>? {
    IDListKey(0, around: id)
  }

  private func positions(for params: LoadParams<IDListKey<Item.ID>>, in ids: [Item.ID]) -> Range<Int> {
    let size = min(max(1, params.loadSize), idsPerCall)
    var place = min(max(0, params.key?.position ?? 0), ids.count)
    if params.type == .refresh, let item = params.key?.item {
      place = max(0, min((ids.firstIndex(of: item) ?? place) - size / 2, ids.count - size))
    }
    return params.type.positions(at: place, size: size, count: ids.count)
  }

  private func items(of ids: [Item.ID]) async throws -> [Item] {
    guard !ids.isEmpty else { return [] }
    let found = try await itemsNow(ids)
    let items = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { items[$0] }
  }
}
