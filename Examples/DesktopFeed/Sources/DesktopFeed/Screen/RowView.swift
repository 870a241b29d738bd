import CGTK
import ImageCodecs
import ImageLoading
import PagingStore

/// The widgets of one row on screen. GTK uses them for one row after the other.
@MainActor
final class RowView: ImageTarget {
  /// All rows are of one height, so a place in the list is a multiple of it.
  static let height = 48

  let widget: Widget
  let picture: Widget
  let label: Widget
  /// Made when a row first needs them: most show a post.
  private(set) var buttons: [Widget] = []
  var imageBinding = ImageBinding()
  /// What it shows now; nil while GTK keeps it for later.
  private(set) var row: FeedRow?
  /// What it stands for, as the model has it.
  var place: FeedRows.Place?
  /// Whether GTK shows it.
  var isBound = false
  /// Whether its picture is asked for.
  private(set) var isOnScreen = false
  /// GTK's side of it; nil while it is spare.
  var item: OpaquePointer?
  private var actions: [@MainActor () -> Void] = []
  private let images: any ImageProviding

  init(images: any ImageProviding) {
    self.images = images
    widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    picture = gtk_picture_new()
    label = gtk_label_new(nil)
    g_object_ref_sink(UnsafeMutableRawPointer(widget))
    gtk_widget_set_size_request(widget, -1, Int32(Self.height))
    // A row has its height before its picture comes.
    gtk_widget_set_size_request(picture, Int32(PostPicture.side), Int32(PostPicture.side))
    gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_start(widget, 8)
    gtk_widget_set_margin_end(widget, 8)
    gtk_widget_set_hexpand(label, 1)
    gtk_label_set_xalign(OpaquePointer(label), 0)
    gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
    // Its own size, not that of the row.
    gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_FILL)
    for part in [picture, label] { gtk_box_append(box, part) }
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(widget)) }

  private var box: UnsafeMutablePointer<GtkBox> { UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkBox.self) }

  /// Where it is in the model now.
  var position: Int { item.map { Int(gtk_list_item_get_position($0)) } ?? -1 }

  /// Shows a row; its picture only while it is on screen.
  func bind(_ row: FeedRow) {
    if row.picture != self.row?.picture { leave() }
    self.row = row
    gtk_label_set_text(OpaquePointer(label), row.text)
    gtk_widget_set_sensitive(label, row.isPlaceholder ? 0 : 1)
    gtk_widget_set_visible(picture, row.hasPicture ? 1 : 0)
    show(row.actions)
  }

  private func show(_ shown: [FeedRow.Action]) {
    actions = shown.map(\.run)
    while buttons.count < actions.count { addButton() }
    for (index, button) in buttons.enumerated() {
      gtk_widget_set_visible(button, index < shown.count ? 1 : 0)
      guard index < shown.count else { continue }
      gtk_button_set_label(
        UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), shown[index].title)
    }
  }

  private func addButton() {
    guard let button = gtk_button_new() else { return }
    let index = buttons.count
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    connect(button, "clicked") { [weak self] in self?.actions[index]() }
    gtk_box_append(box, button)
    buttons.append(button)
  }

  func unbind() {
    leave()
    row = nil
    place = nil
  }

  /// The row came on screen: its picture is asked for. What is bound already goes on.
  func enter() {
    isOnScreen = true
    guard let name = row?.picture else { return }
    let side = PixelSize(width: PostPicture.side, height: PostPicture.side)
    images.load(ImageRequest(source: .custom(name), target: .fill(side)), into: self)
  }

  /// The row left the screen: its picture isn't waited for any more.
  func leave() {
    isOnScreen = false
    images.load(nil, into: self)
  }

  func show(_ content: ImageContent) {
    HoldMeter.shared.measure(.pictures) {
      let texture = content.image.map(Self.texture)
      gtk_picture_set_paintable(OpaquePointer(picture), texture)
      if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }
  }

  /// The pixels as GTK takes them; their memory is copied.
  private static func texture(_ image: DecodedImage) -> OpaquePointer {
    let bytes = image.withPixels { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { g_bytes_unref(bytes) }
    return gdk_memory_texture_new(
      Int32(image.size.width), Int32(image.size.height), GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes,
      gsize(4 * image.size.width))
  }
}
