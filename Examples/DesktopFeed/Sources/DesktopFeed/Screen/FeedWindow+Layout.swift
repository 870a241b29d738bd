import CGTK

extension FeedWindow {
  /// Puts the widgets into each other.
  func layOut(_ height: Int32) {
    Self.loadStyle()
    let header = gtk_header_bar_new()
    gtk_header_bar_pack_start(OpaquePointer(header), newestButton)
    gtk_header_bar_pack_end(OpaquePointer(header), refreshButton)
    gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(OpaquePointer(scrolled), rows.makeListView())
    gtk_widget_set_vexpand(scrolled, 1)
    let overlay = gtk_overlay_new()
    gtk_overlay_set_child(OpaquePointer(overlay), scrolled)
    gtk_overlay_add_overlay(OpaquePointer(overlay), bar)
    gtk_widget_set_halign(bar, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(bar, GTK_ALIGN_START)
    gtk_widget_set_margin_top(bar, 12)
    gtk_widget_set_visible(bar, 0)
    let window = UnsafeMutableRawPointer(self.window).assumingMemoryBound(to: GtkWindow.self)
    gtk_window_set_titlebar(window, header)
    gtk_window_set_title(window, "Feed")
    gtk_window_set_default_size(window, 480, height)
    gtk_window_set_child(window, overlay)
  }

  /// Rows as high as their content, so that all are of one height.
  private static func loadStyle() {
    let style = gtk_css_provider_new()
    gtk_css_provider_load_from_data(style, "listview > row { padding: 0; min-height: 0; }", -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(style), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }
}
