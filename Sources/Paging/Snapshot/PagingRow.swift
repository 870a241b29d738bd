/// A row of a list: a loaded item, or a placeholder for one that is known to exist.
///
/// Frozen, since what makes a row is inlinable, as ``PagingSnapshot/subscript(_:)`` is, and library evolution asks that
/// of it.
@frozen public struct PagingRow<Item: Identifiable & Sendable>: Identifiable, Sendable where Item.ID: Sendable {
  /// What tells a row from the others of its snapshot.
  ///
  /// A loaded row has its item's identity. A row that was inserted by an edit, and whose item got another identity
  /// when the edit was confirmed, keeps the one it had: it stays the same row to a screen. A placeholder has an
  /// identity of its own, which it keeps as long as its generation lasts and no item takes its place.
  public struct ID: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
      case item(Item.ID)
      case placeholder(Int)
    }

    private let storage: Storage
    /// The item's identity, where the row goes by another.
    private let renamed: Item.ID?

    fileprivate init(item: Item.ID, alias: Item.ID?) {
      storage = .item(alias ?? item)
      renamed = alias == nil ? nil : item
    }

    fileprivate init(placeholder coordinate: Int) {
      storage = .placeholder(coordinate)
      renamed = nil
    }

    /// The item's identity; nil for a placeholder.
    public var item: Item.ID? {
      if let renamed { return renamed }
      if case .item(let id) = storage { return id } else { return nil }
    }

    /// A placeholder's coordinate; nil for an item.
    var placeholder: Int? {
      if case .placeholder(let coordinate) = storage { return coordinate } else { return nil }
    }

    /// Whether both name one row.
    public static func == (a: Self, b: Self) -> Bool { a.storage == b.storage }

    /// Feeds what `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
  }

  /// The item; nil for a placeholder.
  public let item: Item?
  @usableFromInline let alias: Item.ID?
  @usableFromInline let coordinate: Int

  /// A loaded row, and what it goes by if not by its item's identity.
  @inlinable @inline(__always) init(_ item: Item, alias: Item.ID?) {
    self.item = item
    self.alias = alias
    coordinate = 0
  }

  /// The placeholder at a coordinate.
  @inlinable @inline(__always) init(coordinate: Int) {
    item = nil
    alias = nil
    self.coordinate = coordinate
  }

  /// What tells this row from the others of its snapshot.
  public var id: ID {
    if let item { ID(item: item.id, alias: alias) } else { ID(placeholder: coordinate) }
  }
}
