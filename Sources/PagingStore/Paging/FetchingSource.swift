import Loading
import Paging

/// Reads a list of IDs page by page, and fetches the items of its rows that were never here.
///
/// The list has its full length from the start, so a pager shows placeholders for what isn't loaded and can jump
/// anywhere; a page's items are fetched when the page is. An item that the remote doesn't have leaves the list.
struct FetchingSource<Item: StoredItem>: PageSource {
  private let list: StoredList<Item>
  private let rows: StoredPageSource<Item>
  private let fetch: @Sendable ([Item.ID]) async throws -> [Item]
  private let fetches = Fetches()

  /// A source for a list of IDs; nil: the list is none, or its remote gives no items by their IDs.
  init?(_ list: StoredList<Item>) {
    guard list.policy.order == .ids, let fetch = list.remote?.items else { return nil }
    self.list = list
    self.fetch = fetch
    rows = list.pageSource()
  }

  /// Reads a page, and fetches the items that it lacks.
  ///
  /// Where that fails, the rows whose items are stored show, and the others as ``ListRow/Content/unfetched``; with none
  /// at all the load fails.
  @concurrent func load(_ params: LoadParams<ListKey>) async throws -> Page<ListKey, ListRow<Item>> {
    let page = try await rows.load(params)
    let missing = page.items.compactMap(\.unfetchedNumber)
    guard !missing.isEmpty else { return try counted(page) }
    do {
      try await fetches.running.value(for: missing) { [list, fetch] _ in
        // Without the source, whose end ends what nobody waits for.
        try await list.bring(missing, by: fetch)
      }
    } catch {
      if error is CancellationError || Task.isCancelled { throw error }
      if page.items.allSatisfy({ $0.item == nil }) { throw error }
      return try counted(page)
    }
    return try counted(try await rows.load(params))
  }

  func refreshKey(for state: PagingState<ListKey, ListRow<Item>>) -> ListKey? { rows.refreshKey(for: state) }
  func changes() -> AsyncStream<SourceChange<ListRow<Item>>>? { rows.changes() }
  func key(around id: ListRow<Item>.ID) -> ListKey? { rows.key(around: id) }
  var keyKind: KeyKind { .offset }

  /// The row at an index. Linear in the index.
  func key(forIndex index: Int) -> ListKey? {
    guard index >= 0, let row = try? list.core.row(at: index, of: list.id) else { return nil }
    return ListKey(side: .around, item: row.item, stood: nil)
  }

  private func counted(_ page: Page<ListKey, ListRow<Item>>) throws -> Page<ListKey, ListRow<Item>> {
    guard let first = page.items.first?.itemNumber, let counts = try list.core.counts(before: first, of: list.id) else {
      return page
    }
    var page = page
    page.itemsBefore = counts.before
    page.itemsAfter = max(0, counts.total - counts.before - page.items.count)
    page.total = .exact(counts.total)
    return page
  }
}

/// What one pager's source is fetching. A pager that begins anew gives its load up and asks for the same rows again: the fetch that
/// is on its way goes on, and serves both.
private final class Fetches: Sendable {
  let running = Coalescer<[Int64], Void>(lingers: true)

  deinit { running.dropAbandoned() }
}

extension ListRow {
  /// The item's number; nil: the row is a gap's.
  fileprivate var itemNumber: Int64? {
    if case .item(let number) = id.name { number } else { nil }
  }

  /// The item's number where only its ID is known.
  fileprivate var unfetchedNumber: Int64? {
    if case .unfetched = content { itemNumber } else { nil }
  }
}

extension StoredList {
  /// Fetches the items of rows and stores them.
  @concurrent fileprivate func bring(
    _ numbers: [Int64], by fetch: @Sendable ([Item.ID]) async throws -> [Item]
  ) async throws {
    let request = try request(.head)
    var ids: [Item.ID] = []
    // Some may have come since they were seen to be missing.
    for key in try core.keys(ofUnfetched: numbers) { ids.append(try key.id(as: Item.ID.self)) }
    guard !ids.isEmpty else { return }
    try takeBodies(try await fetch(ids), of: ids, asked: request)
  }

  /// Takes in items of a list of IDs. Of those that were asked for, the ones that didn't come are gone on the server.
  fileprivate func takeBodies(
    _ items: [Item], of ids: [Item.ID], asked request: ListRequest<Item>
  ) throws(ListStoreError) {
    var came = Set<Item.ID>(minimumCapacity: items.count)
    for item in items { came.insert(item.id) }
    let wanted = Set(ids)
    _ = try apply(
      RemoteChanges(
        upserts: items.filter { wanted.contains($0.id) }, deletions: ids.filter { !came.contains($0) }, token: nil,
        request: request))
  }
}

extension StoreCore {
  /// The IDs of those items of which nothing more is known, by their numbers.
  fileprivate func keys(ofUnfetched numbers: [Int64]) throws(ListStoreError) -> [ItemKey] {
    try database.read { connection throws(ListStoreError) in
      var keys: [ItemKey] = []
      for number in numbers {
        guard let item = try connection.items.find(number), item.base == nil else { continue }
        keys.append(item.key)
      }
      return keys
    }
  }

  /// How many rows stand above an item, and how many there are.
  fileprivate func counts(before item: Int64, of name: ListName) throws(ListStoreError) -> (before: Int, total: Int)? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      let order = connection.order(of: list.number)
      guard let entry = try order.entry(of: item) else { return nil }
      return (
        try order.count(above: entry.position, limit: .max), try order.count(above: .min, limit: .max)
      )
    }
  }

  /// The row at an index, counted from the newest.
  fileprivate func row(at index: Int, of name: ListName) throws(ListStoreError) -> Entry? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      let rows = try connection.order(of: list.number).entries(in: .min ... .max, limit: min(index, .max - 1) + 1)
      return rows.count > index ? rows.last : nil
    }
  }
}
