/// A content's snapshots, the newest one first and then each that is newer than the last one read.
///
/// Each iteration is a stream of its own. It begins with the newest snapshot, at once, and keeps the newest unread one
/// only: a reader that is busy finds the state of affairs when it comes back, not the way there. It ends when the
/// content is closed, or when the task that reads is cancelled. While it lasts it keeps its content alive.
public struct PagingSnapshots<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
  /// A snapshot.
  public typealias Element = PagingSnapshot<Item>
  /// Nothing is thrown: failures are states of snapshots.
  public typealias Failure = Never

  let hub: SnapshotHub<Item>
  private let makeReader: @Sendable () -> any SnapshotReading<Item>
  private let owner: any AnyObject & Sendable

  /// The snapshots of `hub`, which `owner` feeds as long as it lives.
  init(_ hub: SnapshotHub<Item>, owner: any AnyObject & Sendable) {
    self.init(hub, owner: owner) { HubReader(hub.subscribe()) }
  }

  /// The snapshots that a reader gives, which is made for each iteration; they are shown in `hub` too. `owner` is kept
  /// meanwhile.
  init(
    _ hub: SnapshotHub<Item>, owner: any AnyObject & Sendable,
    makeReader: @escaping @Sendable () -> any SnapshotReading<Item>
  ) {
    self.hub = hub
    self.makeReader = makeReader
    self.owner = owner
  }

  /// One reader's place in a stream of snapshots. Used by one task at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Nothing is thrown.
    public typealias Failure = Never

    private let reader: any SnapshotReading<Item>
    private let owner: any AnyObject & Sendable

    fileprivate init(_ reader: any SnapshotReading<Item>, owner: any AnyObject & Sendable) {
      self.reader = reader
      self.owner = owner
    }

    /// The newest snapshot that was not read yet, as soon as there is one; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> PagingSnapshot<Item>? {
      await reader.next(isolation: actor)
    }
  }

  /// Begins a stream, and with it the loading if nothing was loaded yet.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(makeReader(), owner: owner)
  }
}

@available(*, unavailable)
extension PagingSnapshots.AsyncIterator: Sendable {}

/// One reader's place in a stream of snapshots, which ends when the last reference to it goes. Used by one task at a
/// time.
protocol SnapshotReading<Item>: AnyObject {
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  /// The newest snapshot that was not read yet, as soon as there is one; nil at the end.
  func next(isolation actor: isolated (any Actor)?) async -> PagingSnapshot<Item>?
}

/// Reads a stream of a content that shows its own snapshots.
private final class HubReader<Item: Identifiable & Sendable>: SnapshotReading where Item.ID: Sendable {
  private let stream: SnapshotStream

  init(_ stream: SnapshotStream) {
    self.stream = stream
  }

  deinit { stream.cancel() }

  func next(isolation actor: isolated (any Actor)?) async -> PagingSnapshot<Item>? {
    guard let body = await stream.next(isolation: actor) else { return nil }
    return SnapshotHub<Item>.typed(body)
  }
}
