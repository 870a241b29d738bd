/// Hears of every snapshot of a content, before streams drop those that nobody read in time: for recorders in tests.
package struct SnapshotListener<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// A snapshot became the newest one.
  ///
  /// Called in order of version, and before anybody can learn by other ways that something happened. That takes the
  /// content's locks, so this may put the snapshot away and nothing else: it must not call the content, resume or wait
  /// for anything, or take a lock that is ever held during a call of the content.
  let noted: @Sendable (PagingSnapshot<Item>) -> Void
  /// Something was noted, or nothing more will be. Called outside all locks, perhaps by several threads at a time.
  let told: @Sendable (_ isOver: Bool) -> Void

  /// What to do under the content's locks, and what outside them.
  package init(
    noted: @escaping @Sendable (PagingSnapshot<Item>) -> Void, told: @escaping @Sendable (_ isOver: Bool) -> Void
  ) {
    self.noted = noted
    self.told = told
  }
}

/// A listener's registration, which ends when the last reference to it goes away. It doesn't keep the content alive.
package final class SnapshotListening: Sendable {
  private let stop: @Sendable () -> Void

  init(stop: @escaping @Sendable () -> Void) {
    self.stop = stop
  }

  deinit { stop() }
}

extension PagingSnapshots {
  /// Lets `listener` note the newest snapshot and each one from then on. Not an observer: it starts no load.
  package func listen(_ listener: SnapshotListener<Item>) -> SnapshotListening { hub.listen(listener) }
}
