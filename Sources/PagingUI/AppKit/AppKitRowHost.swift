#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import Paging

  /// The rows of a view of AppKit, which scrolls in a clip view.
  @MainActor protocol AppKitRowHost: RowHost {
    var scrolled: NSView { get }

    /// The rows in a rectangle of the view, from the first to the last.
    func rows(in rect: CGRect) -> Range<Int>?
    func frame(ofRow row: Int) -> CGRect?
  }

  extension AppKitRowHost {
    private var clip: NSClipView? { scrolled.enclosingScrollView?.contentView }

    var isOnScreen: Bool { scrolled.window != nil }
    var visibleRows: Range<Int>? { rows(in: scrolled.visibleRect) }
    var offset: ScrollPoint? { (clip?.bounds.origin).map { ScrollPoint($0) } }

    func scroll(to offset: ScrollPoint) {
      guard let clip else { return }
      clip.scroll(to: CGPoint(x: offset.x, y: offset.y))
      scrolled.enclosingScrollView?.reflectScrolledClipView(clip)
    }

    func origin(ofRow row: Int) -> ScrollPoint? { (frame(ofRow: row)?.origin).map { ScrollPoint($0) } }
    func layOut() { scrolled.layoutSubtreeIfNeeded() }

    func withoutAnimation(_ body: () -> Void) {
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        context.allowsImplicitAnimation = false
        body()
      }
    }

    func observeScrolling(_ moved: @escaping @MainActor () -> Void) -> AnyObject? {
      clip.map { ScrollObservation($0, moved) }
    }
  }

  extension ScrollPoint {
    init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }
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

  /// The rows of a collection view.
  @MainActor final class CollectionRowHost: AppKitRowHost {
    private unowned let view: NSCollectionView

    /// - Parameter view: Outlives this.
    init(_ view: NSCollectionView) { self.view = view }

    var scrolled: NSView { view }

    func rows(in rect: CGRect) -> Range<Int>? {
      let all = view.collectionViewLayout?.layoutAttributesForElements(in: rect) ?? []
      let rows = all.filter { $0.representedElementCategory == .item && $0.frame.intersects(rect) }
        .compactMap(\.indexPath).map(\.item)
      guard let first = rows.min(), let last = rows.max() else { return nil }
      return first..<last + 1
    }

    func frame(ofRow row: Int) -> CGRect? { view.layoutAttributesForItem(at: Self.path(row))?.frame }

    func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void) {
      view.performBatchUpdates { [view] in
        commit()
        view.deleteItems(at: Self.paths(batch.removals))
        view.insertItems(at: Self.paths(batch.insertions))
        for move in batch.moves { view.moveItem(at: Self.path(move.from), to: Self.path(move.to)) }
      }
      // Afterwards, since these are new indices, which a batch would take for old ones.
      let updated = batch.reconfigured + batch.replaced
      if !updated.isEmpty { view.reloadItems(at: Self.paths(updated)) }
    }

    func reload() { view.reloadData() }

    func scroll(toRow row: Int) { view.scrollToItems(at: [Self.path(row)], scrollPosition: .bottom) }

    private static func path(_ row: Int) -> IndexPath { IndexPath(item: row, section: 0) }
    private static func paths(_ rows: [Int]) -> Set<IndexPath> { Set(rows.map { path($0) }) }
  }

  /// The rows of a table view.
  @MainActor final class TableRowHost: AppKitRowHost {
    private unowned let view: NSTableView

    /// - Parameter view: Outlives this.
    init(_ view: NSTableView) { self.view = view }

    var scrolled: NSView { view }

    func rows(in rect: CGRect) -> Range<Int>? { Range(view.rows(in: rect)).flatMap { $0.isEmpty ? nil : $0 } }

    func frame(ofRow row: Int) -> CGRect? { row < view.numberOfRows ? view.rect(ofRow: row) : nil }

    func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void) {
      commit()
      view.beginUpdates()
      // Each call's indices count what the calls before it have done, so a moved row goes and comes.
      view.removeRows(at: IndexSet(batch.takenOut), withAnimation: [])
      view.insertRows(at: IndexSet(batch.putIn), withAnimation: [])
      view.endUpdates()
      let updated = IndexSet(batch.reconfigured + batch.replaced)
      guard !updated.isEmpty else { return }
      view.reloadData(forRowIndexes: updated, columnIndexes: IndexSet(0..<view.numberOfColumns))
      view.noteHeightOfRows(withIndexesChanged: updated)
    }

    func reload() { view.reloadData() }

    func scroll(toRow row: Int) { view.scrollRowToVisible(row) }
  }
#endif
