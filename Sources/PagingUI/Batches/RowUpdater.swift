import Paging

/// Keeps a view at the state of a list, and the list informed of what is on screen.
@MainActor final class RowUpdater<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// The rows that the view has been told of.
  private(set) var shown: PagingSnapshot<Item>
  private let list: PagedList<Item>
  private weak var view: AnyObject?
  private let host: any RowHost
  private var observation: PagedListObservation?
  private var scrolling: AnyObject?
  private var lastWish: ScrollWish?
  private var isUpdating = false
  private var isReportScheduled = false

  /// - Parameters:
  ///   - view: Held weakly.
  ///   - host: Asked only as long as there is the view.
  init(_ list: PagedList<Item>, _ view: AnyObject, _ host: any RowHost) {
    self.list = list
    self.view = view
    self.host = host
    shown = list.rows
    lastWish = list.scrollWish
    observation = list.observe { [weak self] _ in self?.update() }
    observeScrolling()
  }

  /// A row's cell was asked for, so that what is on screen has changed, or is about to.
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
    guard view != nil else { return shown = newer }
    let batch = RowBatch(list.changes, from: older, to: newer)
    // A view behind another screen has nothing to animate from, but a place to come back to.
    let takesBatch = host.isOnScreen && !batch.keepsNothing
    isUpdating = true
    host.withoutAnimation {
      keepingPlace(from: older, to: newer) {
        if takesBatch { return host.apply(batch) { [self] in shown = newer } }
        shown = newer
        host.reload()
      }
    }
    isUpdating = false
    followWish()
    report()
  }

  /// The first row on screen that stays, and may, is where it was, as far from the edge of the view.
  private func keepingPlace(from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>, _ apply: () -> Void) {
    guard let offset = host.offset else { return apply() }
    let carrier = RowCarrier(from: older, to: newer)
    let visible = host.visibleRows ?? 0..<0
    var kept: (row: Int, distance: ScrollPoint)?
    for row in visible.filter({ list.mayKeepPlace(older[$0]) }) + visible where kept == nil {
      guard let origin = host.origin(ofRow: row), let place = carrier.place(of: row) else { continue }
      kept = (place, ScrollPoint(x: origin.x - offset.x, y: origin.y - offset.y))
    }
    apply()
    guard let kept else { return }
    host.layOut()
    guard let origin = host.origin(ofRow: kept.row) else { return }
    let target = ScrollPoint(x: origin.x - kept.distance.x, y: origin.y - kept.distance.y)
    if target != host.offset { host.scroll(to: target) }
  }

  private func followWish() {
    guard let wish = list.scrollWish, wish != lastWish else { return }
    lastWish = wish
    host.scroll(toRow: wish.index)
  }

  private func report() {
    guard view != nil else { return }
    observeScrolling()
    // In the middle of a batch the view's rows are neither the old ones nor the new ones.
    guard !isUpdating, host.isOnScreen, shown.version == list.rows.version else { return }
    if let rows = host.visibleRows { list.visibleRows(rows) }
  }

  /// A view may come into what scrolls it later.
  private func observeScrolling() {
    if scrolling == nil { scrolling = host.observeScrolling { [weak self] in self?.report() } }
  }
}
