public import Foundation
import Loading
public import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
/// | 410 for a page with a key, or words to that effect | ``/Paging/PagingError/Code/cursorExpired`` |
/// | words that the key is none of the list's | ``/Paging/PagingError/Code/invalidKey`` |
/// | 412, where changes are detected | ``/Paging/PagingError/invalidated`` |
/// | another status than 2xx | ``HTTPPageError/Code/status``, with the server's own words where there are some |
/// | a body that says that the request failed | ``HTTPPageError/Code/refused`` |
/// | no body | ``HTTPPageError/Code/emptyBody`` |
/// | a web page, or other text | ``HTTPPageError/Code/notJSON`` |
/// | JSON that breaks off | ``HTTPPageError/Code/truncated`` |
/// | JSON without a member, or with null in its place | ``HTTPPageError/Code/missing`` |
/// | JSON of another shape | ``HTTPPageError/Code/undecodable`` |
/// | a link to another origin, when it is followed | ``HTTPPageError/Code/foreignOrigin`` |
/// | nothing | what the transport throws |
public struct HTTPPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  let requests: PageRequests
  let transport: any HTTPTransport
  let read: @Sendable (HTTPReply, PageRequest, Total?) throws -> Page<HTTPPageKey, Item>
  private let opening: PageOpening?
  private let countsByHead: Bool
  private let keyForIndex: (@Sendable (Int) -> HTTPPageKey)?
  private let keyForID: (@Sendable (String) -> HTTPPageKey)?
  /// The convention's kind of key.
  public let keyKind: KeyKind

  /// A list whose pages are JSON objects that hold the rows somewhere.
  ///
  /// - Parameters:
  ///   - url: The list's URL, http or https. Query parameters of its own are sent with every request that the
  ///     convention makes from it; see each convention for those it sets itself.
  ///   - convention: How the server pages.
  ///   - config: Headers, allowed origins, decoder and bounds.
  ///   - transport: What sends the requests; default one of this source's own. Give all lists of an app the same one,
  ///     and they share its connections.
  ///   - items: Where in a page the rows are, as `\.posts`.
  public init<Response: Decodable & Sendable>(
    _ url: URL, convention: PageConvention<Response>, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), items: @escaping @Sendable (Response) throws -> [Item]
  ) {
    self.init(
      url, convention, config, transport, decode: Self.decode(Response.self, by: config), items: items)
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
    let decode = Self.decode(LenientArray<Item>.self, by: config)
    self.init(url, convention, config, transport, decode: { try decode($0, $1).elements }, items: { $0 })
  }

  /// A list whose pages are decoded by other means than a `JSONDecoder`; `config.decoder` is not used.
  ///
  /// What `decode` throws becomes an ``HTTPPageError`` by what the body looks like, unless it is one already.
  package init<Response: Sendable>(
    _ url: URL, convention: PageConvention<Response>, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), decode: @escaping @Sendable (Data) throws -> Response,
    items: @escaping @Sendable (Response) throws -> [Item]
  ) {
    self.init(url, convention, config, transport, decode: { data, _ in try decode(data) }, items: items)
  }

  private init<Response: Sendable>(
    _ url: URL, _ convention: PageConvention<Response>, _ config: HTTPPageSourceConfig,
    _ transport: any HTTPTransport, decode: @escaping @Sendable (Data, SkipLog) throws -> Response,
    items: @escaping @Sendable (Response) throws -> [Item]
  ) {
    requests = PageRequests(url, config: config, prepare: convention.request)
    self.transport = transport
    opening = convention.opening
    countsByHead = convention.countsByHead
    keyKind = convention.keyKind
    keyForIndex = convention.keyForIndex
    keyForID = convention.keyForID
    let reader = PageReader(
      convention: convention, onSkippedItems: config.onSkippedItems, decode: decode, items: items)
    read = { try reader.page($0, of: $1, counted: $2) }
  }

  private static func decode<Response: Decodable & Sendable>(
    _ type: Response.Type, by config: HTTPPageSourceConfig
  ) -> @Sendable (Data, SkipLog) throws -> Response {
    let make = config.decoder
    let skips = config.skipsUndecodableItems
    return { data, log in
      let decoder = make()
      if skips { log.attach(to: decoder) }
      return try decoder.decode(Response.self, from: data)
    }
  }

  /// Asks the server for one page.
  ///
  /// Some conventions need another request at the start of the list: one that opens a session, or a HEAD that counts.
  ///
  /// - Parameter params: The key, the direction and the size; a load that nobody looks at waits behind the others.
  /// - Throws: See the table above; `CancellationError` when the task was cancelled.
  @concurrent public func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, Item> {
    var page = PageRequest(key: params.key, loadSize: max(1, params.loadSize), type: params.type)
    let priority: LoadPriority = params.purpose == .visible ? .high : .low
    if page.key == nil, let opening {
      let request = try requests.request(for: page, preparedBy: opening.request)
      page.key = try opening.key(try await send(request, priority))
    }
    let request = try requests.request(for: page)
    async let counted = count(request, page, priority)
    let reply = try await send(request, priority)
    return try read(reply, page, await counted)
  }

  /// Sends one request.
  func send(_ request: HTTPRequest, _ priority: LoadPriority) async throws -> HTTPReply {
    request.ticket.priority = priority
    let reply = try await transport.send(request)
    try Task.checkCancellation()
    return reply
  }

  /// How many rows the list has by a HEAD, where the convention asks for one.
  private func count(_ request: HTTPRequest, _ page: PageRequest, _ priority: LoadPriority) async -> Total? {
    guard countsByHead, page.key == nil else { return nil }
    var head = request.urlRequest
    head.httpMethod = "HEAD"
    let counting = HTTPRequest(
      head, maxBodyBytes: request.maxBodyBytes, credentialHeaders: request.credentialHeaders)
    guard let reply = try? await send(counting, priority), (200..<300).contains(reply.status) else { return nil }
    return reply.totalByHeader
  }

  /// The offset `index` where the convention counts rows; nil for all others.
  public func key(forIndex index: Int) -> HTTPPageKey? {
    keyForIndex?(max(0, index))
  }

  /// The key of the window around a row where the convention has windows; nil for all others.
  public func key(around id: Item.ID) -> HTTPPageKey? {
    keyForID?("\(id)")
  }

  /// The window around the anchor where the convention has windows; else no opinion.
  public func refreshKey(for state: PagingState<HTTPPageKey, Item>) -> HTTPPageKey? {
    state.anchorItem.flatMap { key(around: $0.id) }
  }
}
