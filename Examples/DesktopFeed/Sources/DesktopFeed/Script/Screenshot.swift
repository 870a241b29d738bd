import CGTK
import Foundation

extension FeedWindow {
  /// Writes what the window shows as a PNG file.
  func takeScreenshot(to file: URL) {
    let paintable = gtk_widget_paintable_new(window)
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    let snapshot = gtk_snapshot_new()
    let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
    gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
    guard let node = gtk_snapshot_free_to_node(snapshot), let renderer = gtk_native_get_renderer(OpaquePointer(window))
    else { return }
    defer { gsk_render_node_unref(node) }
    guard let texture = gsk_renderer_render_texture(renderer, node, nil) else { return }
    gdk_texture_save_to_png(texture, file.path())
    g_object_unref(UnsafeMutableRawPointer(texture))
  }
}
