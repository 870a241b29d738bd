import Foundation
import LoadingHTTP
import Paging

/// What a first reply tells of how its server pages; made by ``PageConvention/detect(_:)``.
///
/// It is a guess from one reply, with its reason: show the reason to whoever is to rely on it.
public struct DetectedConvention: Sendable, Hashable, CustomStringConvertible {
  /// A way to page; more may come.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name, that of its preset.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// ``PageConvention/linkHeader``.
    public static let linkHeader = Kind(rawValue: "linkHeader")
    /// ``PageConvention/nextPageHeader(_:size:)``.
    public static let nextPageHeader = Kind(rawValue: "nextPageHeader")
    /// ``PageConvention/nextURL(_:previous:size:total:)``.
    public static let nextURL = Kind(rawValue: "nextURL")
    /// ``PageConvention/jsonAPI(_:size:total:)``.
    public static let jsonAPI = Kind(rawValue: "jsonAPI")
    /// ``PageConvention/oData(size:)``.
    public static let oData = Kind(rawValue: "oData")
    /// ``PageConvention/datasette(size:)``.
    public static let datasette = Kind(rawValue: "datasette")
    /// ``PageConvention/cursor(_:previous:parameter:size:total:)``.
    public static let cursor = Kind(rawValue: "cursor")
    /// ``PageConvention/awsToken(_:parameter:size:operation:body:isTruncated:repeatedTokenEnds:)``.
    public static let awsToken = Kind(rawValue: "awsToken")
    /// ``PageConvention/keyset(_:key:after:before:size:hasMore:)``.
    public static let keyset = Kind(rawValue: "keyset")
    /// ``PageConvention/graphQL(_:variables:names:cursors:total:pageInfo:)``.
    public static let graphQL = Kind(rawValue: "graphQL")
    /// ``PageConvention/searchAfter(query:sort:keepAlive:openingPath:)``.
    public static let searchAfter = Kind(rawValue: "searchAfter")
    /// ``PageConvention/window(_:previous:next:)``.
    public static let window = Kind(rawValue: "window")
    /// ``PageConvention/pageNumber(_:size:first:pages:)``.
    public static let pageNumber = Kind(rawValue: "pageNumber")
    /// ``PageConvention/offset(_:limit:total:)``.
    public static let offset = Kind(rawValue: "offset")
    /// Nothing in the reply leads on: the list is whole, or its server says so in no way that is known here.
    public static let single = Kind(rawValue: "single")
  }

  /// How the server pages.
  public let kind: Kind
  /// Where the rows are, member by member; empty: the body is the bare array. Nil: no list was found.
  public let items: [String]?
  /// Other lists that could be the rows; not empty only where nothing tells which.
  public let otherItems: [[String]]
  /// Where what leads on is, member by member; nil: in a header, or nowhere.
  public let next: [String]?
  /// The query parameter, member of the request's body, or header, that the key belongs to; nil: the key is a whole URL.
  public let parameter: String?
  /// The query parameter that usually has the load size with this way to page; nil: unknown.
  public let sizeParameter: String?
  /// The number of the first page, where pages are numbered.
  public let firstPage: Int?
  /// Where the number of pages is, member by member, where pages are numbered; nil: not said.
  var pages: [String]?
  /// What was seen in the reply, in a sentence.
  public let reason: String

  /// Kind, place of the rows and reason, on one line.
  public var description: String {
    let place = items.map { $0.isEmpty ? "rows in a bare array" : "rows at \($0.joined(separator: "."))" } ?? "no rows"
    return "\(kind.rawValue), \(place): \(reason)"
  }

  /// Whether the list can be walked with ``convention`` and no further word.
  ///
  /// Not for those that need a query or a body of one's own: ``Kind/graphQL``, ``Kind/searchAfter``, ``Kind/window`` and
  /// ``Kind/awsToken``; and not where no rows were found.
  public var isWalkable: Bool { items != nil && ![.graphQL, .searchAfter, .window, .awsToken].contains(kind) }

  /// The rows of a page that was decoded as any JSON; none where it has none there.
  public func rows(in page: JSONValue) -> [JSONValue] {
    items.flatMap { page.value(at: $0)?.elements } ?? []
  }

  /// The convention, for pages that are decoded as any JSON; see ``isWalkable``.
  public var convention: PageConvention<JSONValue> {
    guard kind == .keyset else { return convention { page, path in page.value(at: path)?.text } }
    return .keyset(
      rows(in:), key: { $0["id"]?.text ?? "" }, after: parameter ?? "starting_after", size: sizeParameter,
      hasMore: { [next] page in next.flatMap { page.value(at: $0) } == .bool(true) })
  }

  /// The convention, for pages that can be looked into.
  ///
  /// For a kind that is not ``isWalkable``, and for ``Kind/keyset``, it is one page and no more.
  ///
  /// - Parameters:
  ///   - member: Looks into a page.
  ///   - sendsSize: Whether the load size is sent where pages are counted.
  package func convention<Response: Sendable>(
    _ member: @escaping MemberLookup<Response>, sendsSize: Bool = true
  ) -> PageConvention<Response> {
    let size = sendsSize ? sizeParameter : nil
    let text = { @Sendable [next] (page: Response) in next.flatMap { member(page, $0) } }
    switch kind {
    case .linkHeader: return .linkHeader
    case .nextPageHeader: return .nextPageHeader(parameter ?? "Next-Page")
    case .nextURL, .jsonAPI, .oData: return .nextURL { text($0).flatMap { URL(string: $0) } }
    case .cursor, .datasette: return .cursor(text, parameter: parameter ?? "cursor", size: nil)
    case .pageNumber:
      return .pageNumber(parameter ?? "page", size: size, first: firstPage ?? 1, pages: pageCount(member))
    case .offset: return .offset(parameter ?? "offset", limit: size)
    default:
      return PageConvention { _, _ in
      } keys: { _ in
        PageKeys()
      }
    }
  }

  /// How many pages there are; where a page only says which is the next, one, as soon as it doesn't.
  private func pageCount<Response: Sendable>(
    _ member: @escaping MemberLookup<Response>
  ) -> (@Sendable (Response) -> Int?)? {
    if let pages { return { member($0, pages).flatMap { Int($0) } } }
    if let next { return { (member($0, next) ?? "").isEmpty ? 1 : nil } }
    return nil
  }
}
