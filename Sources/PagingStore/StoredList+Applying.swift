extension StoredList {
  /// Notes that a question leaves for the server now.
  ///
  /// To be called before asking, as what is written in between decides how far the answer is trusted. Ask with
  /// ``ListRequest/token``, or where that is nil, by ``ListRequest/boundary``. Where nothing is stored, the rows beyond
  /// an edge are the newest ones.
  ///
  /// - Throws: ``ListStoreError``; `notFound` for a gap that is no more.
  public func request(_ kind: ListRequest<Item>.Kind) throws(ListStoreError) -> ListRequest<Item> {
    let core = try core.request(kind.plain, of: id, policy: policy)
    return ListRequest(
      kind: kind, boundary: try core.boundary?.id(as: Item.ID.self), bound: try core.bound?.id(as: Item.ID.self),
      core: core)
  }

  /// Takes in what a server answered: items, order, and what continues it, in one transaction.
  ///
  /// - Parameters:
  ///   - page: The answer.
  ///   - request: What it answers.
  /// - Returns: What it changed in this list. An answer that was too late for the order is no error, but
  ///   ``MergeOutcome/wasStale``.
  /// - Throws: ``ListStoreError``, with nothing changed; `coding` for an item that can't be encoded, or that lacks the
  ///   sort key which this list's order goes by.
  @discardableResult
  public func apply(
    _ page: RemotePage<Item>, for request: ListRequest<Item>
  ) throws(ListStoreError) -> MergeOutcome {
    try core.apply(try stored(page), for: request.core, to: id, policy: policy)
  }

  /// Puts a page in the place of all that the list holds, in one transaction. The items stay stored.
  ///
  /// - Parameters:
  ///   - page: The rows of the list from now on: pages that were gathered are one.
  ///   - request: The request for the head that began it; rows that came since by other ways are given up too.
  /// - Throws: As ``apply(_:for:)``.
  @discardableResult
  func replace(
    with page: RemotePage<Item>, for request: ListRequest<Item>
  ) throws(ListStoreError) -> MergeOutcome {
    try core.replace(with: try stored(page), for: request.core, in: id, policy: policy)
  }

  /// Shows a page as an order of its own from now on, and keeps the rows that were shown: one transaction. For lists
  /// whose order is another one in each session.
  ///
  /// - Parameters:
  ///   - page: The rows: pages that were gathered are one.
  ///   - request: The request for the head that began it.
  ///   - session: The server's name for the session.
  ///   - until: When it ends, in milliseconds since 1970.
  /// - Throws: As ``apply(_:for:)``.
  @discardableResult
  func switchOver(
    to page: RemotePage<Item>, for request: ListRequest<Item>, session: String? = nil, until: Int64? = nil
  ) throws(ListStoreError) -> MergeOutcome {
    try core.switchOver(
      to: try stored(page), for: request.core, in: id, policy: policy, session: session, until: until)
  }

  /// A page as the store takes it.
  func stored(_ page: RemotePage<Item>) throws(ListStoreError) -> StorePage {
    var items: [StoreItem] = []
    items.reserveCapacity(page.items.count)
    for item in page.items { items.append(try stored(item)) }
    return StorePage(
      items: items, newerToken: page.newerToken, olderToken: page.olderToken, reachedEnd: page.reachedEnd,
      reachedBound: page.reachedBound, provesAbsence: page.provesAbsence)
  }

  /// An item as the store takes it, for this list.
  func stored(_ item: Item) throws(ListStoreError) -> StoreItem {
    let key = try ItemKey(item.id)
    var sortBytes: SortBytes?
    if policy.order == .keyed {
      guard let sortKey = item.sortKey else {
        throw ListStoreError(
          .coding,
          message: "The list “\(name)” is keyed, and item \(key.text) has no sortKey. Give it one, or use .cursor.")
      }
      sortBytes = SortBytes(sortKey, tieBreak: key)
    }
    return StoreItem(key: key, blob: try coder.encode(item), version: item.version, sortBytes: sortBytes)
  }
}

extension ListRequest.Kind {
  /// What it is without types.
  fileprivate var plain: StoreCore.RequestKind {
    get throws(ListStoreError) {
      switch name {
      case .head: .head
      case .olderThanAll: .olderThanAll
      case .newerThanAll: .newerThanAll
      case .older(let gap): .older(gap)
      case .newer(let gap): .newer(gap)
      case .around(let id): .around(try ItemKey(id))
      }
    }
  }
}
