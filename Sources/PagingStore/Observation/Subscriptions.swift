import Synchronization

/// Which lists are told by a server what is new, without a break.
///
/// A subscription is a number. Where it is still the one at which a question left, nothing was missed meanwhile. They
/// are kept in memory only: after a restart there are none.
final class Subscriptions: Sendable {
  private struct State {
    var current: [ListName: Int64] = [:]
    var last: Int64 = 0
  }

  private let state = Mutex(State())

  /// The unbroken subscription of a list; nil: there is none.
  func current(of list: ListName) -> Int64? { state.withLock { $0.current[list] } }

  /// A subscription begins; another one of the list ends.
  func begin(_ list: ListName) -> Int64 {
    state.withLock { state in
      state.last += 1
      state.current[list] = state.last
      return state.last
    }
  }

  /// A subscription breaks or ends.
  ///
  /// - Returns: Whether it was the list's current one.
  func end(_ subscription: Int64, of list: ListName) -> Bool {
    state.withLock { state in
      guard state.current[list] == subscription else { return false }
      state.current[list] = nil
      return true
    }
  }
}
