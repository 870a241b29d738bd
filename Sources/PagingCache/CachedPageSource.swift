import Loading
public import Paging
import Synchronization

/// Makes a page source of a paginator, so that a pager that drops pages gets them back without the network.
///
/// A refresh, a list's first load included, passes all caches by, HTTP's too; a page that caches have stands in when
/// the source fails and the paginator's `servesStaleOnFailure` is set. Every other load is a fetch. A key that has
/// expired starts the list anew from the nearest key that is still good.
public struct CachedPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private final class Memory: Sendable {
    /// What size a key was asked for with: a page that is read back is the one that was dropped.
    let sizes = MemoryCache<String, Int>(policy: .lru + .maxCount(10_000))
    let recoveryKey = Mutex<String?>(nil)
  }

  private let paginator: Paginator<Item>
  private let firstKey: String
  private let memory = Memory()

  /// A source of a paginator's pages.
  ///
  /// - Parameters:
  ///   - paginator: Where the pages come from.
  ///   - firstKey: The key that a list starts at.
  public init(_ paginator: Paginator<Item>, firstKey: String) {
    self.paginator = paginator
    self.firstKey = firstKey
  }

  /// Fetches a page, or reloads it for a refresh.
  ///
  /// A key that was asked for before is asked for in the same size again, whatever the size says, so that a page of
  /// another length, as a first one often is, is found again.
  ///
  /// - Throws: `PagingError.cursorExpired` for an expired key; a `PagingError` of code `invalidKey` for one that is
  ///   refused; any other ``PaginatorError`` as it is.
  @concurrent public func load(_ params: LoadParams<String>) async throws -> Page<String, Item> {
    let key = params.key ?? firstKey
    let isRefresh = params.type == .refresh
    let known = isRefresh ? nil : memory.sizes.value(forKey: key)
    let size = known ?? params.loadSize
    memory.sizes.insert(size, forKey: key)
    let ticket = LoadTicket(priority: params.purpose == .prefetch ? .low : .medium)
    do {
      let page =
        isRefresh
        ? try await paginator.reload(key, pageSize: size, ticket: ticket)
        : try await paginator.fetch(key, pageSize: size, ticket: ticket)
      return Page(page.items, previousKey: page.previousKey, nextKey: page.nextKey)
    } catch let error as PaginatorError where error.code == .expiredKey {
      memory.recoveryKey.withLock { $0 = error.nearestKey }
      throw PagingError(.cursorExpired, message: "The key has expired; see the cause.", cause: error)
    } catch let error as PaginatorError where error.code == .invalidKey {
      throw PagingError(.invalidKey, message: "The paginator refused the key; see the cause.", cause: error)
    }
  }

  /// The nearest key that was still good when one had expired; nil: the start.
  public var recoveryKey: String? { memory.recoveryKey.withLock { $0 } }
}
