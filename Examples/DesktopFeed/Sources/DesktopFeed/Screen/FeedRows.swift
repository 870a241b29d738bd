import CGTK
import GTKShim
import ImageLoading
import Paging
import PagingStore
import PagingUI

/// The rows of a list as GTK sees them: a list model, and a factory that binds what is near the screen.
///
/// An update tells GTK of the stretches that went and came, and of nothing in between: rows that stay keep their widgets, and the row in
/// the middle of the screen its place. All of it is in one turn, so the widgets are laid out once.
@MainActor
final class FeedRows {
  typealias Item = ListRow<Post>

  /// What a row of the model stands for. The edges are always there, so that they come and go without moving anything.
  enum Place: Hashable {
    case top, bottom
    case row(PagingRow<Item>.ID)
  }

  /// What the script counts.
  private(set) var counts = BindCounts()
  /// The widgets that show something now.
  private(set) var bound: [Place: RowView] = [:]
  /// The rows that GTK has been told of, without the two at the edges.
  private(set) var shown: [PagingRow<Item>]
  /// Whether GTK has yet to lay out an update: offsets belong to the rows before it.
  var isUnlaid = false
  /// Called for a gap's button.
  var fill: @MainActor (Gap, GapSide) -> Void = { _, _ in }
  /// Which rows of the model are on screen, as far as is known; told by the window.
  private var onScreen = 0..<0

  private let list: PagedList<Item>
  private let images: any ImageProviding
  private var views: [OpaquePointer: RowView] = [:]
  /// Those of rows that GTK has given up: to make widgets takes longer than to show another row in them.
  private var spares: [RowView] = []
  private var objects: [Place: UnsafeMutableRawPointer] = [:]
  private var model: OpaquePointer?
  private var listView: Widget?
  /// Those that GTK took a row from, perhaps only to give it back.
  private var unbound: [RowView] = []
  private var observation: PagedListObservation?

  init(_ list: PagedList<Item>, images: any ImageProviding) {
    self.list = list
    self.images = images
    shown = Array(list.rows)
    model = feed_model_new(
      { context, position in
        var object: UnsafeMutableRawPointer?
        onMain(.rows) { object = FeedRows.at(context).object(at: Int(position)) }
        return object
      }, context)
    feed_model_splice(model, 0, 0, guint(shown.count + 2))
  }

  isolated deinit { for object in objects.values { g_object_unref(object) } }

  /// A list view of these rows, which must not outlive them.
  func makeListView() -> Widget? {
    if let listView { return listView }
    let factory = feed_factory_new(
      { context, item in onMain(.rows) { FeedRows.at(context).setUp(item) } },
      { context, item in onMain(.rows) { FeedRows.at(context).bind(item) } },
      { context, item in onMain(.rows) { FeedRows.at(context).unbind(item) } },
      { context, item in onMain(.rows) { FeedRows.at(context).tearDown(item) } }, context)
    listView = gtk_list_view_new(gtk_no_selection_new(model), factory)
    return listView
  }

  /// Follows the list from now on; `onUpdate` is called after each update of the widgets.
  func follow(onUpdate: @escaping @MainActor () -> Void) {
    observation = list.observe { [weak self] _ in
      HoldMeter.shared.measure(.updates) {
        self?.update()
        onUpdate()
      }
    }
  }

  // MARK: - Updates

  private func update() {
    let changes = HoldMeter.shared.measure(.changes) { list.changes }
    let rows = list.rows
    counts.updateBegins(bound: bound)
    // Until GTK has laid out an earlier update, it holds the row of that one, and offsets say nothing.
    if !isUnlaid { holdMiddle(except: Set(changes.removals)) }
    isUnlaid = true
    for gone in changes.removedStretches {
      let ids = shown[gone].map(\.id)
      shown.removeSubrange(gone)
      tellOfSplice(at: gone.lowerBound, removed: gone.count, added: 0)
      for id in ids { forget(.row(id)) }
    }
    for new in changes.insertedStretches {
      shown.insert(contentsOf: rows[new], at: new.lowerBound)
      tellOfSplice(at: new.lowerBound, removed: 0, added: new.count)
    }
    counts.updateEnds()
    releaseUnbound()
    // Rows that only show something else are told so themselves; for GTK they are the same.
    for index in changes.updates {
      shown[index] = rows[index]
      refresh(.row(rows[index].id), at: index + 1)
    }
    refresh(.top, at: 0)
    refresh(.bottom, at: shown.count + 1)
  }

  /// Has GTK keep the row in the middle of the screen at its pixel, or the post nearest to it. By itself it keeps one nearer to the edge at the
  /// edges of the list: there that is a row which moves away, as a gap does that is filled.
  private func holdMiddle(except gone: Set<Int>) {
    guard !shown.isEmpty else { return }
    let middle = (onScreen.lowerBound + onScreen.upperBound) / 2
    let kept = onScreen.filter {
      (1...shown.count).contains($0) && !gone.contains($0 - 1) && shown[$0 - 1].item?.gap == nil
    }
    guard let row = kept.min(by: { abs($0 - middle) < abs($1 - middle) }) else { return }
    gtk_widget_activate_action_variant(listView, "list.scroll-to-item", g_variant_new_uint32(guint32(row)))
  }

  private func tellOfSplice(at index: Int, removed: Int, added: Int) {
    counts.splices += 1
    HoldMeter.shared.measure(.splices) { feed_model_splice(model, guint(index + 1), guint(removed), guint(added)) }
  }

  private func refresh(_ place: Place, at position: Int) {
    guard let view = bound[place] else { return }
    view.bind(content(at: position))
    if onScreen.contains(position) { view.enter() }
  }

  private func forget(_ place: Place) {
    guard bound[place] == nil, let object = objects.removeValue(forKey: place) else { return }
    g_object_unref(object)
  }

  // MARK: - What is where

  private func place(at position: Int) -> Place {
    if position == 0 { return .top }
    return position <= shown.count ? .row(shown[position - 1].id) : .bottom
  }

  private func object(at position: Int) -> UnsafeMutableRawPointer? {
    let place = place(at: position)
    let object = objects[place] ?? feed_row_new()
    objects[place] = object
    return object.map { g_object_ref($0) }
  }

  private func content(at position: Int) -> FeedRow {
    let states = list.loadStates
    if position == 0 {
      let isRefresh = states.refresh.isLoading || states.refresh.failure != nil
      let state = isRefresh ? states.refresh : states.prepend
      return .edge(state, end: "The newest post") { [list] in list.retry() }
    }
    if position > shown.count { return .edge(states.append, end: "The first post") { [list] in list.retry() } }
    let item = shown[position - 1].item
    if let gap = item?.gap { return .gap(gap) { [weak self] side in self?.fill(gap, side) } }
    return item?.item.map(FeedRow.post) ?? .placeholder
  }

  // MARK: - Widgets

  /// Says which rows of the model are on screen: those get pictures.
  func areOnScreen(_ positions: Range<Int>) {
    onScreen = positions
    releaseUnbound()
    for view in bound.values where view.isOnScreen != positions.contains(view.position) {
      if view.isOnScreen { view.leave() } else { view.enter() }
    }
    list.visibleRows(max(0, positions.lowerBound - 1)..<max(0, positions.upperBound - 1))
  }

  private func setUp(_ item: OpaquePointer?) {
    guard let item else { return }
    let view = spares.popLast() ?? RowView(images: images)
    view.item = item
    views[item] = view
    gtk_list_item_set_child(item, view.widget)
    gtk_list_item_set_activatable(item, 0)
  }

  private func bind(_ item: OpaquePointer?) {
    guard let item, let view = views[item] else { return }
    let position = view.position
    let place = place(at: position)
    bound[place] = view
    view.isBound = true
    // GTK 4.8 unbinds and binds a row also where only its position is another: it shows what it did.
    if view.place == place { return }
    counts.binds(place)
    view.place = place
    view.bind(content(at: position))
    if onScreen.contains(position) { view.enter() }
  }

  private func unbind(_ item: OpaquePointer?) {
    guard let item, let view = views[item], let place = view.place else { return }
    // Another widget may show the row by now.
    if bound[place] === view { bound[place] = nil }
    view.isBound = false
    unbound.append(view)
  }

  private func releaseUnbound() {
    for view in unbound where !view.isBound { view.unbind() }
    unbound = []
  }

  private func tearDown(_ item: OpaquePointer?) {
    guard let item, let view = views.removeValue(forKey: item) else { return }
    gtk_list_item_set_child(item, nil)
    view.item = nil
    view.unbind()
    spares.append(view)
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: UnsafeMutableRawPointer?) -> FeedRows {
    Unmanaged<FeedRows>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}
