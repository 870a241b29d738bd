public import Loading
import Synchronization

/// Turns a page source into a list that loads itself as it is looked at.
///
/// ```swift
/// let pager = Pager(source: CursorPageSource { params in
///   let feed = try await api.feed(after: params.key, limit: params.loadSize)
///   return Page(feed.posts, nextKey: feed.next)
/// })
/// for await snapshot in pager.snapshots() {
///   show(snapshot)
/// }
/// ```
///
/// Nothing is loaded before the first stream, command or call of ``settled()``. From then on, whoever shows a snapshot
/// reports which rows are on screen with ``viewportChanged(to:of:)``, and the pager keeps `prefetchDistance` rows
/// loaded beyond them. A pager is held by whoever uses it and by its streams; when the last of them lets go, or at
/// ``close()``, its loads are cancelled.
///
/// Every member may be used from any thread; calls never block on a load. Memory: the loaded pages, bounded by
/// `PagingConfig.maxSize` if it is set.
public final class Pager<Key: Hashable & Sendable, Item: Identifiable & Sendable>: PagedContent
where Item.ID: Sendable {
  let core: PagerCore<Key, Item>

  /// A pager whose generations share one source.
  ///
  /// - Parameters:
  ///   - config: Sizes, limits and policies.
  ///   - initialKey: Where the first generation starts; nil: at the source's own start.
  ///   - mediator: Fills the store that the source reads; nil: the source is all there is.
  ///   - restoring: The place where an earlier pager of the same list was left, which then outranks `initialKey`; see
  ///     ``PagingSavedState`` for what comes back.
  ///   - clock: What retries, graces and durations are measured on.
  ///   - observer: Hears what the pager does.
  ///   - source: What loads the pages.
  public init(
    config: PagingConfig = PagingConfig(), initialKey: Key? = nil, mediator: (any Mediator<Key, Item>)? = nil,
    restoring: PagingSavedState<Key, Item.ID>? = nil, clock: any Clock<Duration> = ContinuousClock(),
    observer: PagingObserver? = nil, source: some PageSource<Key, Item>
  ) {
    core = PagerCore(
      config: config, initialKey: initialKey, mediator: mediator, restoring: restoring, clock: clock,
      observer: observer, sources: SourceShelf(shared: source))
  }

  /// A pager with one source for each generation.
  ///
  /// - Parameters:
  ///   - config: Sizes, limits and policies.
  ///   - initialKey: Where the first generation starts; nil: at the source's own start.
  ///   - mediator: Fills the store that the source reads; nil: the source is all there is.
  ///   - restoring: The place where an earlier pager of the same list was left, which then outranks `initialKey`; see
  ///     ``PagingSavedState`` for what comes back.
  ///   - clock: What retries, graces and durations are measured on.
  ///   - observer: Hears what the pager does.
  ///   - makeSource: Makes the source of a generation. Called on the thread that begins it, and must not block.
  public init(
    config: PagingConfig = PagingConfig(), initialKey: Key? = nil, mediator: (any Mediator<Key, Item>)? = nil,
    restoring: PagingSavedState<Key, Item.ID>? = nil, clock: any Clock<Duration> = ContinuousClock(),
    observer: PagingObserver? = nil, makeSource: @escaping @Sendable () -> some PageSource<Key, Item>
  ) {
    core = PagerCore(
      config: config, initialKey: initialKey, mediator: mediator, restoring: restoring, clock: clock,
      observer: observer, sources: SourceShelf(making: { () -> any PageSource<Key, Item> in makeSource() }))
  }

  deinit { core.close() }

  // MARK: - The list

  /// The list as it stands. Reading it never loads.
  public var snapshot: PagingSnapshot<Item> { core.hub.latest }

  /// The list as it changes: each call is a stream of its own, which starts with the newest snapshot.
  public func snapshots() -> PagingSnapshots<Item> { PagingSnapshots(core.hub, owner: self) }

  /// Reports which rows are on screen: what makes an edge load.
  ///
  /// Costs about a microsecond where it starts nothing; call it as often as the screen scrolls.
  ///
  /// - Parameters:
  ///   - rows: Indices of rows in `snapshot`, placeholders counted; clamped to it.
  ///   - snapshot: The snapshot that the screen shows. An older one is understood; another pager's is ignored.
  public func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    let body = snapshot.body
    guard body.origin === core.origin else { return }
    let reported = ReportedSnapshot(body)
    core.perform { $0.viewportMoved(to: rows, of: reported, from: .pager, now: $1) }
    core.hub.viewportReported(rows, of: snapshot)
  }

  // MARK: - Commands

  /// Loads the list anew; the rows that are shown stay until the new ones are there.
  ///
  /// The new generation is built beside the shown one and takes its place as one snapshot, in which the row that was
  /// at the top of the screen is named by ``PagingSnapshot/anchor``. A refresh that fails leaves the list as it was.
  /// A mediator refreshes first, and the new generation follows when it has succeeded.
  ///
  /// - Parameter origin: Around the row that is on screen, or from the start of the list.
  @discardableResult public func refresh(from origin: RefreshOrigin) -> PagingCommand {
    core.command { $0.refreshAsked(origin, $1, now: $2) }
  }

  /// Repeats what failed, and nothing else, with the same key.
  ///
  /// - Parameter type: Which load to repeat; nil: all that failed.
  @discardableResult public func retry(_ type: LoadType?) -> PagingCommand {
    core.command { $0.retryAsked(type, $1, now: $2) }
  }

  /// Says that the source's data changed: one more generation follows.
  ///
  /// Where nobody observes, it follows when somebody does. Many calls in a row end in one generation. A mediator isn't
  /// asked.
  public func invalidate() {
    core.changed(.everything)
  }

  /// Loads one page at an edge, whatever the distance: what a load-more button calls.
  ///
  /// Where the source has reached its end, it is one load of the mediator, if there is one.
  ///
  /// - Parameter type: Which edge; ``LoadType/refresh`` refreshes.
  @discardableResult public func load(_ type: LoadType) -> PagingCommand {
    core.command { $0.loadAsked(type, $1, now: $2) }
  }

  /// Shows the list around row `index` of the whole list, placeholders counted.
  ///
  /// A row that is loaded needs nothing. Otherwise the source says where to start by `key(forIndex:)`; one that can't
  /// makes the command fail with ``PagingError/Code/unreachableTarget``, and the list stays.
  @discardableResult public func jump(toIndex index: Int) -> PagingCommand {
    core.command { $0.jumpAsked(.index(index), $1, now: $2) }
  }

  /// Shows the list around an item.
  ///
  /// An item that is loaded needs nothing. Otherwise the source says where to start by `key(around:)`; with one that
  /// can't, the list is walked from its start for at most `jumpWalkLimit` pages. An item that doesn't come makes the
  /// command fail with ``PagingError/Code/itemNotFound``, and the list stays.
  @discardableResult public func jump(toItem id: Item.ID) -> PagingCommand {
    let item = SoughtItem(id, of: Item.self)
    return core.command { $0.jumpAsked(.item(item), $1, now: $2) }
  }

  /// Shows the list from the page of a key on.
  @discardableResult public func jump(toKey key: Key) -> PagingCommand {
    let key = OpaqueKey(key)
    return core.command { $0.jumpAsked(.key(key), $1, now: $2) }
  }

  // MARK: - The host

  /// The host app's word on the network and on itself; default `.normal`. May change at any time.
  ///
  /// Constrained stops what is fetched ahead. Suspended starts nothing, and a load that dies meanwhile was cancelled.
  public var conditions: LoadConditions {
    get { core.guarded.withLock { $0.state.conditions } }
    set { core.perform { $0.conditionsChanged(newValue, now: $1) } }
  }

  /// What this pager has done so far.
  public var statistics: PagerStatistics { core.guarded.withLock { $0.statistics } }

  /// Where the reader is, for a later pager of the same list to start from: the key that loads the page of the first
  /// row on screen, and that row's ID. Before any viewport was reported, the first loaded row stands for it.
  ///
  /// Nil while no row is shown; a pager that was restored and shows none yet gives what it was restored from. Costs
  /// O(log pages).
  public func savedState() -> PagingSavedState<Key, Item.ID>? { core.savedState() }

  /// Returns when no load runs, is wanted, or waits to be tried again; or when the task that waits is cancelled.
  ///
  /// Failed and suspended count as settled. Starts the first load if nothing was loaded yet.
  public func settled() async { await core.settled() }

  /// Cancels all loads, ends all streams and all commands. The last snapshot can still be read.
  public func close() { core.close() }
}
