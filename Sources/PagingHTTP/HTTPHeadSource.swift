import Foundation
import Loading
import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list on a server that can also be asked for what is newer than a row.
///
/// ```swift
/// let list = HTTPPageSource(url, convention: .linkHeader, of: Post.self)
/// let feed = HTTPHeadSource(list, head: .parameter("since_id") { "\($0.id)" })
/// let fresh = try await feed.newer(than: newest, limit: 40)
/// ```
///
/// Pages come from the list as it is; see ``HeadConvention`` for how what is newer is asked for.
public struct HTTPHeadSource<Item: Identifiable & Sendable>: HeadSource where Item.ID: Sendable {
  private let list: HTTPPageSource<Item>
  private let head: HeadConvention<Item>

  /// A list with its head.
  ///
  /// - Parameters:
  ///   - list: The list; newest rows come first.
  ///   - head: How its server is asked for what is newer than a row.
  public init(_ list: HTTPPageSource<Item>, head: HeadConvention<Item>) {
    self.list = list
    self.head = head
  }

  /// As the list's own.
  @concurrent public func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, Item> {
    try await list.load(params)
  }

  /// Asks for the rows in front of `item`.
  ///
  /// The rows that come are contiguous on the side that the convention says; on the other there is a key where there
  /// may be more. A limit below 1 counts as 1.
  ///
  /// - Throws: What ``HTTPPageSource/load(_:)`` throws.
  @concurrent public func newer(than item: Item, limit: Int) async throws -> Page<HTTPPageKey, Item> {
    let limit = max(1, limit)
    let page = PageRequest(key: nil, loadSize: limit, type: .refresh)
    let request = try list.requests.request(for: page) { try head.request(item, limit, &$0) }
    let reply = try await list.send(request, .high)
    return head.placed(try list.read(reply, page, nil), limit)
  }

  /// Asks the server for the number where the convention can, else loads ``newer(than:limit:)``.
  ///
  /// - Throws: What ``HTTPPageSource/load(_:)`` throws.
  @concurrent public func countNewer(than item: Item, limit: Int) async throws -> Total {
    guard limit >= 1 else { return .atLeast(0) }
    guard let count = head.count else {
      let page = try await newer(than: item, limit: limit)
      let holdsAll = page.previousKey == nil && page.nextKey == nil && page.items.count <= limit
      return holdsAll ? .exact(page.items.count) : .atLeast(min(page.items.count, limit))
    }
    let page = PageRequest(key: nil, loadSize: limit, type: .refresh)
    let request = try list.requests.request(for: page) { try count.request(item, limit, &$0) }
    let reply = try await list.send(request, .high)
    guard (200..<300).contains(reply.status) else {
      throw ReplyDiagnosis.refusal(reply, of: page, KeyRefusals())
    }
    let total: Total
    do {
      total = try count.read(reply)
    } catch {
      throw ReplyDiagnosis.undecodable(reply, error)
    }
    return total.count > limit ? .atLeast(limit) : total
  }

  /// As the list's own.
  public func key(forIndex index: Int) -> HTTPPageKey? { list.key(forIndex: index) }
  /// As the list's own.
  public func key(around id: Item.ID) -> HTTPPageKey? { list.key(around: id) }
  /// As the list's own.
  public func refreshKey(for state: PagingState<HTTPPageKey, Item>) -> HTTPPageKey? { list.refreshKey(for: state) }
  /// As the list's own.
  public var keyKind: KeyKind { list.keyKind }
}
