/// Fills the store that a page source reads from, when the source has run out or is to be refreshed.
///
/// A pager with a mediator shows the store's rows at once and asks the mediator for more: one refresh at the start if
/// ``initialize()`` says so, one with each ``PagedContent/refresh()``, and one append or prepend when the source has
/// reached its end there and fewer than `prefetchDistance` rows lie beyond the viewport. The mediator writes what it
/// fetched to the store; the source's ``PageSource/changes()``, or the pager by itself when a load has ended, shows it.
///
/// ```swift
/// struct FeedMediator: Mediator {
///   typealias Key = Int
///   let table: PostTable
///   func load(_ request: MediatorRequest<Int, Post>) async throws -> MediatorResult {
///     guard request.type != .prepend else { return MediatorResult(endReached: true) }
///     let last = request.type == .append ? request.state.pages.last?.items.last?.id : nil
///     let feed = try await api.feed(after: last, limit: request.state.config.pageSize)
///     table.store(feed.posts)
///     return MediatorResult(endReached: feed.next == nil)
///   }
/// }
/// ```
///
/// One load of a mediator runs at a time. It belongs to the pager, not to a generation: what it writes starts a new
/// generation, which does not cancel it. Until that generation is shown, the mediator's state is loading; so rows and
/// the word that they are the last come as one. A source that says that its data changed before the load returns saves
/// a generation: one that says so afterwards gets one more. Loads in a row that add no row stop, as empty pages of a
/// source do, after `emptyPageBudget`.
public protocol Mediator<Key, Item>: Sendable {
  /// The key of the page source that reads the store.
  associatedtype Key: Hashable & Sendable
  /// One row's data.
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  /// Whether to refresh before anything else: asked once, before the first load.
  ///
  /// With ``InitializeAction/refresh``, the default, appends and prepends wait until that refresh has succeeded; the
  /// store's rows show meanwhile. A mediator whose store is fresh enough answers ``InitializeAction/skip``.
  @concurrent func initialize() async -> InitializeAction

  /// Fetches rows and writes them to the store.
  ///
  /// Starts off the main actor, whoever asks, unless the mediator isolates itself. It must not block its thread.
  ///
  /// - Parameter request: Which way, and what is loaded from the store. One value, so that it can grow.
  /// - Returns: Whether there is nothing more that way.
  /// - Throws: Anything: it becomes the mediator's failed state of that type, until `retry` or a remote refresh that
  ///   succeeds. Cancellation is no failure.
  @concurrent func load(_ request: MediatorRequest<Key, Item>) async throws -> MediatorResult
}

extension Mediator {
  /// Refresh first.
  @concurrent public func initialize() async -> InitializeAction { .refresh }
}

/// What a mediator does before anything else.
public struct InitializeAction: Hashable, Sendable {
  let refreshes: Bool

  /// Refresh first, and let appends and prepends wait until that has succeeded.
  public static let refresh = InitializeAction(refreshes: true)
  /// Go on with what the store holds.
  public static let skip = InitializeAction(refreshes: false)
}

/// What a mediator is asked for.
public struct MediatorRequest<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
  /// Which way the load goes.
  public var type: LoadType
  /// What is loaded from the store; no pages where nothing was loaded yet.
  public var state: PagingState<Key, Item>

  /// A request, as tests of a mediator make one.
  public init(_ type: LoadType, state: PagingState<Key, Item>) {
    self.type = type
    self.state = state
  }
}

/// What a mediator's load came to.
public struct MediatorResult: Hashable, Sendable {
  /// Whether there is nothing more to fetch that way; after a refresh: either way.
  public var endReached: Bool

  /// A result.
  public init(endReached: Bool) {
    self.endReached = endReached
  }
}
