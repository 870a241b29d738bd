import Loading
public import Paging

extension StoredList {
  /// A pager of this list, which shows what is stored at once and asks the remote for the rest.
  ///
  /// Without a connection the list shows as it was left, and its edges say that they failed; `retry` goes on when there
  /// is one. A list without a remote shows what the app applies. Each pager stands at a place of its own.
  ///
  /// - Parameters:
  ///   - config: Sizes, limits and policies. Its sizes are asked of the remote too.
  ///   - entry: Where the list is opened. An item that isn't stored is asked for, with the rows around it; until it is
  ///     there nothing shows, and where the remote can't be asked or doesn't have it, the pager says so.
  ///   - clock: What retries, graces and durations are measured on.
  ///   - observer: Hears what the pager does.
  public func pager(
    config: PagingConfig = PagingConfig(), at entry: ListEntry<Item.ID> = .savedPosition,
    clock: any Clock<Duration> = ContinuousClock(), observer: PagingObserver? = nil
  ) -> StoredPager<Item> {
    let opening = opening(at: entry)
    let mediator = asker.map { StoredMediator($0, policy: policy, entry: opening.entry, window: opening.window) }
    let pager: StoredPager<Item>
    if let window = opening.window {
      pager = StoredPager<Item>(
        config: config, initialKey: opening.key, mediator: mediator, clock: clock, observer: observer,
        source: window.source())
    } else if let fetching = FetchingSource(self) {
      pager = StoredPager<Item>(
        config: config, initialKey: opening.key, mediator: mediator, clock: clock, observer: observer, source: fetching)
    } else {
      pager = StoredPager<Item>(
        config: config, initialKey: opening.key, mediator: mediator, clock: clock, observer: observer,
        source: pageSource())
    }
    pagers.add(pager, pageSize: config.pageSize)
    return pager
  }

  /// Shows the newest rows in every pager of this list object: the newest stored ones at once, then the remote's.
  ///
  /// No row that is stored is given up. Where what the remote has doesn't reach down to them, a gap stands between; to
  /// go back is a jump that needs no request.
  ///
  /// - Throws: ``ListStoreError`` where the store can't be read.
  public func jumpToNewest() throws(ListStoreError) {
    let newest = try core.window(of: id, at: .head, before: 0, after: 1)?.rows.first
    for pager in pagers.pagers {
      if let newest { pager.jump(toKey: ListKey(side: .around, item: newest.item, stood: nil)) }
      if remote != nil { pager.refresh(from: .start) }
    }
  }

  /// What asks this list's remote; nil: it has none. All who ask for the list share what is under way.
  var asker: ListAsker<Item>? {
    guard let remote else { return nil }
    let flights = core.book(ListAsker<Item>.Flights.self, of: id) { ListAsker<Item>.Flights() }
    return ListAsker(self, remote: remote, rule: ListRule(policy), flights: flights)
  }

  private struct Opening {
    var key: ListKey?
    var entry = MediatorEntry<Item.ID>()
    var window: DetachedWindow<Item>?
  }

  /// Where to begin. What can't be read here is said by the first load.
  private func opening(at entry: ListEntry<Item.ID>) -> Opening {
    switch entry.place {
    case .newest: return Opening()
    case .savedPosition:
      guard let saved = try? placeToOpen(), let place = try? core.place(of: ItemKey(saved), in: id) else {
        return Opening()
      }
      return Opening(
        key: ListKey(side: .around, item: place.item, stood: nil), entry: MediatorEntry(place: saved))
    case .item(let item):
      if let place = try? core.place(of: ItemKey(item), in: id) {
        return Opening(
          key: ListKey(side: .around, item: place.item, stood: nil),
          entry: MediatorEntry(place: item, isItem: true))
      }
      guard let key = try? ItemKey(item), let number = try? core.reserve(key, kind: id.kind) else { return Opening() }
      let isDetachable = policy.order == .cursor && remote != nil
      let window = isDetachable ? DetachedWindow(around: item, key: key, of: self) : nil
      return Opening(
        key: ListKey(side: .around, item: number, stood: nil),
        entry: MediatorEntry(place: item, isItem: true, isStored: window?.isOpen ?? false), window: window)
    }
  }

  /// The item that the reader left the list at; nil: none is known, or the list is to begin at its newest rows.
  private func placeToOpen() throws(ListStoreError) -> Item.ID? {
    guard let saved = try savedPosition(), !saved.isStale, !saved.position.followsNewest else { return nil }
    return saved.position.item
  }
}
