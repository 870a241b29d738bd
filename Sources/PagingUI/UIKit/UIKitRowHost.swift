#if canImport(UIKit) && !os(watchOS)
  import Paging
  import UIKit

  /// The rows of a scroll view of UIKit, in one section of it.
  @MainActor protocol UIKitRowHost: RowHost {
    var scroll: UIScrollView { get }

    /// The rows in a rectangle of the content, from the first to the last; laid out or not.
    func rows(in rect: CGRect) -> Range<Int>?
    func frame(ofRow row: Int) -> CGRect?
  }

  extension UIKitRowHost {
    var isOnScreen: Bool { scroll.window != nil }
    var visibleRows: Range<Int>? { rows(in: scroll.bounds.inset(by: scroll.adjustedContentInset)) }
    var offset: ScrollPoint? { ScrollPoint(scroll.contentOffset) }
    func scroll(to offset: ScrollPoint) { scroll.contentOffset = CGPoint(x: offset.x, y: offset.y) }
    func origin(ofRow row: Int) -> ScrollPoint? { (frame(ofRow: row)?.origin).map { ScrollPoint($0) } }
    func layOut() { scroll.layoutIfNeeded() }
    func withoutAnimation(_ body: () -> Void) { UIView.performWithoutAnimation(body) }

    /// Scroll views tell of each change of their offset that way, whoever their delegate is.
    func observeScrolling(_ moved: @escaping @MainActor () -> Void) -> AnyObject? {
      scroll.observe(\.contentOffset) { _, _ in MainActor.assumeIsolated { moved() } }
    }
  }

  extension ScrollPoint {
    init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }
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
