import CGTK
import Dispatch
import GTKShim

/// GTK's loop with the main actor in it.
///
/// Main-actor jobs go to the main dispatch queue, which a program runs by `dispatchMain()` or by Foundation's run loop; GTK's loop
/// knows of neither. On Linux libdispatch has an event file descriptor for such loops, readable while the queue has work, and a
/// function that runs what the queue has: the two that Foundation itself uses. GLib watches the descriptor, beside what else it waits for; so
/// a job runs in the turn in which it comes, and an idle program sleeps. It needs no timer and no thread.
@MainActor
enum MainLoop {
  private static let loop = g_main_loop_new(nil, 0)

  /// Runs until ``quit()``. To be called from a `main` that isn't async: there nobody else runs the queue.
  static func run() {
    feed_watch_main_queue { _ in onMain(.jobs) { feed_drain_main_queue() } }
    g_main_loop_run(loop)
  }

  static func quit() { g_main_loop_quit(loop) }
}

/// What every callback of GTK goes through: they come on the main thread, and are measured.
func onMain(_ part: HoldMeter.Part = .other, _ body: @MainActor () -> Void) {
  MainActor.assumeIsolated { HoldMeter.shared.measure(part, body) }
}
