/// A row of a list with separators: an item, or a separator between two. These two are all there is.
///
/// ```swift
/// switch row {
/// case .item(let post): PostRow(post)
/// case .separator(let day): DayHeader(day)
/// }
/// ```
@frozen public enum SeparatedRow<Item: Identifiable & Sendable, Separator: Hashable & Sendable>: Identifiable, Sendable
where Item.ID: Sendable {
  /// An item of the list.
  case item(Item)
  /// What was put between two items, before the first or after the last.
  case separator(Separator)

  /// What tells a row from the others of its snapshot.
  ///
  /// Equal separators may stand at several places, as in a list that isn't sorted by what separates it. The row of each
  /// has an identity of its own in ``PagingRow/id``: of the first one to come it is ``separator(_:)``, of others
  /// ``repeatedSeparator(_:number:)``.
  ///
  /// More may come, as other ways to tell equal separators apart: compare identities, or ask one for its ``item``.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum ID: Hashable, Sendable {
    /// An item's row.
    case item(Item.ID)
    /// A separator's row.
    case separator(Separator)
    /// The row of a separator to which an equal one was there already: the first of these has number 1.
    case repeatedSeparator(Separator, number: Int)

    static func separator(_ separator: Separator, number: Int) -> ID {
      number == 0 ? .separator(separator) : .repeatedSeparator(separator, number: number)
    }

    /// The item's identity; nil for a separator.
    public var item: Item.ID? {
      if case .item(let id) = self { id } else { nil }
    }
  }

  /// The item; nil for a separator.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }

  /// The separator; nil for an item.
  public var separator: Separator? {
    if case .separator(let separator) = self { separator } else { nil }
  }

  /// What the row is; equal for equal separators, which the rows of a snapshot tell apart.
  public var id: ID {
    switch self {
    case .item(let item): .item(item.id)
    case .separator(let separator): .separator(separator)
    }
  }
}

extension SeparatedRow: Equatable where Item: Equatable {}
extension SeparatedRow: Hashable where Item: Hashable {}
