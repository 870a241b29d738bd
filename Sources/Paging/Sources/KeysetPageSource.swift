/// A source for a server that gives the rows behind a sort key, from a closure.
///
/// The key of the next page is made of the last row: its sort value **and** its ID, since rows may share a value. A
/// place made of values stays where it is, whatever rows come or go, and whether its own row is still there or not; so
/// nothing repeats and nothing is skipped. A row whose sort value changes moves, and may come twice or not at all.
///
/// ```swift
/// struct PostKey: Hashable, Sendable {
///   var date: Date
///   var id: Int
/// }
///
/// let source = KeysetPageSource { (post: Post) in PostKey(date: post.date, id: post.id) } load: { params in
///   try await api.posts(after: params.key, limit: params.loadSize)
/// }
/// ```
///
/// A short page is not the end of the list; an empty one is, or one whose ``PageSlice/hasMore`` is false. Without
/// `loadBefore` the source only reads down; a pager still goes back to pages that it dropped, by the keys that it
/// loaded them with, and a row that came into such a page meanwhile pushes its last row out of sight until a refresh.
public struct KeysetPageSource<Key: Hashable & Sendable, Item: Identifiable & Sendable>: PageSource
where Item.ID: Sendable {
  private let key: @Sendable (Item) -> Key
  private let loadAfter: @Sendable (LoadParams<Key>) async throws -> PageSlice<Item>
  private let loadBefore: (@Sendable (LoadParams<Key>) async throws -> PageSlice<Item>)?

  /// A source whose rows `load` brings.
  ///
  /// - Parameters:
  ///   - key: A row's sort value and ID, in one value; a key path to it will do.
  ///   - load: Loads rows behind `params.key` in list order, from the start of the list where it is nil; none at the
  ///     end. What ``PageSource/load(_:)`` says holds for it.
  public init(
    key: @escaping @Sendable (_ item: Item) -> Key,
    load: @escaping @Sendable (_ params: LoadParams<Key>) async throws -> [Item]
  ) {
    self.key = key
    loadAfter = { PageSlice(try await load($0)) }
    loadBefore = nil
  }

  /// A source that reads both ways.
  ///
  /// - Parameters:
  ///   - key: A row's sort value and ID, in one value; a key path to it will do.
  ///   - load: Loads rows behind `params.key` in list order, from the start of the list where it is nil; none at the
  ///     end. What ``PageSource/load(_:)`` says holds for it.
  ///   - loadBefore: Loads the rows in front of `params.key`, which is never nil, that are nearest to it, in list order
  ///     like all others; none at the start.
  public init(
    key: @escaping @Sendable (_ item: Item) -> Key,
    load: @escaping @Sendable (_ params: LoadParams<Key>) async throws -> [Item],
    loadBefore: @escaping @Sendable (_ params: LoadParams<Key>) async throws -> [Item]
  ) {
    self.key = key
    loadAfter = { PageSlice(try await load($0)) }
    self.loadBefore = { PageSlice(try await loadBefore($0)) }
  }

  /// A source for a server that says whether more rows follow, or how many there are.
  ///
  /// The first spares the request that finds nothing at the end. A total is shown and makes no placeholders, since a
  /// key names no position.
  ///
  /// - Parameters:
  ///   - key: A row's sort value and ID, in one value; a key path to it will do.
  ///   - load: As above. An empty slice that has more to follow is a failure, since there is no row to go on from.
  ///   - loadBefore: As above, where ``PageSlice/hasMore`` says whether rows precede; default nil: the source only
  ///     reads down.
  public init(
    key: @escaping @Sendable (_ item: Item) -> Key,
    load: @escaping @Sendable (_ params: LoadParams<Key>) async throws -> PageSlice<Item>,
    loadBefore: (@Sendable (_ params: LoadParams<Key>) async throws -> PageSlice<Item>)? = nil
  ) {
    self.key = key
    loadAfter = load
    self.loadBefore = loadBefore
  }

  /// Calls the closure, and makes the keys of what it returns.
  ///
  /// A refresh by a key with nothing behind it makes two more requests where the source reads both ways, and gives the
  /// key's own row if it is there.
  ///
  /// - Throws: ``PagingError/Code/invalidKey`` for a prepend without `loadBefore`, and for an empty slice that has more
  ///   to follow; what the closure throws.
  @concurrent public func load(_ params: LoadParams<Key>) async throws -> Page<Key, Item> {
    if params.type == .prepend {
      guard let loadBefore else { throw Self.noWayBack }
      let slice = try await loadBefore(params)
      return Page(
        slice.items, previousKey: try goesOn(slice) ? slice.items.first.map(key) : nil,
        nextKey: slice.items.last.map(key) ?? params.key, total: total(slice))
    }
    let slice = try await loadAfter(params)
    if params.type == .refresh, slice.items.isEmpty, slice.hasMore != true, let page = try await lastPage(params) {
      return page
    }
    let hasBefore = loadBefore != nil && params.key != nil
    return Page(
      slice.items, previousKey: hasBefore ? slice.items.first.map(key) ?? params.key : nil,
      nextKey: try goesOn(slice) ? slice.items.last.map(key) : nil, total: total(slice))
  }

  /// What is behind the row before a key with nothing behind it: the key's own row, which no prepend would bring.
  ///
  /// - Returns: Nil where the source doesn't read up, or nothing is there.
  private func lastPage(_ params: LoadParams<Key>) async throws -> Page<Key, Item>? {
    guard let loadBefore, let key = params.key else { return nil }
    func asked(_ type: LoadType, _ key: Key?) -> LoadParams<Key> {
      LoadParams(
        type, key: key, loadSize: params.loadSize, purpose: params.purpose,
        placeholdersEnabled: params.placeholdersEnabled)
    }
    let before = try await loadBefore(asked(.prepend, key)).items.last.map(self.key)
    let slice = try await loadAfter(asked(.refresh, before))
    guard let first = slice.items.first else { return nil }
    let next = try goesOn(slice) ? slice.items.last.map(self.key) : nil
    // That nothing is behind the key is known already.
    return Page(
      slice.items, previousKey: self.key(first), nextKey: next == key ? nil : next, total: total(slice))
  }

  /// The key of a row half a page in front of the anchor, for a source that reads both ways; no opinion otherwise.
  public func refreshKey(for state: PagingState<Key, Item>) -> Key? {
    guard loadBefore != nil, let anchor = state.anchorIndex else { return nil }
    let (place, overflows) = anchor.subtractingReportingOverflow(max(1, state.config.initialLoadSize / 2))
    guard !overflows, place >= 0 else { return nil }
    return state.closestItem(to: place).map(key)
  }

  /// ``KeyKind/keyset``.
  public var keyKind: KeyKind { .keyset }

  /// Whether rows follow in the direction that was read.
  private func goesOn(_ slice: PageSlice<Item>) throws(PagingError) -> Bool {
    if slice.items.isEmpty, slice.hasMore == true { throw Self.nothingToGoOnFrom }
    return slice.hasMore ?? true
  }

  private func total(_ slice: PageSlice<Item>) -> Total? {
    slice.total.flatMap { $0 < 0 ? nil : .exact($0) }
  }

  private static var noWayBack: PagingError {
    PagingError(
      .invalidKey, message: "The source only reads down: it was made without loadBefore, and gives no previous keys.")
  }

  private static var nothingToGoOnFrom: PagingError {
    PagingError(
      .invalidKey,
      message: "The server says that more rows follow and gave none, so there is no row to make the next key of. "
        + "A server that leaves rows out after it has cut the page needs a cursor of its own: use CursorPageSource.")
  }
}
