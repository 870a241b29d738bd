/// Rows and what the server says besides: for sources that make the keys themselves.
public struct PageSlice<Item: Sendable>: Sendable {
  /// The rows, in list order.
  public var items: [Item]
  /// How many rows the whole list has; nil when the server doesn't say.
  public var total: Int?
  /// Whether more rows follow; nil when the server doesn't say.
  public var hasMore: Bool?

  /// Rows of a list.
  ///
  /// - Parameters:
  ///   - items: The rows, in list order.
  ///   - total: How many rows the whole list has; a value below zero counts as unknown.
  ///   - hasMore: Whether more rows follow; outranks what `total` would say.
  public init(_ items: [Item], total: Int? = nil, hasMore: Bool? = nil) {
    self.items = items
    self.total = total
    self.hasMore = hasMore
  }
}

extension PageSlice: Equatable where Item: Equatable {}
