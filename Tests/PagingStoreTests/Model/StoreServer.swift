@testable import PagingStore

/// An item of the model: its place is the server's order, and may change.
struct ModelItem: StoredItem, Hashable {
  let id: Int
  var place: Int64
  var text: String
  var isLiked = false
  /// Rises with every change on the server; the store is told of it as the version only where `isVersioned`.
  var revision: Int64 = 1
  var isVersioned = false

  static var storedKind: String { "model" }
  var version: Int64? { isVersioned ? revision : nil }
  var sortKey: ListSortKey? { ListSortKey(place) }
}

/// What a live connection tells a list.
enum ModelEvent: Hashable {
  /// An item is new, or has another place.
  case created(ModelItem)
  case changed(ModelItem)
  case deleted(Int)

  var place: Int64? { if case .created(let item) = self { item.place } else { nil } }
}

/// The server of all lists: places in order, the items that stand there, and a log of what happened.
struct StoreServer {
  let isVersioned: Bool
  private(set) var places = ModelServer()
  /// The items by their places, hidden ones too.
  private(set) var items: [Int64: ModelItem] = [:]
  /// What an item was, each time that something happened to it.
  private(set) var log: [ModelEvent] = []

  init(isVersioned: Bool) { self.isVersioned = isVersioned }

  /// The items that are seen, the newest first.
  var visible: [ModelItem] { places.visible.compactMap { items[$0] } }

  func item(_ id: Int) -> ModelItem? { items.values.first { $0.id == id } }

  mutating func add(isHidden: Bool) -> ModelItem {
    let place = places.add(isHidden: isHidden)
    let item = ModelItem(id: Int(place), place: place, text: "s1", isVersioned: isVersioned)
    items[place] = item
    if !isHidden { log.append(.created(item)) }
    return item
  }

  mutating func backdate(_ choice: Int64) -> ModelItem? {
    var next = places
    // An item that was there before and stands elsewhere now keeps its ID.
    guard let place = next.backdate(choice), item(Int(place)) == nil else { return nil }
    places = next
    let item = ModelItem(id: Int(place), place: place, text: "s1", isVersioned: isVersioned)
    items[place] = item
    log.append(.created(item))
    return item
  }

  mutating func change(_ id: Int, _ change: (inout ModelItem) -> Void) -> ModelItem? {
    guard var item = item(id) else { return nil }
    change(&item)
    item.revision += 1
    items[item.place] = item
    log.append(.changed(item))
    return item
  }

  mutating func delete(_ item: ModelItem) {
    places.delete(item.place)
    items[item.place] = nil
    log.append(.deleted(item.id))
  }

  mutating func hide(_ item: ModelItem) { places.hide(item.place) }

  /// Puts an item at the head, or at an old place that is free.
  mutating func move(_ item: ModelItem, to choice: Int64?) -> ModelItem? {
    guard let place = choice.map({ places.backdate($0) }) ?? places.add(isHidden: false) else { return nil }
    places.delete(item.place)
    items[item.place] = nil
    var moved = item
    moved.place = place
    moved.revision += 1
    items[place] = moved
    log.append(.created(moved))
    return moved
  }
}
