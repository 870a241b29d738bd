import CGTK
import GTKShim

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Calls `action` when `instance` sends `signal`. The action lives as long as the instance does.
@MainActor
func connect(
  _ instance: UnsafeMutableRawPointer, _ signal: String, as part: HoldMeter.Part = .other,
  _ action: @escaping @MainActor () -> Void
) {
  let box = Unmanaged.passRetained(Action(part, action)).toOpaque()
  feed_connect(
    instance, signal,
    { context in
      MainActor.assumeIsolated {
        let action = Action.at(context)
        HoldMeter.shared.measure(action.part, action.run)
      }
    }, box)
  keep(box, asLongAs: instance)
}

/// Calls `action` when somebody pulls a scrolled window down beyond its upper edge. The action lives as long as that does.
@MainActor
func connectPulls(_ scrolled: Widget, _ action: @escaping @MainActor () -> Void) {
  let box = Unmanaged.passRetained(Action(.other, action)).toOpaque()
  feed_connect_overshot(
    scrolled, { context, edge in if edge == GTK_POS_TOP { onMain { Action.at(context).run() } } }, box)
  keep(box, asLongAs: scrolled)
}

@MainActor
private func keep(_ box: UnsafeMutableRawPointer, asLongAs instance: UnsafeMutableRawPointer) {
  g_object_weak_ref(
    instance.assumingMemoryBound(to: GObject.self),
    { context, _ in context.map { Unmanaged<Action>.fromOpaque($0).release() } }, box)
}

@MainActor
private final class Action {
  let part: HoldMeter.Part
  let run: @MainActor () -> Void

  init(_ part: HoldMeter.Part, _ run: @escaping @MainActor () -> Void) {
    self.part = part
    self.run = run
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> Action {
    Unmanaged<Action>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}
