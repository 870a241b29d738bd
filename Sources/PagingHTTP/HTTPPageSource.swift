public import Foundation
import Loading
public import LoadingHTTP
public import Paging

/// Loads the pages of a list from a server, by whatever convention the server pages.
///
/// ```swift
/// let source = HTTPPageSource(url, convention: .cursor(\.next), items: \Feed.posts)
/// ```
///
/// It holds no state beside its configuration: share it, make it anew, use it from any thread. Links to other pages are
/// resolved against the URL of the reply and followed on the source's own origin only, unless the configuration allows
/// others by name. The end of a list is what the convention says, never a page that is short.
///
/// A load throws:
///
/// | what came | error |
/// |---|---|
/// | 410 for a page with a key | ``/Paging/PagingError/Code/cursorExpired`` |
/// | another status than 2xx | ``HTTPPageError/Code/status``, with the server's own words where there are some |
/// | no body | ``HTTPPageError/Code/emptyBody`` |
/// | a web page, or other text | ``HTTPPageError/Code/notJSON`` |
/// | JSON that breaks off | ``HTTPPageError/Code/truncated`` |
/// | JSON without a member, or with null in its place | ``HTTPPageError/Code/missing`` |
/// | JSON of another shape | ``HTTPPageError/Code/undecodable`` |
/// | a link to another origin, when it is followed | ``HTTPPageError/Code/foreignOrigin`` |
/// | nothing | what the transport throws |
public struct HTTPPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private let requests: PageRequests
  private let transport: any HTTPTransport
  private let read: @Sendable (HTTPReply, PageRequest) throws -> Page<HTTPPageKey, Item>
  private let keyForIndex: (@Sendable (Int) -> HTTPPageKey)?
  /// The convention's kind of key.
  public let keyKind: KeyKind

  /// A list whose pages are JSON objects that hold the rows somewhere.
  ///
  /// - Parameters:
  ///   - url: The list's URL, http or https. Query parameters of its own are sent with every request that the convention
  ///     makes from it; see each convention for those it sets itself.
  ///   - convention: How the server pages.
  ///   - config: Headers, allowed origins, decoder and bounds.
  ///   - transport: What sends the requests; default one of this source's own. Give all lists of an app the same one, and
  ///     they share its connections.
  ///   - items: Where in a page the rows are, as `\.posts`.
  public init<Response: Decodable & Sendable>(
    _ url: URL, convention: PageConvention<Response>, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), items: @escaping @Sendable (Response) throws -> [Item]
  ) {
    let decoder = config.decoder
    self.init(
      url, convention: convention, config: config, transport: transport,
      decode: { try decoder().decode(Response.self, from: $0) }, items: items)
  }

  /// A list whose pages are JSON arrays of rows and nothing around them.
  ///
  /// - Parameters:
  ///   - url: The list's URL, http or https.
  ///   - convention: How the server pages.
  ///   - config: Headers, allowed origins, decoder and bounds.
  ///   - transport: What sends the requests; default one of this source's own.
  ///   - type: The type of a row.
  public init(
    _ url: URL, convention: PageConvention<[Item]>, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), of type: Item.Type = Item.self
  ) where Item: Decodable {
    let decoder = config.decoder
    self.init(
      url, convention: convention, config: config, transport: transport,
      decode: { try decoder().decode([Item].self, from: $0) }, items: { $0 })
  }

  /// A list whose pages are decoded by other means than a `JSONDecoder`; `config.decoder` is not used.
  ///
  /// What `decode` throws becomes an ``HTTPPageError`` by what the body looks like, unless it is one already.
  package init<Response: Sendable>(
    _ url: URL, convention: PageConvention<Response>, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), decode: @escaping @Sendable (Data) throws -> Response,
    items: @escaping @Sendable (Response) throws -> [Item]
  ) {
    requests = PageRequests(url, config: config, prepare: convention.request)
    self.transport = transport
    keyKind = convention.keyKind
    keyForIndex = convention.keyForIndex
    read = { reply, request in
      guard (200..<300).contains(reply.status) else {
        if convention.isPastEnd(reply.status, for: request) {
          return Page([], keys: convention.keysPastEnd(request), total: nil)
        }
        throw ReplyDiagnosis.refusal(reply, of: request)
      }
      guard ReplyDiagnosis.hasBody(reply) else { throw ReplyDiagnosis.empty(reply) }
      do {
        let response = try decode(reply.body)
        let items = try items(response)
        let keys = try convention.keys(
          PageReply(response: response, itemCount: items.count, http: reply, request: request))
        return Page(items, keys: keys, total: keys.total ?? reply.totalByHeader)
      } catch {
        throw ReplyDiagnosis.undecodable(reply, error)
      }
    }
  }

  /// Asks the server for one page.
  ///
  /// - Parameter params: The key, the direction and the size; a load that nobody looks at waits behind the others.
  /// - Throws: See the table above; `CancellationError` when the task was cancelled.
  @concurrent public func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, Item> {
    let page = PageRequest(key: params.key, loadSize: max(1, params.loadSize), type: params.type)
    let request = try requests.request(for: page)
    request.ticket.priority = params.purpose == .visible ? .high : .low
    let reply = try await transport.send(request)
    try Task.checkCancellation()
    return try read(reply, page)
  }

  /// The offset `index` where the convention counts rows; nil for all others.
  public func key(forIndex index: Int) -> HTTPPageKey? {
    keyForIndex?(max(0, index))
  }
}

extension Page where Key == HTTPPageKey {
  fileprivate init(_ items: [Item], keys: PageKeys, total: Total?) {
    self.init(
      items, previousKey: keys.previous, nextKey: keys.next, itemsBefore: keys.itemsBefore, itemsAfter: keys.itemsAfter,
      total: total)
  }
}
