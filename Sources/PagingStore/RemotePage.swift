/// What a server answered: some rows of a list, and what it said about their surroundings.
public struct RemotePage<Item: StoredItem>: Sendable {
  /// The rows in list order, the newest first. An item that comes twice counts once, at its first place.
  public var items: [Item]
  /// Continues the list above the first row; nil: the server gave none.
  public var newerToken: String?
  /// Continues the list below the last row; nil: the server gave none.
  public var olderToken: String?
  /// Whether the list ends with this page, on the side that was asked for: nothing is older than its last row, or,
  /// where newer rows were asked for, nothing is newer than its first. Nothing else says so: a short or an empty page
  /// doesn't.
  public var reachedEnd: Bool
  /// Whether nothing lies between this page and ``ListRequest/bound``: the page answers for the rest of the gap.
  /// Ignored where the request had no bound.
  public var reachedBound: Bool = false
  /// Whether a stored row that should be among these and isn't is gone. Not where places are numbers of rows or pages,
  /// which rows that come or go push to and fro.
  var provesAbsence = true

  /// A page.
  ///
  /// - Parameters:
  ///   - items: The rows, the newest first.
  ///   - newerToken: Continues the list above.
  ///   - olderToken: Continues the list below.
  ///   - reachedEnd: Whether the list ends with this page, on the side that was asked for.
  public init(_ items: [Item], newerToken: String? = nil, olderToken: String? = nil, reachedEnd: Bool = false) {
    self.items = items
    self.newerToken = newerToken
    self.olderToken = olderToken
    self.reachedEnd = reachedEnd
  }
}

extension RemotePage: Equatable where Item: Equatable {}
