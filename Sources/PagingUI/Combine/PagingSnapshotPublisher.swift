#if canImport(Combine)
  public import Combine
  public import Paging

  extension PagedContent {
    /// The list as it changes, for code that is built on Combine.
    ///
    /// Each subscriber gets the newest snapshot first and then each that is newer than the last one it took; those that
    /// come while it asks for none are left out, but for the newest. They come on any thread: put `receive(on:)` behind
    /// it. It ends when the content is closed. A subscription keeps its content alive, and begins to load if nothing
    /// was loaded yet.
    public var snapshotPublisher: PagingSnapshotPublisher<Item> { PagingSnapshotPublisher(snapshots: snapshots()) }
  }

  /// Publishes the snapshots of a content; see ``/Paging/PagedContent/snapshotPublisher``.
  public struct PagingSnapshotPublisher<Item: Identifiable & Sendable>: Publisher where Item.ID: Sendable {
    /// A snapshot.
    public typealias Output = PagingSnapshot<Item>
    /// Nothing fails: failures are states of snapshots.
    public typealias Failure = Never

    let snapshots: PagingSnapshots<Item>

    /// Begins a stream of snapshots for a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      subscriber.receive(subscription: SnapshotSubscription(snapshots, to: subscriber))
    }
  }
#endif
