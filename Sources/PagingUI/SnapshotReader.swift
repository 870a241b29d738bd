import Paging
import Synchronization

/// Reads a content's snapshots off the main actor and says there that newer ones have come: one hop for all that came
/// since the last one.
///
/// An observer of the content while it lives.
final class SnapshotReader<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Whether a hop is on its way.
  private let isTold: HopFlag
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - snapshots: A stream of the content, which is observed by it from its making on.
  ///   - cameNewer: Called on the main actor; it calls ``answer()`` before it reads what has come.
  init(
    _ snapshots: sending PagingSnapshots<Item>.AsyncIterator, cameNewer: @escaping @MainActor @Sendable () -> Void
  ) {
    let isTold = HopFlag()
    self.isTold = isTold
    var snapshots = snapshots
    task = Task.detached {
      while await snapshots.next() != nil {
        if isTold.raise() { Task { @MainActor in cameNewer() } }
      }
    }
  }

  deinit { task.cancel() }

  /// Whoever was told is about to look: what comes from now on is told anew.
  func answer() { isTold.lower() }
}

/// Whether somebody was sent who has not arrived.
private final class HopFlag: Sendable {
  private let isUp = Atomic(false)

  /// Returns whether it was down.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
  func lower() { isUp.store(false, ordering: .releasing) }
}
