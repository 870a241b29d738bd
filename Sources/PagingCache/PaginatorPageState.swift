/// Where one page stands: absent → loading → loaded or failed.
///
/// A failure stays until the next fetch of the page or until it is cleared. A page that leaves memory is absent again,
/// also where the disk still has it. Frozen: there is no fifth place for a page to be in, and a screen that shows a
/// page switches over all four.
@frozen public enum PaginatorPageState<Item: Sendable>: Sendable {
  /// Not in memory, and nobody fetches it.
  case absent
  /// Somebody fetches it.
  case loading
  /// In memory; marked as stale where its time is over.
  case loaded(PaginatorPage<Item>)
  /// The last fetch failed.
  case failed(PaginatorError)
}
