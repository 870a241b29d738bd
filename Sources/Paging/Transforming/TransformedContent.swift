/// A content whose rows are made of another's: mapped, filtered, or with separators between them.
///
/// It shows what its source shows, loads as the source loads and passes commands on, and can be transformed again.
/// Several transformations of one pager share its pages. It keeps what it was made of alive, and what was transformed.
///
/// The closure runs once for each row of each page that is loaded. Where a stream reads, that is off the reader's
/// actor; where ``snapshot`` is read, it is there. It must not wait for another thread, and is best a plain function of
/// its arguments; a content that is read in it gives its last snapshot.
///
/// Every member may be used from any thread.
public final class TransformedContent<Item: Identifiable & Sendable>: PagedContent where Item.ID: Sendable {
  private let stage: any ContentStage<Item>

  init(_ stage: any ContentStage<Item>) {
    self.stage = stage
  }

  /// The list as it stands. Reading it never loads; it transforms what was loaded since the last time.
  public var snapshot: PagingSnapshot<Item> { stage.snapshot }

  /// The list as it changes: each call is a stream of its own, which starts with the newest snapshot.
  public func snapshots() -> PagingSnapshots<Item> {
    PagingSnapshots(stage.hub, owner: self) { [stage] in stage.makeReader() }
  }

  /// Reports which rows are on screen: what makes an edge load.
  ///
  /// - Parameters:
  ///   - rows: Indices of rows in `snapshot`, placeholders counted; clamped to it.
  ///   - snapshot: The snapshot that the screen shows. An older one is understood; another content's is ignored.
  public func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    stage.viewportChanged(to: rows, of: snapshot)
    stage.hub.viewportReported(rows, of: snapshot)
  }

  // MARK: - Commands

  /// Loads the list anew; the rows that are shown stay until the new ones are there.
  @discardableResult public func refresh(from origin: RefreshOrigin) -> PagingCommand { stage.refresh(from: origin) }

  /// Repeats what failed, and nothing else.
  @discardableResult public func retry(_ type: LoadType?) -> PagingCommand { stage.retry(type) }

  /// Loads one page at an edge, whatever the distance, and however few of its rows are shown here.
  @discardableResult public func load(_ type: LoadType) -> PagingCommand { stage.load(type) }

  /// Shows the list around the row at an index of this list, placeholders counted.
  ///
  /// A row behind the last one is taken to be as far behind the last one of the source.
  @discardableResult public func jump(toIndex index: Int) -> PagingCommand { stage.jump(toIndex: index) }

  /// Shows the list around an item.
  ///
  /// A loaded row needs nothing, and neither does a separator. An item that isn't loaded is looked for by its identity,
  /// after a `map` only where its rows' identities are of the items' type. What isn't found, or is left out by a
  /// filter, makes the command fail with ``PagingError/Code/itemNotFound``.
  @discardableResult public func jump(toItem id: Item.ID) -> PagingCommand { stage.jump(toItem: id) }

  /// Returns when no load runs, is wanted, or waits to be tried again, and all that came is transformed; or when the
  /// task that waits is cancelled.
  public func settled() async { await stage.settled() }
}

extension TransformedContent: ContentReporting {
  func contentReported(_ report: TransformedReport) { stage.contentReported(report) }
  func contentEnded(_ content: ContentID) { stage.contentEnded(content) }
  var leavesRowsOut: Bool { stage.leavesRowsOut }
  var isSettled: Bool { stage.isSettled }
}

extension PagedContent {
  /// A content that shows of each item what `transform` makes of it.
  ///
  /// Of several rows with one identity the one that came first is shown, as long as its page is there. Placeholders
  /// stay.
  ///
  /// - Parameter transform: Called once for each item of each page that is loaded; see ``TransformedContent``.
  public func map<R: Identifiable & Sendable>(
    _ transform: @escaping @Sendable (Item) -> R
  ) -> TransformedContent<R> where R.ID: Sendable {
    TransformedContent(
      TransformStage(self, RowMap(transform)) { id in
        (id as? Item.ID).map { .item($0) } ?? .unknown
      })
  }

  /// A content that shows only the items that `isIncluded` accepts.
  ///
  /// What is left out doesn't count as loaded: a screen that is half empty goes on loading, for at most
  /// `PagingConfig.emptyPageBudget` pages in a row that show nothing; then the edge fails with
  /// ``PagingError/Code/emptyPages``, and `retry` goes on from there. Placeholders and totals are left out too.
  ///
  /// - Parameter isIncluded: Called once for each item of each page that is loaded; see ``TransformedContent``.
  public func filter(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> TransformedContent<Item> {
    TransformedContent(TransformStage(self, RowFilter(isIncluded: isIncluded)) { .item($0) })
  }

  /// A content with separators between the items.
  ///
  /// Separators don't count as rows where it is decided what to load. Each stands directly before the item, or behind
  /// the last one, that it was asked for. Placeholders stay, without separators between them. Equal separators at
  /// several places have identities of their own.
  ///
  /// ```swift
  /// let days = pager.insertingSeparators { before, after in
  ///   guard let after, before?.day != after.day else { return nil }
  ///   return after.day
  /// }
  /// ```
  ///
  /// - Parameter separator: What stands between two items that follow one another; nil: nothing. It is asked with nil
  ///   before the first item and nil after the last, which makes headers and footers, once that end of the list is
  ///   reached; for a list that is known to be empty once, with nil twice. Otherwise called once for each two
  ///   neighbours; see ``TransformedContent``.
  public func insertingSeparators<S: Hashable & Sendable>(
    _ separator: @escaping @Sendable (_ before: Item?, _ after: Item?) -> S?
  ) -> TransformedContent<SeparatedRow<Item, S>> {
    TransformedContent(
      TransformStage(self, SeparatorInsertion(separator)) { id in id.item.map { .item($0) } ?? .unknown })
  }
}
