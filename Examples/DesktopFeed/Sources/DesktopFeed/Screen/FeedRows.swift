import CGTK
import GTKShim
import ImageLoading
import Paging
import PagingStore
import PagingUI

/// The rows of a list as GTK sees them: a list model, and a factory that binds what is near the screen.
///
/// Each row has one object for as long as it is in the list. By that GTK knows rows again that an update took along: it keeps their
/// widgets and doesn't bind them anew.
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
  /// What GTK has been told of.
  private(set) var shown: PagingSnapshot<Item>
  /// Called for a gap's button.
  var fill: @MainActor (Gap, GapSide) -> Void = { _, _ in }
  /// Which rows of the model are on screen, as far as is known; told by the window.
  private var onScreen = 0..<0

  private let list: PagedList<Item>
  private let images: any ImageProviding
  private var views: [OpaquePointer: RowView] = [:]
  private var objects: [Place: UnsafeMutableRawPointer] = [:]
  private var model: OpaquePointer?
  private var observation: PagedListObservation?

  init(_ list: PagedList<Item>, images: any ImageProviding) {
    self.list = list
    self.images = images
    shown = list.rows
    model = feed_model_new(
      { context, position in
        var object: UnsafeMutableRawPointer?
        onMain { object = FeedRows.at(context).object(at: Int(position)) }
        return object
      }, context)
    feed_model_splice(model, 0, 0, guint(shown.count + 2))
  }

  isolated deinit { for object in objects.values { g_object_unref(object) } }

  /// A list view of these rows, which must not outlive them.
  func makeListView() -> Widget? {
    let factory = feed_factory_new(
      { context, item in onMain { FeedRows.at(context).setUp(item) } },
      { context, item in onMain { FeedRows.at(context).bind(item) } },
      { context, item in onMain { FeedRows.at(context).unbind(item) } },
      { context, item in onMain { FeedRows.at(context).tearDown(item) } }, context)
    return gtk_list_view_new(gtk_no_selection_new(model), factory)
  }

  /// Follows the list from now on; `onUpdate` is called after each update of the widgets.
  func follow(onUpdate: @escaping @MainActor () -> Void) {
    observation = list.observe { [weak self] _ in
      self?.update()
      onUpdate()
    }
  }

  // MARK: - Updates

  /// One update of the widgets for one of the list: the stretch from the first row that changed its place to the last.
  private func update() {
    let changes = list.changes
    let old = shown
    shown = list.rows
    counts.updateBegins(bound: bound)
    if let stretch = changes.stretch(from: old.count, to: shown.count) {
      counts.splices += 1
      feed_model_splice(
        model, guint(stretch.start + 1), guint(stretch.removed), guint(stretch.added))
    }
    counts.updateEnds()
    // Rows that only show something else are told so themselves; for GTK they are the same.
    for index in changes.updates { refresh(.row(shown[index].id), at: index + 1) }
    refresh(.top, at: 0)
    refresh(.bottom, at: shown.count + 1)
    for index in changes.removals { forget(.row(old[index].id)) }
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
      let state = states.refresh.failure == nil ? states.prepend : states.refresh
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
    guard positions != onScreen else { return }
    onScreen = positions
    for view in bound.values where view.isOnScreen != positions.contains(view.position) {
      if view.isOnScreen { view.leave() } else { view.enter() }
    }
    list.visibleRows(max(0, positions.lowerBound - 1)..<max(0, positions.upperBound - 1))
  }

  private func setUp(_ item: OpaquePointer?) {
    guard let item else { return }
    let view = RowView(item: item, images: images)
    views[item] = view
    gtk_list_item_set_child(item, view.widget)
    gtk_list_item_set_activatable(item, 0)
  }

  private func bind(_ item: OpaquePointer?) {
    guard let item, let view = views[item] else { return }
    let position = view.position
    let place = place(at: position)
    counts.binds(place)
    view.place = place
    bound[place] = view
    view.bind(content(at: position))
    if onScreen.contains(position) { view.enter() }
  }

  private func unbind(_ item: OpaquePointer?) {
    guard let item, let view = views[item], let place = view.place else { return }
    // Another widget may show the row by now.
    if bound[place] === view { bound[place] = nil }
    view.unbind()
  }

  private func tearDown(_ item: OpaquePointer?) {
    if let item { views[item] = nil }
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: UnsafeMutableRawPointer?) -> FeedRows {
    Unmanaged<FeedRows>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}
