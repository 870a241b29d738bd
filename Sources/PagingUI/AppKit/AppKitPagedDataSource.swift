#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Paging

  /// Shows a ``PagedList`` in a collection view, as its one section, or in a table view.
  ///
  /// Each update of the list is applied as one batch, without animation, and the first row on screen that stays keeps
  /// its place however many rows come or go above it. Rows on screen are reported to the list, which loads what comes
  /// next. A list that follows its end is scrolled to it when it wishes.
  ///
  /// Views hold their data source weakly: keep this object as long as the view. It takes the place of the view's data
  /// source, of a collection view's prefetching data source, and of a table view's delegate where it has none.
  @MainActor
  public final class PagedDataSource<Item: Identifiable & Sendable>: NSObject, NSCollectionViewDataSource,
    NSCollectionViewPrefetching, NSTableViewDataSource, NSTableViewDelegate
  where Item.ID: Sendable {
    /// Makes a collection view's item for a row, which may be a placeholder.
    public typealias CollectionItem =
      @MainActor (NSCollectionView, IndexPath, PagingRow<Item>) -> NSCollectionViewItem
    /// Makes a table view's view for a column of a row, which may be a placeholder.
    public typealias TableCell = @MainActor (NSTableView, NSTableColumn?, Int, PagingRow<Item>) -> NSView?

    /// The list that is shown.
    public let list: PagedList<Item>
    /// The rows as the view has them: those of the list, unless the view is just being told of newer ones.
    public var rows: PagingSnapshot<Item> { updater.shown }
    /// Hears of items that a collection view expects to show soon; default nil. A hint, for what a row shows beside its
    /// item: pages are loaded by what is on screen.
    public var willNeed: (@MainActor (_ items: [Item]) -> Void)?
    /// Hears of items that a collection view no longer expects to show soon; default nil.
    public var noLongerNeeds: (@MainActor (_ items: [Item]) -> Void)?

    private let updater: RowUpdater<Item>
    private let collectionItem: CollectionItem?
    private let tableCell: TableCell?

    /// Shows a list in a collection view.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - view: Becomes the one of this object; not held.
    ///   - item: Makes the item for a row. Make one kind for items of the list and one for placeholders.
    public init(_ list: PagedList<Item>, in view: NSCollectionView, item: @escaping CollectionItem) {
      self.list = list
      collectionItem = item
      tableCell = nil
      updater = RowUpdater(list, view, CollectionRowHost(view))
      super.init()
      view.dataSource = self
      view.prefetchDataSource = self
    }

    /// Shows a list in a table view.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - view: Becomes the one of this object; not held. With a delegate of its own, that one is to forward
    ///     ``tableView(_:viewFor:row:)``.
    ///   - cell: Makes the view for a column of a row.
    public init(_ list: PagedList<Item>, in view: NSTableView, cell: @escaping TableCell) {
      self.list = list
      collectionItem = nil
      tableCell = cell
      updater = RowUpdater(list, view, TableRowHost(view))
      super.init()
      view.dataSource = self
      if view.delegate == nil { view.delegate = self }
    }

    private func items(at paths: [IndexPath]) -> [Item] { paths.compactMap { rows[$0.item].item } }

    // MARK: - Collection views

    /// How many rows there are, placeholders included.
    public func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int {
      rows.count
    }

    /// The item that the closure makes.
    public func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      updater.cellWasMade()
      return collectionItem?(collectionView, indexPath, rows[indexPath.item]) ?? NSCollectionViewItem()
    }

    /// Hands the hint on to ``willNeed``.
    public func collectionView(_ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
      willNeed?(items(at: indexPaths))
    }

    /// Hands the hint on to ``noLongerNeeds``.
    public func collectionView(
      _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      noLongerNeeds?(items(at: indexPaths))
    }

    // MARK: - Table views

    /// How many rows there are, placeholders included.
    public func numberOfRows(in tableView: NSTableView) -> Int { rows.count }

    /// The view that the closure makes.
    public func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
      updater.cellWasMade()
      return tableCell?(tableView, tableColumn, row, rows[row])
    }
  }
#endif
