public import ImageLoading
public import Paging

extension ImagePrefetcher {
  /// A prefetcher whose window goes before the screen that shows a list: the pictures of the rows ahead, the way that
  /// the screen went last, at first towards the end.
  ///
  /// It follows what screens report of the content with `viewportChanged(to:of:)`, as `PagedList` does; of several
  /// screens the last report counts. A row that has left the window is cancelled, but not while it is on screen. Rows
  /// that are loaded later, in the window, are prefetched when they come; placeholders have no picture. Nothing is
  /// fetched ahead while the loader's conditions say so, nor while ``isPaused``. Letting go of the prefetcher ends it
  /// all, and so does the end of the content, which isn't kept alive.
  ///
  /// - Parameters:
  ///   - content: A pager, or what was made of one.
  ///   - loader: Who loads: the one that shows the pictures.
  ///   - destination: How far; default: decoded, into memory.
  ///   - distance: How many rows ahead of those on screen, at least 0; nil (default): as many as two screens hold.
  ///   - request: The picture of a row, as the row will ask for it; nil where it has none. Called off the main actor
  ///     for each row of the window at each report, so it is best a plain function of the item.
  public convenience init<Item: Identifiable & Sendable>(
    for content: some PagedContent<Item>, with loader: any ImageProviding,
    to destination: PrefetchDestination = .memory, distance: Int? = nil,
    request: @escaping @Sendable (Item) -> ImageRequest?
  ) where Item.ID: Sendable {
    self.init(loader, to: destination)
    let rows = PrefetchedRows<Item>(distance: distance, request: request) { [weak self] in self?.update($0) }
    rows.listen(to: content)
    keep(rows)
  }
}
