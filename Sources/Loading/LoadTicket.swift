import Synchronization

/// A piece of work's place in line: its priority can be changed while it waits.
///
/// The one who waits writes the priority, whoever runs the work reads it. (A task's own priority can only be raised,
/// so it can't serve.) Every member may be used from any thread.
public final class LoadTicket: Sendable {
  private let level: Mutex<LoadPriority>

  /// A ticket of that priority.
  public init(priority: LoadPriority = .medium) {
    level = Mutex(priority)
  }

  /// How soon the work should run; takes effect for work that has not started.
  public var priority: LoadPriority {
    get { level.withLock { $0 } }
    set { level.withLock { $0 = newValue } }
  }
}
