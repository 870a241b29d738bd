public import Loading

/// A page and its neighbours.
public struct AroundRequest: Hashable, Sendable {
  /// The page that is asked for.
  public var key: String
  /// How many rows a page has.
  public var pageSize: Int
  /// How many neighbours in each direction; 0 or less: none.
  public var depth: Int
  /// Where the neighbours lie.
  public var direction: PageFetchDirection
  /// How urgent the asked page is.
  public var keyPriority: LoadPriority
  /// How urgent its neighbours are.
  public var aroundPriority: LoadPriority

  /// A page and `depth` neighbours in each direction.
  ///
  /// - Parameters:
  ///   - key: The page that is asked for.
  ///   - pageSize: How many rows a page has.
  ///   - depth: How many neighbours in each direction.
  ///   - direction: Where the neighbours lie; default both.
  ///   - keyPriority: How urgent the asked page is.
  ///   - aroundPriority: How urgent its neighbours are.
  public init(
    _ key: String, pageSize: Int, depth: Int, direction: PageFetchDirection = .all,
    keyPriority: LoadPriority = .medium, aroundPriority: LoadPriority = .low
  ) {
    self.key = key
    self.pageSize = pageSize
    self.depth = depth
    self.direction = direction
    self.keyPriority = keyPriority
    self.aroundPriority = aroundPriority
  }
}

/// The ways from a page to its neighbours.
public struct PageFetchDirection: OptionSet, Hashable, Sendable {
  /// The ways as bits.
  public let rawValue: Int

  /// The ways of these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Along `nextKey`.
  public static let forward = PageFetchDirection(rawValue: 1)
  /// Along `previousKey`.
  public static let backward = PageFetchDirection(rawValue: 2)
  /// Both ways.
  public static let all: PageFetchDirection = [.forward, .backward]
}

/// One page that `fetchAround` brought, or failed to.
public struct PaginatorDelivery<Item: Sendable>: Sendable {
  /// Which page.
  public var key: String
  /// The page, or why it didn't come.
  public var result: Result<PaginatorPage<Item>, PaginatorError>

  /// A delivery.
  public init(key: String, result: Result<PaginatorPage<Item>, PaginatorError>) {
    self.key = key
    self.result = result
  }
}
