import CGTK
import GTKShim

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Calls `action` when `instance` sends `signal`. The action lives as long as the instance does.
@MainActor
func connect(_ instance: UnsafeMutableRawPointer, _ signal: String, _ action: @escaping @MainActor () -> Void) {
  let box = Unmanaged.passRetained(Action(action)).toOpaque()
  feed_connect(instance, signal, { context in onMain { Action.at(context).run() } }, box)
  g_object_weak_ref(
    instance.assumingMemoryBound(to: GObject.self),
    { context, _ in context.map { Unmanaged<Action>.fromOpaque($0).release() } }, box)
}

@MainActor
private final class Action {
  let run: @MainActor () -> Void
  init(_ run: @escaping @MainActor () -> Void) { self.run = run }

  static func at(_ context: UnsafeMutableRawPointer?) -> Action {
    Unmanaged<Action>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}
