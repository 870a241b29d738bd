/// A collection or table view as it is kept at the state of a list, of whatever framework it is.
@MainActor protocol RowHost: AnyObject {
  /// Whether it is in a window.
  var isOnScreen: Bool { get }
  /// The rows on screen, from the first to the last, laid out or not; nil: none is.
  var visibleRows: Range<Int>? { get }
  /// Which point of its content is at the corner of what is seen; nil: nothing scrolls it.
  var offset: ScrollPoint? { get }
  func scroll(to offset: ScrollPoint)
  /// Where a row begins in the content; nil: it isn't known.
  func origin(ofRow row: Int) -> ScrollPoint?
  func scroll(toRow row: Int)
  /// Applies a batch; `commit` makes the data source answer for the new rows, and is called when the view wants that.
  func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void)
  func reload()
  /// Gives rows that size themselves their size.
  func layOut()
  func withoutAnimation(_ body: () -> Void)
  /// Calls a closure whenever it is scrolled, as long as what is returned is kept; nil: nothing scrolls it yet.
  func observeScrolling(_ moved: @escaping @MainActor () -> Void) -> AnyObject?
}

/// A point in what is scrolled.
struct ScrollPoint: Equatable {
  var x: Double
  var y: Double
}
