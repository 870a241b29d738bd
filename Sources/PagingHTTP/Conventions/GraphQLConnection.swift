import Foundation
import Paging

/// A connection of GraphQL as a reply's type may hold it.
///
/// ```swift
/// struct Reply: Decodable {
///   struct Lists: Decodable { var posts: GraphQLConnection<Post> }
///   var data: Lists
/// }
/// let convention = PageConvention<Reply>.graphQL(query) { $0.data.posts.pageInfo }
/// let source = HTTPPageSource(url, convention: convention, items: \.data.posts.nodes)
/// ```
public struct GraphQLConnection<Node: Decodable & Sendable>: Decodable, Sendable {
  /// The rows; an edge without a node is passed over, as servers leave out what may not be seen.
  public var nodes: [Node] { edges.elements.compactMap { $0?.node } }
  /// What the page says of its place.
  public let pageInfo: GraphQLPageInfo
  /// How many rows the list has; nil: not asked for, or not known.
  public let totalCount: Int?

  private let edges: LenientArray<Edge?>

  private struct Edge: Decodable, Sendable {
    var node: Node?
  }
}

/// What a page of a GraphQL connection says of its place.
public struct GraphQLPageInfo: Hashable, Sendable, Decodable {
  /// Whether there are rows behind the page.
  public var hasNextPage: Bool
  /// Whether there are rows in front of the page; nil: not asked for.
  public var hasPreviousPage: Bool?
  /// The first row's cursor; nil for a page without rows, or not asked for.
  public var startCursor: String?
  /// The last row's cursor; nil for a page without rows.
  public var endCursor: String?

  /// A page's information, as tests make it.
  public init(
    hasNextPage: Bool, hasPreviousPage: Bool? = nil, startCursor: String? = nil, endCursor: String? = nil
  ) {
    self.hasNextPage = hasNextPage
    self.hasPreviousPage = hasPreviousPage
    self.startCursor = startCursor
    self.endCursor = endCursor
  }
}

/// What a query calls its variables for size and cursor.
public struct GraphQLVariables: Hashable, Sendable {
  /// How many rows behind a cursor.
  public var first: String
  /// The cursor that they are behind.
  public var after: String
  /// How many rows in front of a cursor; nil: the query goes one way only.
  public var last: String?
  /// The cursor that they are in front of; nil: the query goes one way only.
  public var before: String?

  /// Those names.
  public init(
    first: String = "first", after: String = "after", last: String? = "last", before: String? = "before"
  ) {
    self.first = first
    self.after = after
    self.last = last
    self.before = before
  }

  /// `first` and `after`, and no way back.
  public static let forwardOnly = GraphQLVariables(last: nil, before: nil)
}

/// What the cursors of a GraphQL connection are.
public struct GraphQLCursors: Hashable, Sendable {
  /// What is in front of the number; nil: opaque.
  let prefix: String?

  /// Nothing that a client may look into.
  public static let opaque = GraphQLCursors(prefix: nil)

  /// Base64 of a prefix, a colon and the row's offset, as Strawberry's and Graphene's ready connections give them.
  ///
  /// Such a list shifts as any list does that is counted by offset. In turn the place of every page is known, so there
  /// are placeholders and jumps. A cursor of another kind is refused before anything is sent, since some servers answer
  /// it with the list's first page: ``/Paging/PagingError/Code/invalidKey``. So do some, as Graphene, for one behind
  /// the end of a list that has become shorter, which is recognised: ``/Paging/PagingError/Code/cursorExpired``.
  public static func offsets(prefix: String = "arrayconnection") -> GraphQLCursors { GraphQLCursors(prefix: prefix) }

  /// The offset in a cursor; nil where there is none.
  func offset(in cursor: String?) -> Int? {
    guard let prefix, let cursor, let data = Data(base64Encoded: cursor) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    guard text.hasPrefix(prefix + ":"), let number = Int(text.dropFirst(prefix.count + 1)), number >= 0 else {
      return nil
    }
    return number
  }

  /// The key of the page that begins at a row.
  func key(forIndex index: Int) -> HTTPPageKey {
    HTTPPageKey(Data("\(prefix ?? ""):\(index - 1)".utf8).base64EncodedString())
  }

  /// How many rows are in front of a page; nil where cursors don't tell.
  ///
  /// - Throws: Where another page came than the one that was asked for.
  func start(of info: GraphQLPageInfo, asked: SidedCursor?, itemCount: Int) throws -> Int? {
    guard prefix != nil, let start = offset(in: info.startCursor) else { return nil }
    guard let asked, !asked.isBefore else { return start }
    // A start is 0 or more, and what a cursor counts may be any number.
    if let last = number(in: asked.cursor), start - 1 != last {
      throw PagingError(
        .cursorExpired, message: "Another page came than was asked for: the list has become shorter. Refresh.")
    }
    return start
  }

  /// - Throws: For a key that is none of a list with such cursors.
  func refuseForeign(_ sided: SidedCursor) throws {
    guard prefix != nil, number(in: sided.cursor) == nil else { return }
    throw PagingError(.invalidKey, message: "The key is not a cursor of this list. Refresh to start again.")
  }

  /// As ``offset(in:)``, and -1 too: the key of the first row.
  private func number(in cursor: String) -> Int? {
    cursor == key(forIndex: 0).text ? -1 : offset(in: cursor)
  }
}
