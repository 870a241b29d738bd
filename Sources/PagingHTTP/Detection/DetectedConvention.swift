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
  /// The query parameter, member of the request's body, or header, that the key belongs to; nil: the key is a whole
  /// URL.
  public let parameter: String?
  /// The query parameter that usually has the load size with this way to page; nil: unknown.
  public let sizeParameter: String?
  /// The number of the first page, where pages are numbered.
  public let firstPage: Int?
  /// Where the number of pages is, member by member, where pages are numbered; nil: not said.
  var pages: [String]?
  /// What was seen in the reply, in a sentence; printable, whatever the server calls its members.
  public let reason: String

  /// Kind, place of the rows and reason, on one line and printable.
  public var description: String {
    let place = items.map { $0.isEmpty ? "rows in a bare array" : "rows at \($0.joined(separator: "."))" } ?? "no rows"
    return "\(kind.rawValue), \(PlainText.escaped(place.utf8, limit: 200)): \(reason)"
  }

  /// What the list's own URL lacks, or the reply, so that it can't be gone on from; nil: nothing.
  var lack: String?

  /// Whether the list can be walked with ``convention`` and no further word, as one that is asked for by GET.
  ///
  /// Not for ``Kind/window``; not for ``Kind/graphQL`` unless the URL has the query, and that takes a cursor; not for
  /// ``Kind/searchAfter`` unless the hits have their sort values; and not where no rows were found.
  public var isWalkable: Bool { items != nil && kind != .window && lack == nil }

  /// The rows of a page that was decoded as any JSON; none where it has none there.
  public func rows(in page: JSONValue) -> [JSONValue] {
    items.flatMap { page.value(at: $0)?.elements } ?? []
  }

  /// The convention, for pages that are decoded as any JSON; see ``isWalkable``.
  public var convention: PageConvention<JSONValue> { convention(PageLook.value) }

  /// The convention, for pages that can be looked into.
  ///
  /// For a kind that is not ``isWalkable`` it is one page and no more.
  ///
  /// - Parameters:
  ///   - look: Looks into a page.
  ///   - sendsSize: Whether the load size is sent where nothing in the list's URL has to fit it.
  package func convention<Response: Sendable>(
    _ look: PageLook<Response>, sendsSize: Bool = true
  ) -> PageConvention<Response> {
    let size = sendsSize ? sizeParameter : nil
    let text = { @Sendable [next, flags = endFlags] (page: Response) in
      flags.contains { look.flag(page, $0) == false } ? nil : next.flatMap { look.text(page, $0) }
    }
    if lack != nil { return .onePage }
    switch kind {
    case .linkHeader: return .linkHeader
    case .nextPageHeader: return .nextPageHeader(parameter ?? "Next-Page")
    case .nextURL, .jsonAPI, .oData: return .nextLink(text)
    case .datasette: return .cursor(text, parameter: parameter ?? "_next", size: nil)
    case .cursor:
      return .cursor({ text($0).map(Self.unquoted) }, parameter: parameter ?? "cursor", size: nil)
    case .awsToken: return tokenConvention(look)
    case .keyset: return keysetConvention(look, size: size)
    case .searchAfter: return searchConvention(look)
    case .graphQL: return queryConvention(look)
    case .pageNumber:
      return .pageNumber(parameter ?? "page", size: size, first: firstPage ?? 1, pages: pageCount(look))
    case .offset: return .offset(parameter ?? "offset", limit: size)
    default: return .onePage
    }
  }

  /// Whether the cursor may be that of the page's last row, so that the last page has one as well.
  var cursorStands: Bool { kind == .cursor && next?.last.map(KnownCursor.standing.contains) == true }

  /// What says that there is no more, where the cursor may stand on the last page as well.
  var endFlags: [[String]] {
    guard cursorStands, let next else { return [] }
    return KnownCursor.flags.flatMap { [next.dropLast() + [$0], [$0]] }
  }

  /// How many pages there are; where a page only says which is the next, one, as soon as it doesn't.
  private func pageCount<Response: Sendable>(
    _ look: PageLook<Response>
  ) -> (@Sendable (Response) -> Int?)? {
    if let pages { return { look.text($0, pages).flatMap { Int($0) } } }
    if let next { return { (look.text($0, next) ?? "").isEmpty ? 1 : nil } }
    return nil
  }

  /// A cursor that its server has percent-encoded already, as it was before; any other as it is.
  ///
  /// Such a cursor has escapes, and nothing beside them that would need one.
  static func unquoted(_ cursor: String) -> String {
    let bytes = Array(cursor.utf8)
    var hasEscape = false
    var at = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "%"):
        guard at + 2 < bytes.count, isHexDigit(bytes[at + 1]), isHexDigit(bytes[at + 2]) else { return cursor }
        hasEscape = true
        at += 3
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        at += 1
      default: return cursor
      }
    }
    return hasEscape ? cursor.removingPercentEncoding ?? cursor : cursor
  }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}
