import Paging
import Synchronization

/// Rows around an item that share nothing with their list, where only pages tell the order: nobody knows what lies
/// between.
///
/// They are a list of their own, and the pager that is opened there shows that one. When scrolling brings a row that
/// the list has, the window is merged into it, and the pager goes on there. One that nobody shows is given up by a
/// sweep that needs room.
final class DetachedWindow<Item: StoredItem>: Sendable {
  private let list: StoredList<Item>
  private let own: StoredList<Item>
  private let item: Item.ID
  private let key: ItemKey
  private let isShown: Mutex<Bool>

  /// A window of a list around an item.
  init(around item: Item.ID, key: ItemKey, of list: StoredList<Item>) {
    self.list = list
    self.item = item
    self.key = key
    // What is newer than the newest row of the list may wait for the reader's word; what is newer here was scrolled to.
    var policy = list.policy
    policy.freshness = .prepend
    own = StoredList(
      list.id.window(around: key).name, policy: policy, core: list.core, coder: list.coder, remote: list.remote)
    // Before it is looked for, so that no sweep takes it from under the reader.
    own.core.openWindows.began(own.id)
    isShown = Mutex((try? own.core.place(of: key, in: own.id)) != nil)
  }

  deinit { own.core.openWindows.ended(own.id) }

  /// Whether the pager stands in the window.
  var isOpen: Bool { isShown.withLock { $0 } }

  /// Who asks beyond the window's edges; nil while the pager stands in the list.
  var asker: ListAsker<Item>? { isOpen ? own.asker : nil }

  /// Both lists' rows, whichever are to be shown.
  func source() -> WindowSource<Item> {
    WindowSource(list: list.pageSource(), own: own.pageSource(), window: self)
  }

  /// Takes in the first rows, and shows them.
  func open(with page: RemotePage<Item>) throws(ListStoreError) {
    try own.apply(page, for: try own.request(.around(item)))
    isShown.withLock { $0 = true }
  }

  /// Shows the rows around the item where another pager has brought them that asked for them too.
  func lookAgain() throws(ListStoreError) {
    let isThere = try own.core.place(of: key, in: own.id) != nil
    if isThere { isShown.withLock { $0 = true } }
  }

  /// Merges the window into its list, if one of the rows that came is one of the list's.
  ///
  /// - Returns: Whether it did: the list is shown from now on.
  func join(after ids: [Item.ID]) throws -> Bool {
    guard isOpen, try !list.known(ids).isEmpty else { return false }
    let request = try list.request(.around(item))
    let rows = try own.allItems()
    let facts = try own.facts()
    let whole = RemotePage(
      rows, newerToken: facts.head?.newer.token, olderToken: facts.tail?.older.token, reachedEnd: facts.endsAtTail)
    guard try list.apply(whole, for: request).refusal == nil else { return false }
    isShown.withLock { $0 = false }
    try own.core.forget(own.id)
    return true
  }
}

/// Reads the rows of a list, or those of a window beside it while that is shown.
struct WindowSource<Item: StoredItem>: PageSource {
  let list: StoredPageSource<Item>
  let own: StoredPageSource<Item>
  let window: DetachedWindow<Item>

  private var shown: StoredPageSource<Item> { window.isOpen ? own : list }

  @concurrent func load(_ params: LoadParams<ListKey>) async throws -> Page<ListKey, ListRow<Item>> {
    try await shown.load(params)
  }

  func refreshKey(for state: PagingState<ListKey, ListRow<Item>>) -> ListKey? { shown.refreshKey(for: state) }
  func key(around id: ListRow<Item>.ID) -> ListKey? { shown.key(around: id) }
  var keyKind: KeyKind { .id }

  func changes() -> AsyncStream<SourceChange<ListRow<Item>>>? {
    guard let ofList = list.changes(), let ofOwn = own.changes() else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: SourceChange<ListRow<Item>>.self)
    let tasks = [ofList, ofOwn].map { changes in
      Task { for await change in changes { continuation.yield(change) } }
    }
    continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    return stream
  }
}
