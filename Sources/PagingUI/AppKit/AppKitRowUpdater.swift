#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import Paging

  /// Keeps a view at the state of a list, and the list informed of what is on screen.
  @MainActor final class RowUpdater<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// The rows that the view has been told of.
    private(set) var shown: PagingSnapshot<Item>
    private let list: PagedList<Item>
    private weak var view: NSView?
    private let host: any RowHost
    private var observation: PagedListObservation?
    private var scrolling: ScrollObservation?
    private var lastWish: ScrollWish?
    private var isUpdating = false
    private var isReportScheduled = false

    /// - Parameters:
    ///   - view: Held weakly; it may come into its scroll view later.
    ///   - host: Asked only as long as there is the view.
    init(_ list: PagedList<Item>, _ view: NSView, _ host: any RowHost) {
      self.list = list
      self.view = view
      self.host = host
      shown = list.rows
      lastWish = list.scrollWish
      observation = list.observe { [weak self] _ in self?.update() }
    }

    /// A row's view was asked for, so that what is on screen has changed, or is about to.
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
      let takesBatch = view.window != nil && !batch.keepsNothing
      isUpdating = true
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        context.allowsImplicitAnimation = false
        keepingPlace(from: older, to: newer, in: view) {
          if takesBatch { return host.apply(batch) { [self] in shown = newer } }
          shown = newer
          host.reload()
        }
      }
      isUpdating = false
      if let wish = list.scrollWish, wish != lastWish {
        lastWish = wish
        host.scroll(toRow: wish.index)
      }
      report()
    }

    /// The first row on screen that stays is where it was, as far from the edge of the view.
    private func keepingPlace(
      from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>, in view: NSView, _ apply: () -> Void
    ) {
      guard let scroll = view.enclosingScrollView else { return apply() }
      let clip = scroll.contentView
      let carrier = RowCarrier(from: older, to: newer)
      var kept: (row: Int, origin: CGPoint)?
      for row in host.rows(in: view.visibleRect) ?? 0..<0 where kept == nil {
        guard let origin = host.frame(ofRow: row)?.origin, let place = carrier.place(of: row) else { continue }
        kept = (place, CGPoint(x: origin.x - clip.bounds.origin.x, y: origin.y - clip.bounds.origin.y))
      }
      apply()
      guard let kept else { return }
      view.layoutSubtreeIfNeeded()
      guard let origin = host.frame(ofRow: kept.row)?.origin else { return }
      let offset = CGPoint(x: origin.x - kept.origin.x, y: origin.y - kept.origin.y)
      guard offset != clip.bounds.origin else { return }
      clip.scroll(to: offset)
      scroll.reflectScrolledClipView(clip)
    }

    private func report() {
      guard let view else { return }
      if scrolling == nil, let clip = view.enclosingScrollView?.contentView {
        scrolling = ScrollObservation(clip) { [weak self] in self?.report() }
      }
      // In the middle of a batch the view's rows are neither the old ones nor the new ones.
      guard !isUpdating, view.window != nil, shown.version == list.rows.version else { return }
      if let rows = host.rows(in: view.visibleRect) { list.visibleRows(rows) }
    }
  }

  /// Hears of scrolling, until it goes.
  private final class ScrollObservation {
    private let token: any NSObjectProtocol

    @MainActor init(_ clip: NSClipView, _ scrolled: @escaping @MainActor () -> Void) {
      clip.postsBoundsChangedNotifications = true
      token = NotificationCenter.default.addObserver(
        forName: NSView.boundsDidChangeNotification, object: clip, queue: .main
      ) { _ in
        MainActor.assumeIsolated { scrolled() }
      }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
  }
#endif
