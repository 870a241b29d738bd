/// A question to a server, with what was known when it left; made by ``StoredList/request(_:)``.
///
/// Its answer is applied with it, so that an answer that comes late, or to an edge that has changed, is seen to be so.
/// A request costs nothing to drop, and means nothing after its store was closed.
public struct ListRequest<Item: StoredItem>: Sendable {
  /// What is asked for.
  public struct Kind: Hashable, Sendable {
    enum Name: Hashable, Sendable {
      case head, olderThanAll, newerThanAll
      case older(Gap)
      case newer(Gap)
      case around(Item.ID)
    }

    let name: Name

    /// The newest rows, whatever is stored.
    public static var head: Kind { Kind(name: .head) }
    /// The rows below the oldest stored one.
    public static var olderThanAll: Kind { Kind(name: .olderThanAll) }
    /// The rows right above the newest stored one.
    public static var newerThanAll: Kind { Kind(name: .newerThanAll) }
    /// The rows of a gap, from its upper edge down.
    public static func older(than gap: Gap) -> Kind { Kind(name: .older(gap)) }
    /// The rows of a gap, from its lower edge up.
    public static func newer(than gap: Gap) -> Kind { Kind(name: .newer(gap)) }
    /// The rows around an item, which need not be stored.
    public static func around(_ id: Item.ID) -> Kind { Kind(name: .around(id)) }
  }

  /// What is asked for.
  public let kind: Kind
  /// The token that continues the list at the edge that asks; nil: there is none, so ask by ``boundary``.
  public var token: String? { core.token }
  /// The stored row at the edge that asks; nil for the head and around an item.
  public let boundary: Item.ID?
  /// The stored row on the far side of the gap: an answer need go no further; nil: there is none.
  public let bound: Item.ID?

  /// What the store has to know again.
  let core: StoreRequest
}
