import Synchronization

/// A piece of work's place in line: its priority can be changed while it waits.
///
/// The one who waits writes the priority, whoever runs the work reads it. (A task's own priority can only be raised,
/// so it can't serve.) One ticket may be given to several pieces of work. Every member may be used from any thread.
public final class LoadTicket: Sendable {
  private struct State {
    var priority: LoadPriority
    var observers: [UInt64: @Sendable () -> Void] = [:]
    var nextID: UInt64 = 0
  }

  private let state: Mutex<State>

  /// A ticket of that priority.
  public init(priority: LoadPriority = .medium) {
    state = Mutex(State(priority: priority))
  }

  /// How soon the work should run; takes effect for work that has not started.
  public var priority: LoadPriority {
    get { state.withLock { $0.priority } }
    set {
      let observers = state.withLock { state -> [@Sendable () -> Void] in
        guard state.priority != newValue else { return [] }
        state.priority = newValue
        return Array(state.observers.values)
      }
      for changed in observers { changed() }
    }
  }

  /// Has `changed` called after each change of the priority, on the thread that made it, until ``stopObserving(_:)``.
  ///
  /// Changes made at the same time may be told of out of order, so who is called reads the priority anew. Of several
  /// observers any may come first.
  ///
  /// - Returns: What to end it with.
  package func observe(_ changed: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = changed
      return state.nextID
    }
  }

  /// Ends an observation; a call that is under way may still come.
  package func stopObserving(_ id: UInt64) {
    // Handed out, so that what it holds goes after the lock.
    _ = state.withLock { $0.observers.removeValue(forKey: id) }
  }

  /// How many observe it.
  package var observerCount: Int { state.withLock { $0.observers.count } }
}
