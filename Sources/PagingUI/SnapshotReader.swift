import Paging
import Synchronization

/// Reads a content's snapshots off the main actor, and has the newest one fetched there: one hop for all that came since
/// the last one.
///
/// An observer of the content while it lives.
final class SnapshotReader<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let mail = SnapshotMail<Item>()
  private let task: Task<Void, Never>

  /// - Parameter mailCame: Called when there is something to fetch with ``takeUnread()``.
  init(_ content: any PagedContent<Item>, mailCame: @escaping @MainActor @Sendable () -> Void) {
    // Begun here and not in the task, so that the content is observed from this moment on.
    var snapshots = content.snapshots().makeAsyncIterator()
    task = Task.detached { [mail] in
      while let snapshot = await snapshots.next() {
        if mail.put(snapshot) { Task { @MainActor in mailCame() } }
      }
    }
  }

  deinit { task.cancel() }

  /// The newest snapshot that was not fetched yet.
  func takeUnread() -> PagingSnapshot<Item>? { mail.take() }
}

/// The newest snapshot that the main actor has not fetched.
final class SnapshotMail<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let unread = Mutex<PagingSnapshot<Item>?>(nil)

  /// Puts a snapshot in the place of one that was not fetched.
  ///
  /// - Returns: Whether there was none, so that somebody has to be sent.
  func put(_ snapshot: PagingSnapshot<Item>) -> Bool {
    // What is replaced dies outside the lock.
    let replaced = unread.withLock { unread in
      defer { unread = snapshot }
      return unread
    }
    return replaced == nil
  }

  func take() -> PagingSnapshot<Item>? {
    unread.withLock { unread in
      defer { unread = nil }
      return unread
    }
  }
}
