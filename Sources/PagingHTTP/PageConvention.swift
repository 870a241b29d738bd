public import LoadingHTTP
public import Paging

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// How a server is asked for a page, and where its reply says what comes before and after.
///
/// The presets are static members:
///
/// | the server gives | preset |
/// |---|---|
/// | a URL in a header | ``linkHeader``, ``nextPageHeader(_:size:)``, ``kinto(size:)`` |
/// | a URL in the body | ``nextURL(_:previous:size:total:)``, ``jsonAPI(_:size:total:)``, ``oData(size:)`` |
/// | a cursor in the body | ``cursor(_:previous:parameter:size:total:)``, ``datasette(size:)``, ``awsToken(_:parameter:size:operation:body:isTruncated:repeatedTokenEnds:)`` |
/// | a connection of GraphQL | ``graphQL(_:variables:names:cursors:total:pageInfo:)`` |
/// | nothing: rows are named by those before them | ``keyset(_:key:after:before:size:hasMore:)``, ``searchAfter(query:sort:keepAlive:openingPath:)``, ``window(_:previous:next:)`` |
/// | nothing: rows are counted | ``pageNumber(_:size:first:pages:)``, ``offset(_:limit:total:)`` |
///
/// ``detect(_:)`` tells from a first reply which one it is. A convention of one's own is two closures:
///
/// ```swift
/// PageConvention<Feed> { page, request in
///   request.setValue("items=\(page.key?.number ?? 0)-", forHTTPHeaderField: "Range")
/// } keys: { reply in
///   PageKeys(next: reply.response.hasMore ? HTTPPageKey(reply.response.end) : nil)
/// }
/// ```
///
/// A convention keeps no state: what it says of a reply depends on that reply and its request alone, so one value
/// serves any number of lists and generations at once.
public struct PageConvention<Response: Sendable>: Sendable {
  var request: @Sendable (PageRequest, inout URLRequest) throws -> Void
  let keys: @Sendable (PageReply<Response>) throws -> PageKeys
  /// Statuses that are the end of the list on any page but the first; see ``ending(at:)``.
  var endStatuses: Set<Int> = []
  /// Whether a status is the end besides, for conventions that find out on the way.
  var alsoEnds: @Sendable (Int) -> Bool = { _ in false }
  /// The number that names the first page as no key at all does; nil: no number does.
  var firstNumber: Int?
  /// The neighbours of a page that was answered with one of ``endStatuses``.
  var keysPastEnd: @Sendable (PageRequest) -> PageKeys = { _ in PageKeys() }
  /// The key of the page that begins at a row; nil: keys name no rows.
  var keyForIndex: (@Sendable (Int) -> HTTPPageKey)?

  /// The key of the window around a row, by the row's ID in words; nil: there are no windows.
  var keyForID: (@Sendable (String) -> HTTPPageKey)?
  /// Whether a status says of a page's key that the row which it is around is gone.
  var isAnchorGone: @Sendable (HTTPPageKey, Int) -> Bool = { _, _ in false }
  /// Finds a failure in a reply of success before it is decoded.
  var check: (@Sendable (HTTPReply, PageRequest, KeyRefusals) throws -> Void)?
  /// What must be asked before the first page can be.
  var opening: PageOpening?
  /// Whether keys carry the list's `ETag`; see ``detectingChanges()``.
  var detectsChanges = false
  /// Whether the rows are counted by a HEAD; see ``countingByHead()``.
  var countsByHead = false

  /// By what a refusal says that a page's key has expired or is invalid; default ``KeyRefusals/standard``.
  public var keyRefusals = KeyRefusals.standard

  /// What kind of key this is, for observers; default ``/Paging/KeyKind/other``.
  ///
  /// ``/Paging/KeyKind/pageNumber`` also makes a pager's first load one page long.
  public var keyKind: KeyKind

  /// A convention of one's own.
  ///
  /// - Parameters:
  ///   - keyKind: What kind of key it uses.
  ///   - request: Makes the request for a page out of the one for the list, which has the source's URL and headers.
  ///     Where `page.key` is nil, the list's start is wanted. A URL of another origin is refused unless the source's
  ///     configuration allows it.
  ///   - keys: Reads the neighbours' keys from a reply with a 2xx status; a nil key ends the list on that side.
  public init(
    keyKind: KeyKind = .other,
    request: @escaping @Sendable (_ page: PageRequest, _ request: inout URLRequest) throws -> Void,
    keys: @escaping @Sendable (_ reply: PageReply<Response>) throws -> PageKeys
  ) {
    self.keyKind = keyKind
    self.request = request
    self.keys = keys
  }

  /// This convention, for a server that answers pages past its list's end with one of `statuses`, as 404 or 416.
  ///
  /// Such a page is then empty and the last; on the first page the same status is an error all the same. Replaces the
  /// statuses that were set before: ``pageNumber(_:size:first:pages:)`` starts with 400 and 404, the others with none.
  public func ending(at statuses: Set<Int>) -> PageConvention {
    var convention = self
    convention.endStatuses = statuses
    return convention
  }

  /// This convention, for a server whose reply carries an `ETag` of the whole list and that honours `If-Match`, as
  /// Kinto.
  ///
  /// Every further page is asked for only if the list is still what it was when the page before came. Where it has
  /// changed, the load throws ``/Paging/PagingError/invalidated``: a walk ends, a pager starts a new generation. A
  /// refresh asks without condition. Weak ETags can't be used for this and are passed over (RFC 9110, section 13.1.1).
  public func detectingChanges() -> PageConvention {
    var convention = self
    convention.detectsChanges = true
    return convention
  }

  /// This convention, for a server that tells the number of rows only in the reply to a HEAD, as Kinto.
  ///
  /// The HEAD goes out beside the request for the first page; where it fails, the total is unknown.
  public func countingByHead() -> PageConvention {
    var convention = self
    convention.countsByHead = true
    return convention
  }

  func isPastEnd(_ status: Int, for page: PageRequest) -> Bool {
    guard let key = page.key, endStatuses.contains(status) || alsoEnds(status) else { return false }
    return firstNumber == nil || key.number != firstNumber
  }
}

/// A request that comes before the first page's, as one that opens a session.
struct PageOpening: Sendable {
  let request: @Sendable (inout URLRequest) throws -> Void
  /// The first page's key.
  let key: @Sendable (HTTPReply) throws -> HTTPPageKey
}

/// The page that a convention is to make a request for.
public struct PageRequest: Hashable, Sendable {
  /// The key of the page; nil: the start of the list.
  public var key: HTTPPageKey?
  /// How many rows are wanted, at least 1; whatever comes is taken.
  public var loadSize: Int
  /// Which way the load goes.
  public var type: LoadType

  /// A page to ask for, as tests of a convention make one.
  public init(key: HTTPPageKey? = nil, loadSize: Int = 20, type: LoadType = .refresh) {
    self.key = key
    self.loadSize = loadSize
    self.type = type
  }
}

/// What a convention reads keys from.
public struct PageReply<Response: Sendable>: Sendable {
  /// The body, decoded.
  public var response: Response
  /// How many rows the body held, those too that could not be decoded and were skipped. Positions are counted by what
  /// came, never by what was asked for: servers cap sizes silently.
  public var itemCount: Int
  /// Status, headers, body and URL of the reply.
  public var http: HTTPReply
  /// What was asked.
  public var request: PageRequest

  /// A reply, as tests of a convention make one.
  public init(response: Response, itemCount: Int, http: HTTPReply, request: PageRequest) {
    self.response = response
    self.itemCount = itemCount
    self.http = http
    self.request = request
  }
}

/// What a reply says of its page's surroundings. A nil key ends the list on that side.
public struct PageKeys: Hashable, Sendable {
  /// The key of the page before; nil: none, or the server can't go back.
  public var previous: HTTPPageKey?
  /// The key of the page after; nil: the list ends here.
  public var next: HTTPPageKey?
  /// Rows before this page in the whole list; nil: unknown.
  public var itemsBefore: Int?
  /// Rows after this page in the whole list; nil: follows from ``itemsBefore`` and an exact total, else unknown.
  public var itemsAfter: Int?
  /// Rows in all; nil: not said, and then the headers are looked at: `X-Total-Count`, `X-WP-Total`, `X-Total`,
  /// `X-Pagination-Total-Count`, `Total-Count`, `Total-Objects`, `Total-Records`, and a `Content-Range` that isn't in
  /// bytes.
  public var total: Total?

  /// The surroundings of a page.
  ///
  /// - Parameters:
  ///   - previous: The key of the page before.
  ///   - next: The key of the page after.
  ///   - itemsBefore: Rows before this page.
  ///   - itemsAfter: Rows after this page.
  ///   - total: Rows in all.
  public init(
    previous: HTTPPageKey? = nil, next: HTTPPageKey? = nil, itemsBefore: Int? = nil, itemsAfter: Int? = nil,
    total: Total? = nil
  ) {
    self.previous = previous
    self.next = next
    self.itemsBefore = itemsBefore
    self.itemsAfter = itemsAfter
    self.total = total
  }
}
