public import Loading
import Synchronization

/// One load's handle: ends it, hurries it, tells how far it has come. Every member may be used from any thread.
///
/// Letting go of a task doesn't end its load.
public final class ImageTask: Sendable {
  private struct State {
    var progress = ImageProgress()
    var onCancel: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  let ticket: LoadTicket

  /// A task for a double of one's own; `onCancel` is called at most once, outside any lock.
  public convenience init(onCancel: @escaping @Sendable () -> Void = {}) {
    self.init(ticket: LoadTicket(), onCancel: onCancel)
  }

  convenience init(priority: LoadPriority, onCancel: @escaping @Sendable () -> Void) {
    self.init(ticket: LoadTicket(priority: priority), onCancel: onCancel)
  }

  init(ticket: LoadTicket, onCancel: @escaping @Sendable () -> Void) {
    self.ticket = ticket
    state = Mutex(State(onCancel: onCancel))
  }

  /// Ends the load; nothing is told to anyone from here on. Without effect when it has ended.
  public func cancel() { finish()?() }

  /// How soon; takes effect for each stage that has not begun. Without effect when the load has ended.
  public var priority: LoadPriority {
    get { ticket.priority }
    set { ticket.priority = newValue }
  }

  /// How far the download has come; zero while nothing has come, and for what needs none.
  public var progress: ImageProgress { state.withLock { $0.progress } }

  /// Whether the load has ended, one way or another.
  var isOver: Bool { state.withLock { $0.onCancel == nil } }

  func advance(to progress: ImageProgress) { state.withLock { $0.progress = progress } }

  /// The load is over: what would have ended it is let go of, and returned.
  @discardableResult func finish() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer { state.onCancel = nil }
      return state.onCancel
    }
  }
}
