import CGTK

/// One row as its widgets have it.
struct SeenRow {
  var place: FeedRows.Place
  var text: String
  /// From the upper edge of the list to that of the row, in pixels.
  var top: Double
  /// The colour in the middle of its picture; nil: there is none.
  var color: [UInt8]?

  /// The number of the post whose text it shows.
  var post: Int? {
    guard text.hasPrefix("Post ") else { return nil }
    return Int(text.dropFirst(5).prefix { $0.isNumber })
  }
}

extension FeedWindow {
  /// The rows on screen from the top down, read from the widgets and their allocation.
  func seenRows(withPictures: Bool = true) -> [SeenRow] {
    rows.bound.compactMap { place, view -> SeenRow? in
      guard gtk_widget_get_mapped(view.widget) != 0, let top = top(of: view) else { return nil }
      guard top + Double(RowView.height) > 0, top < pageHeight else { return nil }
      let text = gtk_label_get_text(OpaquePointer(view.label)).map { String(cString: $0) } ?? ""
      return SeenRow(place: place, text: text, top: top, color: withPictures ? color(of: view) : nil)
    }.sorted { $0.top < $1.top }
  }

  /// Whether the rows are where the offset has them: GTK moves them with the next frame, or one later where it is behind.
  var isLaidOut: Bool {
    guard let view = rows.bound.values.first(where: { gtk_widget_get_mapped($0.widget) != 0 }), let top = top(of: view)
    else { return false }
    return abs(Double(view.position * RowView.height) - offset - top) < 1
  }

  /// The first post on screen; nil: none is.
  var firstPost: Int? { seenRows(withPictures: false).lazy.compactMap(\.post).first }

  /// Where a row is on screen; nil: it has no widget.
  func top(of place: FeedRows.Place) -> Double? { rows.bound[place].flatMap(top) }

  private func top(of view: RowView) -> Double? {
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(view.widget, scrolled, &bounds) != 0 else { return nil }
    return Double(bounds.origin.y)
  }

  private func color(of view: RowView) -> [UInt8]? {
    guard gtk_widget_get_visible(view.picture) != 0,
      let texture = gtk_picture_get_paintable(OpaquePointer(view.picture))
    else { return nil }
    let (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    gdk_texture_download(texture, &pixels, gsize(width * 4))
    let middle = (height / 2 * width + width / 2) * 4
    return [pixels[middle + 2], pixels[middle + 1], pixels[middle]]  // GTK gives blue, green, red
  }
}
