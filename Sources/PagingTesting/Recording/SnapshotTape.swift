import Paging
import Synchronization

/// What a recorder has noted, and how many wait for more.
final class SnapshotTape<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    var snapshots: [PagingSnapshot<Item>] = []
    /// How many were noted before those.
    var forgotten = 0
    var isOver = false

    var count: Int { forgotten + snapshots.count }
  }

  private let state = Mutex(State())
  private let told = Tally()

  var snapshots: [PagingSnapshot<Item>] { state.withLock { $0.snapshots } }

  /// Called under the content's locks: this lock is never held while anything else is called.
  func note(_ snapshot: PagingSnapshot<Item>) {
    state.withLock { $0.snapshots.append(snapshot) }
  }

  /// Lets those go on who wait for what was noted.
  func told(isOver: Bool) {
    let count = state.withLock { state in
      state.isOver = state.isOver || isOver
      return state.isOver ? Int.max : state.count
    }
    told.rise(to: count)
  }

  func removeAll() {
    // The rows of what is forgotten may die with it, outside the lock.
    _ = state.withLock { state in
      state.forgotten = state.count
      defer { state.snapshots = [] }
      return state.snapshots
    }
  }

  /// What is on the record beyond a version, how many were ever noted, and whether no more will be.
  func newer(than version: UInt64?) -> (news: [PagingSnapshot<Item>], count: Int, isOver: Bool) {
    state.withLock { state in
      let start = state.snapshots.lastIndex { $0.version <= version ?? 0 }.map { $0 + 1 } ?? 0
      return (Array(state.snapshots[(version == nil ? 0 : start)...]), state.count, state.isOver)
    }
  }

  /// Returns when that many are on the record, the content has ended, or the task is cancelled.
  func reached(_ count: Int) async {
    let (sum, overflows) = state.withLock { $0.forgotten }.addingReportingOverflow(count)
    await reachedInAll(overflows ? .max : sum)
  }

  /// Returns when that many were ever noted, the content has ended, or the task is cancelled.
  func reachedInAll(_ count: Int) async {
    await told.reached(count)
  }
}
