public import Foundation
import Loading
import LoadingHTTP
public import Paging

/// A list on a server that can also be asked for what has changed since a token, deletions too.
///
/// ```swift
/// let list = HTTPPageSource(url, convention: .kinto(), items: \KintoPage<Note>.items)
/// let notes = HTTPChangeLogSource(list, at: url, log: .kinto(of: Note.self))
/// try await notes.catchUp(since: table.token) { page in try table.write(page) }
/// ```
public struct HTTPChangeLogSource<Item: Identifiable & Sendable>: ChangeLogSource where Item.ID: Sendable {
  private let list: HTTPPageSource<Item>
  private let requests: PageRequests
  private let decoder: @Sendable () -> JSONDecoder
  private let log: ChangeLogConvention<Item>

  /// A list with its log.
  ///
  /// - Parameters:
  ///   - list: The list; its transport sends the requests for changes too.
  ///   - url: Where the changes are: with Kinto and OData the list's own URL.
  ///   - log: How they are asked for, and how they are told.
  ///   - config: Headers, allowed origins, decoder and bounds for these requests.
  public init(
    _ list: HTTPPageSource<Item>, at url: URL, log: ChangeLogConvention<Item>, config: HTTPPageSourceConfig = .init()
  ) {
    self.list = list
    self.log = log
    decoder = config.decoder
    requests = PageRequests(url, config: config, prepare: { _, _ in })
  }

  /// As the list's own.
  @concurrent public func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, Item> {
    try await list.load(params)
  }

  /// Asks for one page of changes.
  ///
  /// - Throws: What ``HTTPPageSource/load(_:)`` throws; but a token that the server says it doesn't know any more is
  ///   ``/Paging/ChangeLogPage/needsFullReload``.
  @concurrent public func changes(since token: String?) async throws -> ChangeLogPage<Item> {
    let page = PageRequest(key: token.map { HTTPPageKey($0) }, loadSize: log.pageSize, type: .append)
    let request = try requests.request(for: page) { try log.request(token, log.pageSize, &$0) }
    let reply = try await list.send(request, .low)
    guard (200..<300).contains(reply.status) else {
      let error = ReplyDiagnosis.refusal(reply, of: page, log.refusals)
      if let refused = error as? PagingError, refused.code == .cursorExpired || refused.code == .invalidKey {
        return ChangeLogPage(upserts: [], nextToken: nil, needsFullReload: true)
      }
      throw error
    }
    guard ReplyDiagnosis.hasBody(reply) else { throw ReplyDiagnosis.empty(reply) }
    do {
      return try log.read(reply, decoder(), token)
    } catch {
      throw ReplyDiagnosis.undecodable(reply, error)
    }
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
