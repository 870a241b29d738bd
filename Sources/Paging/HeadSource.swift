/// A source that can tell what is newer than a row, without loading the list again.
///
/// For lists whose new rows come in at the start: what is new since the newest row held is asked for, counted for a
/// "12 new posts" button, and put above.
///
/// ```swift
/// extension FeedSource: HeadSource {
///   func newer(than item: Post, limit: Int) async throws -> Page<String, Post> {
///     let reply = try await api.feed(sinceID: item.id, limit: limit)  // the newest ones first
///     return Page(reply.posts, nextKey: reply.hasMore ? reply.olderCursor : nil)
///   }
/// }
/// ```
public protocol HeadSource<Key, Item>: PageSource {
  /// Loads the rows in front of `item`, which itself is not among them.
  ///
  /// Starts off the main actor, unless the source isolates itself. It must not block its thread.
  ///
  /// - Parameters:
  ///   - item: A row that is held. It need not be in the list any more: rows count as newer by their place.
  ///   - limit: How many rows are wanted at most, at least 1: a hint, as ``LoadParams/loadSize`` is.
  /// - Returns: A contiguous stretch of rows, in list order; empty where nothing is newer. Its keys say on which sides
  ///   of it there are newer rows that it doesn't hold: a nil ``Page/nextKey`` that it reaches down to `item`, a nil
  ///   ``Page/previousKey`` that it begins with the list's first row. Counts are not looked at.
  /// - Throws: Anything; whoever asks decides what becomes of it. Cancellation is no failure.
  @concurrent func newer(than item: Item, limit: Int) async throws -> Page<Key, Item>

  /// Counts the rows in front of `item`, cheaply.
  ///
  /// The default asks ``newer(than:limit:)`` for one page. A source whose server can count implements this itself.
  ///
  /// - Parameters:
  ///   - item: A row that is held.
  ///   - limit: What to count up to, at least 1.
  /// - Returns: At most `limit`: exact where there are no more, ``Total/atLeast(_:)`` where there may be.
  /// - Throws: As ``newer(than:limit:)``.
  @concurrent func countNewer(than item: Item, limit: Int) async throws -> Total
}

extension HeadSource {
  /// Counts the rows of one page: exact where it holds all that is newer and is no longer than `limit`, else at least
  /// so many.
  ///
  /// A limit below 1 asks for nothing and gives at least zero.
  @concurrent public func countNewer(than item: Item, limit: Int) async throws -> Total {
    guard limit >= 1 else { return .atLeast(0) }
    let page = try await newer(than: item, limit: limit)
    let holdsAll = page.previousKey == nil && page.nextKey == nil && page.items.count <= limit
    return holdsAll ? .exact(page.items.count) : .atLeast(min(page.items.count, limit))
  }
}
