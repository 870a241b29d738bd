/// One row of a stored list: an item, or a gap between items.
///
/// Its ``id`` belongs to the row, not to the item: it stays when an item that was made here gets its server's ID, so a
/// screen doesn't take the row out and put it in again.
public struct ListRow<Item: StoredItem>: Identifiable, Sendable {
  /// What makes a row the same row; means something in its own store only.
  public struct ID: Hashable, Codable, Sendable {
    enum Name: Hashable, Codable, Sendable {
      /// The item's number in the store.
      case item(Int64)
      /// The number of the run below the gap.
      case gap(Int64)
    }

    let name: Name
  }

  /// What a row shows; more kinds may come, so a switch over it needs a default.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Content: Sendable {
    /// An item, with the edits that are not acknowledged yet.
    case item(Item)
    /// Rows are known to be missing here.
    case gap(Gap)
    /// An item of which only the ID has come: lists of IDs show such rows until their items are fetched.
    case unfetched
  }

  /// The row's identity.
  public let id: ID
  /// What it shows.
  public let content: Content

  /// The item; nil: the row is none.
  public var item: Item? {
    if case .item(let item) = content { item } else { nil }
  }

  /// The gap; nil: the row is none.
  public var gap: Gap? {
    if case .gap(let gap) = content { gap } else { nil }
  }

  /// The row of an item.
  init(_ item: Item, number: Int64) {
    id = ID(name: .item(number))
    content = .item(item)
  }

  /// The row of a gap.
  init(_ gap: Gap) {
    id = ID(name: .gap(gap.id))
    content = .gap(gap)
  }

  /// The row of an item that is known by its ID only.
  init(unfetched number: Int64) {
    id = ID(name: .item(number))
    content = .unfetched
  }
}

extension ListRow.Content: Equatable where Item: Equatable {}
extension ListRow: Equatable where Item: Equatable {}
