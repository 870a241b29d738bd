/// What one load returned: items, the keys of its neighbours, and counts where they are known.
///
/// A nil ``nextKey`` or ``previousKey`` is the end of the list on that side, and the only thing that is: a short page
/// is not, and an empty page with a key is followed.
public struct Page<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The rows, in list order. May be shorter or longer than what was asked for, or empty.
  public var items: [Item]
  /// The key of the page before this one; nil when there is none, or when the source can't go back.
  public var previousKey: Key?
  /// The key of the page after this one; nil at the end of the list.
  public var nextKey: Key?
  /// How many rows precede this page in the whole list; nil when unknown.
  public var itemsBefore: Int?
  /// How many rows follow this page in the whole list; nil when unknown.
  public var itemsAfter: Int?
  /// How many rows there are in all, and how sure that is; only an exact total makes placeholders.
  public var total: Total?

  /// A page of `items`.
  ///
  /// - Parameters:
  ///   - items: The rows, in list order.
  ///   - previousKey: The key of the page before; nil: none.
  ///   - nextKey: The key of the page after; nil: the list ends here.
  ///   - itemsBefore: Rows before this page; a value below zero counts as unknown.
  ///   - itemsAfter: Rows after this page; a value below zero counts as unknown.
  ///   - total: Rows in all.
  public init(
    _ items: [Item], previousKey: Key? = nil, nextKey: Key? = nil, itemsBefore: Int? = nil, itemsAfter: Int? = nil,
    total: Total? = nil
  ) {
    self.items = items
    self.previousKey = previousKey
    self.nextKey = nextKey
    self.itemsBefore = itemsBefore
    self.itemsAfter = itemsAfter
    self.total = total
  }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Encodable where Key: Encodable, Item: Encodable {}
extension Page: Decodable where Key: Decodable, Item: Decodable {}

/// How many rows a list has, and how sure that is.
public struct Total: Hashable, Codable, Sendable {
  private enum Certainty: String, Codable {
    case exact, atLeast, about
  }

  /// The number; never below zero.
  public let count: Int
  private let certainty: Certainty

  private init(_ count: Int, _ certainty: Certainty) {
    self.count = max(0, count)
    self.certainty = certainty
  }

  /// Exactly that many, now. A count below zero becomes zero.
  public static func exact(_ count: Int) -> Total { Total(count, .exact) }
  /// That many or more: a server that stops counting. A count below zero becomes zero.
  public static func atLeast(_ count: Int) -> Total { Total(count, .atLeast) }
  /// An estimate. A count below zero becomes zero.
  public static func about(_ count: Int) -> Total { Total(count, .about) }

  /// Whether ``count`` is exact.
  public var isExact: Bool { certainty == .exact }
  /// Whether there may be more than ``count``, and not fewer.
  public var isLowerBound: Bool { certainty == .atLeast }
}
