public import Paging

/// Shows a stored list: rows of items, and of gaps between them.
public typealias StoredPager<Item: StoredItem> = Pager<ListKey, ListRow<Item>>

extension ListStore {
  /// A list that is filled from a page source: offline first, by ``StoredList/pager(config:at:clock:observer:)``.
  ///
  /// ```swift
  /// let pager = store.list("home", remote: feed).pager()
  /// ```
  ///
  /// The remote's keys are stored as JSON, so that a list goes on after a restart where it was left. What else the
  /// remote can do is used where it helps: `key(around:)` opens the list at an item and fills gaps from either side, a
  /// `HeadSource` fills them from below and counts what is newer, a `ChangeLogSource` catches up, an `IDListSource`
  /// gives a list of IDs whole, an `ExcludingSource` is told what was shown.
  ///
  /// - Parameters:
  ///   - name: What it goes by. Lists of different item types may have one name.
  ///   - policy: What kind of list it is.
  ///   - remote: Whom to ask for what isn't stored.
  public func list<Remote: PageSource>(
    _ name: String, policy: ListPolicy = ListPolicy(), remote: Remote
  ) -> StoredList<Remote.Item> where Remote.Item: StoredItem, Remote.Key: Codable {
    StoredList(name, policy: policy, core: core, coder: config.coder, remote: ListRemote(remote))
  }
}
