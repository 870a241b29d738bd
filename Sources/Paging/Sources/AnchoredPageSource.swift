/// A source for a server that gives a window around an item, with a cursor each way: a chat that opens at its first
/// unread message, a timeline that returns to where it was left.
///
/// ```swift
/// let source = AnchoredPageSource<String, Message> { id, size in
///   let window = try await api.window(around: id, size: size)  // nil: wherever the list opens
///   return Page(window.messages, previousKey: window.newer, nextKey: window.older)
/// } next: { params in
///   let page = try await api.messages(at: params.key, limit: params.loadSize)
///   return params.type == .prepend
///     ? Page(page.messages, previousKey: page.newer) : Page(page.messages, nextKey: page.older)
/// }
/// let pager = Pager(initialKey: .around(firstUnread), source: source)
/// ```
///
/// A refresh loads the window around the row at the top of the screen. Where the server says that it is gone, the
/// nearest of its neighbours that is there stands in, and where none is, the list opens as if for the first time.
public struct AnchoredPageSource<Cursor: Hashable & Sendable, Item: Identifiable & Sendable>: PageSource
where Item.ID: Sendable {
  private let loadWindow: @Sendable (Item.ID?, Int) async throws -> Page<Cursor, Item>
  private let loadPage: @Sendable (LoadParams<Cursor>) async throws -> Page<Cursor, Item>

  /// How many rows stand in for an anchor that is gone, at most.
  private static var standIns: Int { 4 }

  /// A source whose windows and pages the closures bring.
  ///
  /// What ``PageSource/load(_:)`` says holds for both.
  ///
  /// - Parameters:
  ///   - around: Loads about `loadSize` rows with the item in the middle. A nil ID asks for the place where the list
  ///     opens: its start, its newest rows, the first unread one. Throws ``PagingError/Code/itemNotFound`` where the
  ///     item is gone. The cursors of what it returns lead each way; nil ends that side.
  ///   - next: Loads the rows at the cursor `params.key`, which is never nil here; `params.type` is the side on which
  ///     the cursor was given.
  public init(
    around: @escaping @Sendable (_ id: Item.ID?, _ loadSize: Int) async throws -> Page<Cursor, Item>,
    next: @escaping @Sendable (_ params: LoadParams<Cursor>) async throws -> Page<Cursor, Item>
  ) {
    loadWindow = around
    loadPage = next
  }

  /// Calls the closure that the key is for; a nil key is the place where the list opens.
  ///
  /// - Throws: What the closure throws. For a key of ``refreshKey(for:)``, ``PagingError/Code/itemNotFound`` is
  ///   answered with the window around one of at most four neighbours of the item, then with the place where the list
  ///   opens.
  @concurrent public func load(
    _ params: LoadParams<AnchoredKey<Cursor, Item.ID>>
  ) async throws -> Page<
    AnchoredKey<Cursor, Item.ID>, Item
  > {
    switch params.key?.place {
    case nil: return keyed(try await loadWindow(nil, params.loadSize))
    case .around(let ids, let orStart):
      return keyed(try await window(aroundFirstOf: ids, orStart: orStart, size: params.loadSize))
    case .cursor(let cursor):
      return keyed(
        try await loadPage(
          LoadParams(
            params.type, key: cursor, loadSize: params.loadSize, purpose: params.purpose,
            placeholdersEnabled: params.placeholdersEnabled)))
    }
  }

  /// The window around the anchor, or around a neighbour where the anchor is gone; nil where nothing was looked at.
  ///
  /// Linear in the number of rows.
  public func refreshKey(for state: PagingState<AnchoredKey<Cursor, Item.ID>, Item>) -> AnchoredKey<Cursor, Item.ID>? {
    guard let anchorIndex = state.anchorIndex else { return nil }
    let ids = state.pages.flatMap { $0.items.map(\.id) }
    guard !ids.isEmpty else { return nil }
    let anchor = min(max(0, anchorIndex), ids.count - 1)
    var nearest = [ids[anchor]]
    for distance in 1...Self.standIns {
      // Of two rows at one distance the later one, as the pager itself would choose.
      for place in [anchor + distance, anchor - distance] where ids.indices.contains(place) {
        if nearest.count <= Self.standIns { nearest.append(ids[place]) }
      }
    }
    return AnchoredKey(.around(nearest, orStart: true))
  }

  /// ``KeyKind/cursor``.
  public var keyKind: KeyKind { .cursor }

  /// The window around the item; never nil.
  public func key(around id: Item.ID) -> AnchoredKey<Cursor, Item.ID>? { .around(id) }

  private func window(aroundFirstOf ids: [Item.ID], orStart: Bool, size: Int) async throws -> Page<Cursor, Item> {
    let asked = ids.map { Item.ID?.some($0) } + (orStart || ids.isEmpty ? [nil] : [])
    for id in asked.dropLast() {
      do {
        return try await loadWindow(id, size)
      } catch let error as PagingError where error.code == .itemNotFound {
        try Task.checkCancellation()
      }
    }
    return try await loadWindow(asked.last ?? nil, size)
  }

  private func keyed(_ page: Page<Cursor, Item>) -> Page<AnchoredKey<Cursor, Item.ID>, Item> {
    Page(
      page.items, previousKey: page.previousKey.map { .cursor($0) }, nextKey: page.nextKey.map { .cursor($0) },
      itemsBefore: page.itemsBefore, itemsAfter: page.itemsAfter, total: page.total)
  }
}
