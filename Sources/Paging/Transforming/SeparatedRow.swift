/// A row of a list with separators: an item, or a separator between two.
///
/// ```swift
/// switch row.content {
/// case .item(let post): PostRow(post)
/// case .separator(let day): DayHeader(day)
/// }
/// ```
public struct SeparatedRow<Item: Identifiable & Sendable, Separator: Hashable & Sendable>: Identifiable, Sendable
where Item.ID: Sendable {
  /// What a row can be. These two are all there is.
  @frozen public enum Content: Sendable {
    /// An item of the list.
    case item(Item)
    /// What was put between two items, before the first or after the last.
    case separator(Separator)
  }

  /// What tells a row from the others of its snapshot.
  ///
  /// Equal separators may stand at several places, as in a list that isn't sorted by what separates it: each has an
  /// identity of its own, of which the first one to come has ``separator(_:)``.
  public struct ID: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
      case item(Item.ID)
      case separator(Separator, number: Int)
    }

    private let storage: Storage

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The identity of an item's row.
    public static func item(_ id: Item.ID) -> ID { ID(.item(id)) }

    /// The identity of a separator's row, of the first where equal ones stand at several places.
    public static func separator(_ separator: Separator) -> ID { ID(.separator(separator, number: 0)) }

    static func separator(_ separator: Separator, number: Int) -> ID { ID(.separator(separator, number: number)) }

    /// The item's identity; nil for a separator.
    public var item: Item.ID? {
      if case .item(let id) = storage { id } else { nil }
    }
  }

  /// What the row is.
  public let content: Content
  /// Which of the equal separators of its list it is, counted from 0; 0 for an item.
  let number: Int

  init(_ content: Content, number: Int) {
    self.content = content
    self.number = number
  }

  /// The row of an item.
  public static func item(_ item: Item) -> SeparatedRow { SeparatedRow(.item(item), number: 0) }

  /// The row of a separator, as the first of its kind.
  public static func separator(_ separator: Separator) -> SeparatedRow {
    SeparatedRow(.separator(separator), number: 0)
  }

  /// The item; nil for a separator.
  public var item: Item? {
    if case .item(let item) = content { item } else { nil }
  }

  /// The separator; nil for an item.
  public var separator: Separator? {
    if case .separator(let separator) = content { separator } else { nil }
  }

  /// What tells this row from the others of its snapshot.
  public var id: ID {
    switch content {
    case .item(let item): .item(item.id)
    case .separator(let separator): .separator(separator, number: number)
    }
  }
}

extension SeparatedRow.Content: Equatable where Item: Equatable {}
extension SeparatedRow.Content: Hashable where Item: Hashable {}
extension SeparatedRow: Equatable where Item: Equatable {}
extension SeparatedRow: Hashable where Item: Hashable {}
