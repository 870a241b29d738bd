/// Where a list is opened.
public struct ListEntry<ID: Hashable & Sendable>: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case savedPosition, newest
    case item(ID)
  }

  let place: Place

  /// Where it was left; the newest rows where no place is saved.
  public static var savedPosition: ListEntry { ListEntry(place: .savedPosition) }
  /// At the newest rows.
  public static var newest: ListEntry { ListEntry(place: .newest) }
  /// At an item: from the store where it is there, else asked for.
  public static func item(_ id: ID) -> ListEntry { ListEntry(place: .item(id)) }
}
