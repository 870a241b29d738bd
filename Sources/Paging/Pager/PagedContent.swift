/// What a pager and its transformations share: a list that loads itself as it is looked at.
///
/// Every member may be used from any thread.
public protocol PagedContent<Item>: AnyObject, Sendable {
  /// One row's data.
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  /// The list as it stands. Reading it never loads.
  var snapshot: PagingSnapshot<Item> { get }

  /// The list as it changes: each call is a stream of its own, which starts with the newest snapshot.
  func snapshots() -> PagingSnapshots<Item>

  /// Reports which rows are on screen: what makes an edge load.
  ///
  /// - Parameters:
  ///   - rows: Indices of rows in `snapshot`, placeholders counted; clamped to it.
  ///   - snapshot: The snapshot that the screen shows. An older one is understood.
  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Item>)

  /// Loads the list anew; the rows that are shown stay until the new ones are there.
  @discardableResult func refresh(from origin: RefreshOrigin) -> PagingCommand

  /// Repeats what failed, and nothing else.
  ///
  /// - Parameter type: Which load to repeat; nil: all that failed.
  @discardableResult func retry(_ type: LoadType?) -> PagingCommand

  /// Loads one page at an edge, whatever the distance: what a load-more button calls.
  ///
  /// - Parameter type: Which edge; ``LoadType/refresh`` refreshes.
  @discardableResult func load(_ type: LoadType) -> PagingCommand

  /// Shows the list around row `index` of the whole list.
  @discardableResult func jump(toIndex index: Int) -> PagingCommand

  /// Shows the list around an item.
  @discardableResult func jump(toItem id: Item.ID) -> PagingCommand

  /// Returns when no load runs, is wanted, or waits to be tried again; or when the task that waits is cancelled.
  ///
  /// Failed and suspended count as settled. Starts the first load if nothing was loaded yet.
  func settled() async
}

extension PagedContent {
  /// Loads the list anew around the row that is on screen.
  @discardableResult public func refresh() -> PagingCommand { refresh(from: .anchor) }

  /// Repeats all that failed, and nothing else.
  @discardableResult public func retry() -> PagingCommand { retry(nil) }
}
