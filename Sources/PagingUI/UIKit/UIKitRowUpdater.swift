#if canImport(UIKit) && !os(watchOS)
  import Paging
  import UIKit

  /// Keeps a view at the state of a list, and the list informed of what is on screen.
  @MainActor final class RowUpdater<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// The rows that the view has been told of.
    private(set) var shown: PagingSnapshot<Item>
    private let list: PagedList<Item>
    private weak var view: UIScrollView?
    private let host: any RowHost
    private var observation: PagedListObservation?
    private var scrolling: NSKeyValueObservation?
    private var lastWish: ScrollWish?
    private var isUpdating = false
    private var isReportScheduled = false

    /// - Parameters:
    ///   - view: Held weakly.
    ///   - host: Asked only as long as there is the view.
    init(_ list: PagedList<Item>, _ view: UIScrollView, _ host: any RowHost) {
      self.list = list
      self.view = view
      self.host = host
      shown = list.rows
      lastWish = list.scrollWish
      observation = list.observe { [weak self] _ in self?.update() }
      // Scroll views tell of each change of their offset that way, whoever their delegate is.
      scrolling = view.observe(\.contentOffset) { [weak self] _, _ in
        MainActor.assumeIsolated { self?.report() }
      }
    }

    /// A cell was asked for, so that what is on screen has changed, or is about to.
    func cellWasMade() {
      guard !isReportScheduled else { return }
      isReportScheduled = true
      Task { [weak self] in
        self?.isReportScheduled = false
        self?.report()
      }
    }

    private func update() {
      let (older, newer) = (shown, list.rows)
      guard let view else { return shown = newer }
      let batch = RowBatch(list.changes, from: older, to: newer)
      // A view behind another screen has nothing to animate from, but a place to come back to.
      let takesBatch = view.window != nil && !batch.keepsNothing
      isUpdating = true
      UIView.performWithoutAnimation {
        keepingPlace(from: older, to: newer, in: view) {
          if takesBatch { return host.apply(batch) { [self] in shown = newer } }
          shown = newer
          host.reload()
        }
      }
      isUpdating = false
      followWish()
      report()
    }

    /// The first row on screen that stays is where it was, as far from the edge of the view.
    private func keepingPlace(
      from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>, in view: UIScrollView, _ apply: () -> Void
    ) {
      let carrier = RowCarrier(from: older, to: newer)
      let visible = host.rows(in: visibleRect(of: view)) ?? 0..<0
      var kept: (row: Int, origin: CGPoint)?
      for row in visible where kept == nil {
        guard let origin = host.frame(ofRow: row)?.origin, let place = carrier.place(of: row) else { continue }
        kept = (place, CGPoint(x: origin.x - view.contentOffset.x, y: origin.y - view.contentOffset.y))
      }
      apply()
      guard let kept else { return }
      // Rows that size themselves have their size by then.
      view.layoutIfNeeded()
      guard let origin = host.frame(ofRow: kept.row)?.origin else { return }
      let offset = CGPoint(x: origin.x - kept.origin.x, y: origin.y - kept.origin.y)
      if offset != view.contentOffset { view.contentOffset = offset }
    }

    private func followWish() {
      guard let wish = list.scrollWish, wish != lastWish else { return }
      lastWish = wish
      host.scroll(toRow: wish.index)
    }

    private func report() {
      // In the middle of a batch the view's rows are neither the old ones nor the new ones.
      guard !isUpdating, let view, view.window != nil, shown.version == list.rows.version else { return }
      if let rows = host.rows(in: visibleRect(of: view)) { list.visibleRows(rows) }
    }

    private func visibleRect(of view: UIScrollView) -> CGRect { view.bounds.inset(by: view.adjustedContentInset) }
  }
#endif
