#if canImport(UIKit) && !os(watchOS)
  public import Paging
  public import UIKit

  /// Shows a ``PagedList`` as one section of a collection view or of a table view.
  ///
  /// Each update of the list is applied as one batch, without animation, and the first row on screen that stays keeps
  /// its place however many rows come or go above it. Rows on screen are reported to the list, which loads what comes
  /// next. A list that follows its end is scrolled to it when it wishes.
  ///
  /// Views hold their data source weakly: keep this object as long as the view. It takes the place of the view's data
  /// source and prefetching data source; the delegate stays free.
  @MainActor
  public final class PagedDataSource<Item: Identifiable & Sendable>: NSObject, UICollectionViewDataSource,
    UICollectionViewDataSourcePrefetching, UITableViewDataSource, UITableViewDataSourcePrefetching
  where Item.ID: Sendable {
    /// Makes a collection view's cell for a row, which may be a placeholder.
    public typealias CollectionCell = @MainActor (UICollectionView, IndexPath, PagingRow<Item>) -> UICollectionViewCell
    /// Makes a table view's cell for a row, which may be a placeholder.
    public typealias TableCell = @MainActor (UITableView, IndexPath, PagingRow<Item>) -> UITableViewCell

    /// The list that is shown.
    public let list: PagedList<Item>
    /// The rows as the view has them: those of the list, unless the view is just being told of newer ones.
    public var rows: PagingSnapshot<Item> { updater.shown }
    /// Hears of items that the view expects to show soon; default nil. A hint, for what a row shows beside its item:
    /// pages are loaded by what is on screen.
    public var willNeed: (@MainActor (_ items: [Item]) -> Void)?
    /// Hears of items that the view no longer expects to show soon; default nil.
    public var noLongerNeeds: (@MainActor (_ items: [Item]) -> Void)?

    private let updater: RowUpdater<Item>
    private let section: Int
    private let collectionCell: CollectionCell?
    private let tableCell: TableCell?

    /// Shows a list in a collection view.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - view: Becomes the one of this object; not held.
    ///   - cell: Makes the cell for a row. Dequeue one kind of cell for items and one for placeholders.
    public init(_ list: PagedList<Item>, in view: UICollectionView, cell: @escaping CollectionCell) {
      self.list = list
      section = 0
      collectionCell = cell
      tableCell = nil
      updater = RowUpdater(list, view, CollectionRowHost(view, section: section))
      super.init()
      view.dataSource = self
      view.prefetchDataSource = self
    }

    /// Shows a list in a table view.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - view: Becomes the one of this object; not held.
    ///   - cell: Makes the cell for a row. Dequeue one kind of cell for items and one for placeholders.
    public init(_ list: PagedList<Item>, in view: UITableView, cell: @escaping TableCell) {
      self.list = list
      section = 0
      collectionCell = nil
      tableCell = cell
      updater = RowUpdater(list, view, TableRowHost(view, section: section))
      super.init()
      view.dataSource = self
      view.prefetchDataSource = self
    }

    private func items(at paths: [IndexPath]) -> [Item] { paths.compactMap { rows[$0.item].item } }

    // MARK: - Collection views

    /// How many rows there are, placeholders included.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      rows.count
    }

    /// The cell that the closure makes.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      updater.cellWasMade()
      return collectionCell?(collectionView, indexPath, rows[indexPath.item]) ?? UICollectionViewCell()
    }

    /// Hands the hint on to ``willNeed``.
    public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
      willNeed?(items(at: indexPaths))
    }

    /// Hands the hint on to ``noLongerNeeds``.
    public func collectionView(
      _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      noLongerNeeds?(items(at: indexPaths))
    }

    // MARK: - Table views

    /// How many rows there are, placeholders included.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    /// The cell that the closure makes.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      updater.cellWasMade()
      return tableCell?(tableView, indexPath, rows[indexPath.row]) ?? UITableViewCell()
    }

    /// Hands the hint on to ``willNeed``.
    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      willNeed?(items(at: indexPaths))
    }

    /// Hands the hint on to ``noLongerNeeds``.
    public func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {
      noLongerNeeds?(items(at: indexPaths))
    }
  }
#endif
