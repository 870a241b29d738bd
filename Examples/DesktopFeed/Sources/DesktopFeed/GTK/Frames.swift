import CGTK

/// Waits for the frames of a window.
@MainActor
enum Frames {
  /// Returns when the window begins its next frame.
  static func next(of widget: Widget) async {
    await withCheckedContinuation { continuation in
      let box = Unmanaged.passRetained(Waiter(continuation)).toOpaque()
      gtk_widget_add_tick_callback(
        widget,
        { _, _, context in
          onMain { context.map { Unmanaged<Waiter>.fromOpaque($0).takeRetainedValue().continuation.resume() } }
          return 0
        }, box, nil)
    }
  }
}

private final class Waiter {
  let continuation: CheckedContinuation<Void, Never>
  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
}
