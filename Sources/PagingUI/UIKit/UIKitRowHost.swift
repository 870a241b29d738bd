#if canImport(UIKit) && !os(watchOS)
  import Paging
  import UIKit

  /// A collection or table view as the data source sees it: one section of rows.
  @MainActor protocol RowHost: AnyObject {
    var scroll: UIScrollView { get }

    /// The rows in a rectangle of the content, from the first to the last; laid out or not.
    func rows(in rect: CGRect) -> Range<Int>?
    func frame(ofRow row: Int) -> CGRect?
    /// Applies a batch; `commit` makes the data source answer for the new rows and is called in the middle.
    func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void)
    func reload()
    func scroll(toRow row: Int)
  }

  extension Sequence<IndexPath> {
    /// From the first row of a section to the last.
    func rows(ofSection section: Int) -> Range<Int>? {
      let rows = filter { $0.section == section }.map(\.item)
      guard let first = rows.min(), let last = rows.max() else { return nil }
      return first..<last + 1
    }
  }

  extension [Int] {
    func paths(inSection section: Int) -> [IndexPath] { map { IndexPath(item: $0, section: section) } }
  }
#endif
