/// A source that can tell what changed since a token: all that was missed, deletions too.
///
/// What a store catches up with after a time without a connection. The token stands for a moment in the server's life;
/// whoever has applied a page keeps the token that came with it, in one step with the changes where that can be.
public protocol ChangeLogSource<Key, Item>: PageSource {
  /// Loads what changed since a token.
  ///
  /// Starts off the main actor, unless the source isolates itself. It must not block its thread.
  ///
  /// - Parameter token: Where the last page that was applied left off; nil: nothing was applied yet, so everything
  ///   there is counts as changed, or ``ChangeLogPage/needsFullReload`` says that the server doesn't give that.
  /// - Returns: The changes in the order in which they happened, or the first of them.
  /// - Throws: Anything; whoever asks decides what becomes of it. A token that the server doesn't know any more is no
  ///   failure but ``ChangeLogPage/needsFullReload``. Cancellation is none either.
  @concurrent func changes(since token: String?) async throws -> ChangeLogPage<Item>
}

/// Some of what changed, in the order in which it happened.
public struct ChangeLogPage<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Items that are new or changed, as they are now.
  public var upserts: [Item]
  /// Items that are gone. One that is among ``upserts`` too was deleted first and came again.
  public var deletions: [Item.ID]
  /// What to ask with next; nil: the server gave none, so the token that this page was asked with stays.
  public var nextToken: String?
  /// Whether more changes are there already, to be asked for with ``nextToken`` at once.
  public var hasMore: Bool
  /// The changes since the token can't be told: all that is held is to be loaded again. The token counts from then on.
  public var needsFullReload: Bool

  /// A page of changes.
  ///
  /// - Parameters:
  ///   - upserts: Items that are new or changed, as they are now.
  ///   - deletions: Items that are gone.
  ///   - nextToken: What to ask with next; nil: as before.
  ///   - hasMore: Whether more changes are there already.
  ///   - needsFullReload: Whether all that is held is to be loaded again.
  public init(
    upserts: [Item], deletions: [Item.ID] = [], nextToken: String?, hasMore: Bool = false, needsFullReload: Bool = false
  ) {
    self.upserts = upserts
    self.deletions = deletions
    self.nextToken = nextToken
    self.hasMore = hasMore
    self.needsFullReload = needsFullReload
  }
}

extension ChangeLogPage: Equatable where Item: Equatable {}

extension ChangeLogSource {
  /// Hands all that changed since a token to `apply`, page by page.
  ///
  /// ```swift
  /// try await source.catchUp(since: table.token) { page in
  ///   try table.write(page)  // the changes and page.nextToken, in one transaction
  /// }
  /// ```
  ///
  /// A page is asked for when the one before has been applied. It stops after the last page, after one that needs a
  /// full reload, and after `maxPages`.
  ///
  /// - Parameters:
  ///   - token: Where the last page that was applied left off.
  ///   - maxPages: How many pages to apply at most; default 100. Below 1 stops the program with a message that names
  ///     it.
  ///   - apply: Called with one page at a time, on the caller's actor.
  /// - Returns: The last page, whose ``ChangeLogPage/hasMore`` says whether `maxPages` came first.
  /// - Throws: What the source or `apply` throws, `CancellationError`, and ``PagingError/Code/keyCycle`` where more
  ///   changes are said to follow but the token leads back to where the walk has been. All pages before that were
  ///   applied.
  @discardableResult
  public func catchUp(
    since token: String?, maxPages: Int = 100, apply: (_ page: ChangeLogPage<Item>) async throws -> Void
  ) async throws -> ChangeLogPage<Item> {
    precondition(maxPages >= 1, "The maxPages of a catch-up is \(maxPages) and must be at least 1.")
    var tokens = CycleGuard(startingFrom: token)
    var asked = token
    var pagesLeft = maxPages
    while true {
      try Task.checkCancellation()
      let page = try await changes(since: asked)
      try await apply(page)
      pagesLeft -= 1
      if !page.hasMore || page.needsFullReload || pagesLeft == 0 { return page }
      guard let next = page.nextToken, !tokens.keyCame(next) else { throw PagingError.tokenCycle }
      asked = next
    }
  }
}

extension PagingError {
  fileprivate static var tokenCycle: PagingError {
    PagingError(
      .keyCycle,
      message: "The change log says that more follows, but its token leads back to where it was asked before. "
        + "Mend the source: hasMore needs a new token.")
  }
}
