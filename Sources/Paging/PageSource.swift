/// Loads pages for keys; knows nothing of the list.
///
/// One requirement is enough: ``load(_:)``. The others tell what a source can do beyond that, and default to "nothing".
/// A source is shared by all generations of its pager, or made anew for each.
public protocol PageSource<Key, Item>: Sendable {
  /// What the source needs to load a page: an offset, a page number, a cursor, the sort key of an item.
  associatedtype Key: Hashable & Sendable
  /// One row's data.
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  /// Loads one page.
  ///
  /// Starts off the main actor, whoever asks, unless the source isolates itself: one that is `@MainActor` writes
  /// `@MainActor func load`. It must not block its thread: on a machine with two cores two blocking loads hold up
  /// everything. A pager runs at most one load in each direction. Cancelled work should end soon, by checking for
  /// cancellation and not swallowing it; what a cancelled load returns or throws is ignored.
  ///
  /// - Parameter params: The key, the direction and the size; a nil key is the source's own start.
  /// - Returns: The items and the keys of the neighbours; nil keys end the list.
  /// - Throws: Anything: it becomes the failed state of that edge. ``PagingError/invalidated`` starts a new generation;
  ///   ``PagingError/cursorExpired`` starts one from ``recoveryKey``. A cursor that is merely wrong is
  ///   ``PagingError/Code/invalidKey``, a failure like any other.
  @concurrent func load(_ params: LoadParams<Key>) async throws -> Page<Key, Item>

  /// The key with which to load the rows around the anchor again.
  ///
  /// Nil, the default, is "no opinion": the pager uses the key that the anchor's page was loaded with.
  func refreshKey(for state: PagingState<Key, Item>) -> Key?

  /// What changed behind this source's back; asked once for each source that a pager uses.
  ///
  /// A source whose data can change says so here, or its pager can't know. Nil, the default: nothing ever does.
  func changes() -> AsyncStream<SourceChange<Item>>?

  /// Which of `candidates`, the rows that survived a refresh, stands in for an anchor that is gone.
  ///
  /// Nil, the default, leaves it to the old order: the closest row, of two the later one.
  func survivor(of anchor: Item, among candidates: [Item]) -> Item?

  /// For observers, in place of the key itself; ``KeyKind/pageNumber`` also makes the first load one page long.
  var keyKind: KeyKind { get }

  /// Where a jump to row `index` of the whole list starts; nil, the default: this source can't say.
  func key(forIndex index: Int) -> Key?

  /// Where a jump to an item starts; nil, the default: this source can't say.
  func key(around id: Item.ID) -> Key?

  /// Where to start again when a cursor has expired; nil, the default: at the start.
  ///
  /// The pager reads on from there until the row that is on screen has come again, and then shows the new list in place
  /// of the old one, whose rows stay until then. It reads at most as many pages as lie before the end of the screen,
  /// plus two, and never more than 50; where the row is still further on, the refresh fails as
  /// ``PagingError/Code/cursorExpired``, the rows stay, and `retry` reads on from there. An expiry during all this, or
  /// at the first page after it, is a failure too.
  var recoveryKey: Key? { get }

  /// Whether the same key may rightly come again, so that keys that go round are no fault; default false.
  var allowsRepeatedKeys: Bool { get }
}

extension PageSource {
  /// No opinion.
  public func refreshKey(for state: PagingState<Key, Item>) -> Key? { nil }
  /// Nothing ever changes.
  public func changes() -> AsyncStream<SourceChange<Item>>? { nil }
  /// Left to the old order.
  public func survivor(of anchor: Item, among candidates: [Item]) -> Item? { nil }
  /// Not said.
  public var keyKind: KeyKind { .other }
  /// Unknown.
  public func key(forIndex index: Int) -> Key? { nil }
  /// Unknown.
  public func key(around id: Item.ID) -> Key? { nil }
  /// The start.
  public var recoveryKey: Key? { nil }
  /// Keys that go round are a fault.
  public var allowsRepeatedKeys: Bool { false }
}

/// What a source says has happened behind its back.
public struct SourceChange<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  enum Kind: Sendable {
    case everything
    case items([Item])
  }

  let kind: Kind

  /// Everything may differ: a new generation.
  public static var everything: SourceChange { SourceChange(kind: .everything) }

  /// Fresher copies of items that may be loaded: shown in place, with no load.
  public static func items(_ items: [Item]) -> SourceChange { SourceChange(kind: .items(items)) }
}
