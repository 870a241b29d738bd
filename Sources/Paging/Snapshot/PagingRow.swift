/// A row of a list: a loaded item, or a placeholder for one that is known to exist.
public struct PagingRow<Item: Identifiable & Sendable>: Identifiable, Sendable where Item.ID: Sendable {
  /// What tells a row from the others of its snapshot.
  ///
  /// A loaded row has its item's identity. A placeholder has one of its own, which it keeps as long as its generation
  /// lasts and no item takes its place.
  public struct ID: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
      case item(Item.ID)
      case placeholder(Int)
    }

    private let storage: Storage

    fileprivate init(item: Item.ID) {
      storage = .item(item)
    }

    fileprivate init(placeholder coordinate: Int) {
      storage = .placeholder(coordinate)
    }

    /// The item's identity; nil for a placeholder.
    public var item: Item.ID? {
      if case .item(let id) = storage { id } else { nil }
    }
  }

  /// The item; nil for a placeholder.
  public let item: Item?
  private let coordinate: Int

  /// A loaded row, or without an item the placeholder at that coordinate.
  @inline(__always) init(_ item: Item?, coordinate: Int) {
    self.item = item
    self.coordinate = coordinate
  }

  /// What tells this row from the others of its snapshot.
  public var id: ID {
    if let item { ID(item: item.id) } else { ID(placeholder: coordinate) }
  }
}
