#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One page of a list, by its name, with the names of its neighbours.
///
/// Encoded and decoded as a dictionary of its properties, without ``isStale``.
public struct PaginatorPage<Item: Sendable>: Sendable {
  private enum CodingKeys: String, CodingKey {
    case key, items, previousKey, nextKey, expiresAt, checksum
  }

  /// The page's name: the key that it was asked for with.
  public var key: String
  /// The rows, in list order.
  public var items: [Item]
  /// The key of the page before this one; nil: there is none, or the source can't go back.
  public var previousKey: String?
  /// The key of the page after this one; nil: the list ends here.
  public var nextKey: String?
  /// When it stops being good, as a date, since a page may outlive the process; nil: never by itself.
  public var expiresAt: Date?
  /// What a validator of yours compares the contents with; the paginator only carries it.
  public var checksum: String?
  /// Whether it was past its time and delivered all the same: because the source failed, or ahead of the fresh one.
  public var isStale = false

  /// A page.
  ///
  /// - Parameters:
  ///   - key: The key that it was asked for with.
  ///   - items: The rows, in list order.
  ///   - previousKey: The key of the page before; nil: none.
  ///   - nextKey: The key of the page after; nil: the list ends here.
  ///   - expiresAt: When it stops being good; nil: never by itself.
  ///   - checksum: What a validator compares the contents with.
  public init(
    key: String, items: [Item], previousKey: String? = nil, nextKey: String? = nil, expiresAt: Date? = nil,
    checksum: String? = nil
  ) {
    self.key = key
    self.items = items
    self.previousKey = previousKey
    self.nextKey = nextKey
    self.expiresAt = expiresAt
    self.checksum = checksum
  }
}

extension PaginatorPage: Equatable where Item: Equatable {}
extension PaginatorPage: Encodable where Item: Encodable {}
extension PaginatorPage: Decodable where Item: Decodable {}
