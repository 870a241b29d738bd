import Paging

/// What a stored list can ask its remote, whatever the type of the remote's keys: places are tokens.
struct ListRemote<Item: StoredItem>: Sendable {
  /// One question for a page.
  struct Question: Sendable {
    /// Which way the rows lie from the token's place; a refresh: at it.
    var type: LoadType
    /// Where; nil: the start of the list.
    var token: String?
    /// How many rows are wanted.
    var size: Int
    /// Why.
    var purpose: LoadPurpose = .visible
    /// Rows that are to be left out, for a remote that takes such.
    var excluded: [Item.ID] = []
  }

  /// Loads the page at a token.
  let page: @Sendable (Question) async throws -> RemotePage<Item>
  /// The token of the rows around an item; nil: the remote can't say, or there is none such.
  let tokenAround: @Sendable (Item.ID) throws -> String?
  /// The token with which rows that are held are read again; nil: the remote has no opinion. The row at `anchor` is in
  /// the middle.
  let tokenOfRows: @Sendable (_ rows: [Item], _ anchor: Int, _ size: Int) throws -> String?
  /// Loads what is newer than an item, in one stretch; nil: the remote can't.
  let newerThan: (@Sendable (Item, Int) async throws -> RemoteHead<Item>)?
  /// Counts what is newer than an item; nil: the remote can't.
  let countNewer: (@Sendable (Item, Int) async throws -> Total)?
  /// Loads what changed since a token; nil: the remote can't.
  let changes: (@Sendable (String?) async throws -> ChangeLogPage<Item>)?
  /// Gives all IDs; nil: the remote can't.
  let ids: (@Sendable () async throws -> [Item.ID])?
  /// Gives items by their IDs; nil: the remote can't.
  let items: (@Sendable ([Item.ID]) async throws -> [Item])?
  /// Whether it takes rows to be left out.
  let takesExclusions: Bool
  /// Whether a place in the list is a number of rows or of pages, so that a row which a page lacks may only have moved.
  let goesByPosition: Bool
  /// Whether every page must be asked for with one size.
  let hasEvenPages: Bool
}

/// What a remote said is newer than a row.
struct RemoteHead<Item: StoredItem>: Sendable {
  /// The rows, and what continues them each way.
  var page: RemotePage<Item>
  /// Whether they reach down to the row.
  var reachesRow: Bool
}

extension ListRemote {
  /// A remote that is any page source.
  init<Source: PageSource>(_ source: Source) where Source.Item == Item, Source.Key: Codable {
    let goesByPosition = source.keyKind == .offset || source.keyKind == .pageNumber
    page = { (question: Question) async throws -> RemotePage<Item> in
      let key: Source.Key? = try question.token.map { try RemoteToken.key($0) }
      let params = LoadParams(question.type, key: key, loadSize: max(1, question.size), purpose: question.purpose)
      if let excluding = source as? any ExcludingSource<Source.Key, Item>, excluding.takesExclusions {
        return try Self.remote(try await excluding.load(excluding: question.excluded, params), question.type)
      }
      var page = try Self.remote(try await source.load(params), question.type)
      page.provesAbsence = !goesByPosition
      return page
    }
    tokenAround = { (id: Item.ID) throws -> String? in
      try source.key(around: id).map { try RemoteToken.text(of: $0) }
    }
    tokenOfRows = { (rows: [Item], anchor: Int, size: Int) throws -> String? in
      let state = PagingState<Source.Key, Item>(
        pages: rows.isEmpty ? [] : [Page(rows)], anchorIndex: rows.indices.contains(anchor) ? anchor : nil,
        // So many rows above the anchor are wanted too, as there are.
        config: PagingConfig(
          pageSize: max(1, size), initialLoadSize: max(1, 2 * min(max(0, anchor), max(0, size) / 3))))
      return try source.refreshKey(for: state).map { try RemoteToken.text(of: $0) }
    }
    if let head = source as? any HeadSource<Source.Key, Item> {
      newerThan = { (item: Item, limit: Int) async throws -> RemoteHead<Item> in
        let page = try await head.newer(than: item, limit: max(1, limit))
        return RemoteHead(page: try Self.remote(page, .prepend), reachesRow: page.nextKey == nil)
      }
      countNewer = { (item: Item, limit: Int) async throws -> Total in
        try await head.countNewer(than: item, limit: limit)
      }
    } else {
      newerThan = nil
      countNewer = nil
    }
    if let log = source as? any ChangeLogSource<Source.Key, Item> {
      changes = { (token: String?) async throws -> ChangeLogPage<Item> in try await log.changes(since: token) }
    } else {
      changes = nil
    }
    if let list = source as? any IDListSource<Source.Key, Item> {
      ids = { () async throws -> [Item.ID] in try await list.allIDs() }
      items = { (ids: [Item.ID]) async throws -> [Item] in try await list.items(withIDs: ids) }
    } else {
      ids = nil
      items = nil
    }
    takesExclusions = (source as? any ExcludingSource<Source.Key, Item>)?.takesExclusions ?? false
    self.goesByPosition = goesByPosition
    hasEvenPages = source.keyKind == .pageNumber
  }

  private static func remote<Key: Encodable & Hashable & Sendable>(
    _ page: Page<Key, Item>, _ type: LoadType
  ) throws(ListStoreError) -> RemotePage<Item> {
    RemotePage(
      page.items,
      newerToken: try token(page.previousKey),
      olderToken: try token(page.nextKey),
      reachedEnd: type == .prepend ? page.previousKey == nil : page.nextKey == nil)
  }

  private static func token(_ key: (some Encodable)?) throws(ListStoreError) -> String? {
    guard let key else { return nil }
    return try RemoteToken.text(of: key)
  }
}
