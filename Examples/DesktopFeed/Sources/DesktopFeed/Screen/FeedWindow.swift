import CGTK
import GTKShim
import ImageLoading
import Observation
import Paging
import PagingStore
import PagingUI

/// A window with the feed in it: a list of recycled rows, a bar for new posts, buttons to refresh and to go to the newest post.
@MainActor
final class FeedWindow {
  let window: Widget
  let scrolled: Widget
  let bar: Widget
  let refreshButton: Widget
  let newestButton: Widget
  let rows: FeedRows
  let list: PagedList<ListRow<Post>>
  let pager: StoredPager<Post>
  let stored: StoredList<Post>
  let adjustment: UnsafeMutablePointer<GtkAdjustment>
  /// Where the reader comes back to, until its row is there.
  private var saved: ListPosition<Int>?
  /// How many posts the button to the newest names.
  private var newAbove = 0
  /// How many updates the rows have had.
  private var updates = 0
  private var isWaiting = false
  private var isRestoring = false
  private var goesToTop = false
  private var counting: Task<Void, Never>?
  private var saving: Task<Void, any Error>?

  init(_ stored: StoredList<Post>, images: any ImageProviding, height: Int32 = 960) {
    self.stored = stored
    // Opens at the saved place, with what is stored.
    pager = stored.pager(config: PagingConfig(pageSize: 20))
    list = PagedList(pager, keepsPlace: { $0.gap == nil })
    rows = FeedRows(list, images: images)
    saved = (try? stored.savedPosition())?.position

    window = gtk_window_new()
    scrolled = gtk_scrolled_window_new()
    bar = gtk_button_new()
    refreshButton = gtk_button_new_from_icon_name("view-refresh-symbolic")
    newestButton = gtk_button_new_with_label("Newest")
    adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
    layOut(height)

    connect(refreshButton, "clicked") { [weak self] in self?.refresh() }
    connect(newestButton, "clicked") { [weak self] in self?.goToNewest() }
    // Who pulls beyond the first row wants newer ones.
    connectPulls(scrolled) { [weak self] in self?.refresh() }
    connect(bar, "clicked") { [weak self] in try? self?.stored.showPending() }
    connect(adjustment, "value-changed", as: .scrolling) { [weak self] in self?.scrolledOrGrown() }
    connect(adjustment, "changed", as: .scrolling) { [weak self] in self?.scrolledOrGrown() }
    rows.fill = { gap, side in Task { _ = try? await stored.fill(gap, from: side) } }
    rows.follow { [weak self] in self?.updated() }
    counting = Task { [weak self, stored] in
      for await pending in stored.pendingCount() { self?.showCount(pending) }
    }
    updated()
    showNewAbove()
    gtk_widget_show(window)
  }

  /// Ends it; the place is kept.
  func close() {
    savePlace()
    try? stored.flushPosition()
    counting?.cancel()
    saving?.cancel()
    gtk_window_destroy(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self))
    pager.close()
  }

  // MARK: - Commands

  /// Asks for what is new; the reader stays in place.
  func refresh() { Task { await list.refresh() } }

  /// The newest stored rows at once, without a connection too; then those of the server.
  func goToNewest() {
    goesToTop = true
    try? stored.jumpToNewest()
    Task {
      await list.settled()
      laidOut()
      goesToTop = false
    }
  }

  func scroll(to value: Double) { gtk_adjustment_set_value(adjustment, value) }
  var offset: Double { gtk_adjustment_get_value(adjustment) }
  var pageHeight: Double { gtk_adjustment_get_page_size(adjustment) }
  /// How far it can be scrolled.
  var end: Double { gtk_adjustment_get_upper(adjustment) - pageHeight }

  // MARK: - What happens

  private func updated() {
    restorePlace()
    updates += 1
    guard !isWaiting else { return }
    isWaiting = true
    Task { [weak self, window] in
      var laidOut = 0
      while let updates = self?.updates, updates != laidOut {
        laidOut = updates
        // The first frame begins before the rows are laid out, the second one after that.
        await Frames.next(of: window)
        await Frames.next(of: window)
      }
      self?.laidOut()
    }
  }

  private func laidOut() {
    isWaiting = false
    rows.isUnlaid = false
    if goesToTop { scroll(to: 0) }
    scrolledOrGrown()
  }

  private func showCount(_ pending: PendingCount) {
    gtk_widget_set_visible(bar, pending.count > 0 ? 1 : 0)
    let more = pending.isLowerBound ? "+" : ""
    gtk_button_set_label(
      UnsafeMutableRawPointer(bar).assumingMemoryBound(to: GtkButton.self), "\(pending.count)\(more) new posts")
  }

  /// Keeps the button to the newest post saying how many went in above and were not on screen yet. The row of a gap among them
  /// counts as none.
  private func showNewAbove() {
    let new = withObservationTracking {
      list.rows.prefix(list.unseenRowsAtStart).count { $0.item?.item != nil }
    } onChange: { [weak self] in
      Task { @MainActor in self?.showNewAbove() }
    }
    guard new != newAbove else { return }
    newAbove = new
    gtk_button_set_label(
      UnsafeMutableRawPointer(newestButton).assumingMemoryBound(to: GtkButton.self),
      new > 0 ? "\(new) new above" : "Newest")
  }

  private func scrolledOrGrown() {
    let height = Double(RowView.height)
    let count = rows.shown.count + 2
    let first = min(max(0, Int(offset / height)), count)
    let end = min(count, Int(((offset + pageHeight) / height).rounded(.up)))
    rows.areOnScreen(first..<max(first, end))
    guard saved == nil, !rows.isUnlaid else { return }
    saving?.cancel()
    saving = Task { [weak self] in
      try await Task.sleep(for: .milliseconds(300))
      self?.savePlace()
    }
  }

  // MARK: - The reader's place

  private func savePlace() {
    guard saved == nil else { return }
    let height = Double(RowView.height)
    // The first row whose top is on screen; the row at the upper edge of the list is none of the feed.
    let first = max(0, Int((offset / height).rounded(.up)) - 1)
    // The list may be a shorter one by now, which GTK has yet to lay out.
    guard let index = rows.shown.indices.dropFirst(first).first(where: { rows.shown[$0].item?.item != nil }),
      let post = rows.shown[index].item?.item
    else { return }
    let place = ListPosition(item: post.id, offset: Double(index + 1) * height - offset)
    try? stored.savePosition(place)
  }

  private func restorePlace() {
    guard let place = saved, !rows.shown.isEmpty else { return }
    guard offset(of: place) != nil else { return saved = nil }
    guard !isRestoring else { return }
    isRestoring = true
    Task { [weak self] in
      // Once GTK has laid the rows out it knows how far it can be scrolled.
      for _ in 0..<30 {
        guard let self, let target = offset(of: place), abs(offset - target) > 0.5 else { break }
        scroll(to: target)
        await Frames.next(of: window)
      }
      self?.saved = nil
    }
  }

  private func offset(of place: ListPosition<Int>) -> Double? {
    let index = rows.shown.firstIndex { $0.item?.item?.id == place.item }
    return index.map { Double($0 + 1) * Double(RowView.height) - place.offset }
  }
}
