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
  let buttons: [Widget]
  var imageBinding = ImageBinding()
  /// What it shows now; nil while GTK keeps it for later.
  private(set) var row: FeedRow?
  /// What it stands for, as the model has it.
  var place: FeedRows.Place?
  /// Whether its picture is asked for.
  private(set) var isOnScreen = false
  private let item: OpaquePointer
  private var actions: [@MainActor () -> Void] = []
  private let images: any ImageProviding

  init(item: OpaquePointer, images: any ImageProviding) {
    self.item = item
    self.images = images
    widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    picture = gtk_picture_new()
    label = gtk_label_new(nil)
    buttons = [gtk_button_new(), gtk_button_new()]
    gtk_widget_set_size_request(widget, -1, Int32(Self.height))
    // A row has its height before its picture comes.
    gtk_widget_set_size_request(picture, Int32(PostPicture.side), Int32(PostPicture.side))
    gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_start(picture, 8)
    gtk_widget_set_hexpand(label, 1)
    gtk_label_set_xalign(OpaquePointer(label), 0)
    gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
    for part in [picture, label] + buttons { gtk_box_append(box, part) }
    for (index, button) in buttons.enumerated() {
      gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
      connect(button, "clicked") { [weak self] in self?.actions[index]() }
    }
  }

  private var box: UnsafeMutablePointer<GtkBox> { UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkBox.self) }

  /// Where it is in the model now.
  var position: Int { Int(gtk_list_item_get_position(item)) }

  /// Shows a row; its picture only while it is on screen.
  func bind(_ row: FeedRow) {
    if row.picture != self.row?.picture { leave() }
    self.row = row
    gtk_label_set_text(OpaquePointer(label), row.text)
    gtk_widget_set_sensitive(label, row.isPlaceholder ? 0 : 1)
    gtk_widget_set_visible(picture, row.hasPicture ? 1 : 0)
    actions = row.actions.map(\.run)
    for (index, button) in buttons.enumerated() {
      gtk_widget_set_visible(button, index < actions.count ? 1 : 0)
      if index < actions.count {
        gtk_button_set_label(
          UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), row.actions[index].title)
      }
    }
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
    let texture = content.image.map(Self.texture)
    gtk_picture_set_paintable(OpaquePointer(picture), texture)
    if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
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
