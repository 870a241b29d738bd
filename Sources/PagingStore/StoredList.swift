/// A list that is kept in a store: made by ``ListStore/list(_:of:policy:)``, cheap, and touching no disk before it is
/// used.
///
/// ```swift
/// let home = store.list("home", of: Post.self)
/// let request = try home.request(.head)
/// let feed = try await api.feed(after: request.token)
/// try home.apply(RemotePage(feed.posts, olderToken: feed.next, reachedEnd: feed.next == nil), for: request)
/// let pager = Pager(source: home.pageSource())
/// ```
///
/// Two of one name and item type are the same list. Every member may be used from any thread; those that throw
/// ``ListStoreError`` read or write the file on the calling thread, within milliseconds unless another process holds
/// it.
public final class StoredList<Item: StoredItem>: Sendable {
  /// What kind of list it is.
  public let policy: ListPolicy
  /// What the app calls it.
  public var name: String { id.name }

  let core: StoreCore
  let coder: ItemCoder
  let id: ListName
  /// Whom it asks; nil: the app asks by itself.
  let remote: ListRemote<Item>?
  /// How it can be asked without a token.
  let ways: RemoteWays
  /// The pagers of this list that are in use.
  let pagers = PagerBook<Item>()
  /// Whether an item shows, for counts of what is new; nil: all do.
  let isVisible: (@Sendable (Item) -> Bool)?

  /// A list of a store.
  init(
    _ name: String, policy: ListPolicy, core: StoreCore, coder: ItemCoder, remote: ListRemote<Item>? = nil,
    ways: RemoteWays? = nil, isVisible: (@Sendable (Item) -> Bool)? = nil
  ) {
    id = ListName(kind: Item.storedKind, name: name)
    self.policy = policy
    self.core = core
    self.coder = coder
    self.remote = remote
    self.ways = ways ?? RemoteWays(byKey: policy.order == .keyed)
    self.isVisible = isVisible
  }

  /// Reads the list page by page, for a pager of one's own. Each pager needs one of its own.
  public func pageSource() -> StoredPageSource<Item> { StoredPageSource(self) }

  /// The identity of an item's row, for ``/Paging/PagedContent/jump(toItem:)`` and the like; nil where the item isn't
  /// stored. It is the same in all lists.
  ///
  /// - Throws: ``ListStoreError``.
  public func rowID(of id: Item.ID) throws(ListStoreError) -> ListRow<Item>.ID? {
    try core.number(of: try ItemKey(id), kind: self.id.kind).map { ListRow<Item>.ID(name: .item($0)) }
  }
}
