// The engine decides about keys and rows whose types only the shell knows. Code that knows the types of a generic pager
// is compiled once for all pagers and looks each type up as it goes: taking the types out alone made a viewport report
// 1.8 µs instead of 3.5, measured. So the engine's code has no type parameters; what depends on a type stands in this
// file.

/// A key of a type that the engine doesn't know; it can be compared and handed back.
struct OpaqueKey: Equatable, Sendable {
  private let box: any ErasedKey

  init<Key: Hashable & Sendable>(_ key: Key) {
    box = KeyBox(key)
  }

  /// The key itself, which must be of the type that it was made of.
  func typed<Key: Hashable & Sendable>(as type: Key.Type) -> Key {
    unsafeDowncast(box, to: KeyBox<Key>.self).key
  }

  static func == (a: OpaqueKey, b: OpaqueKey) -> Bool { a.box.isEqual(to: b.box) }
}

private protocol ErasedKey: AnyObject, Sendable {
  func isEqual(to other: any ErasedKey) -> Bool
}

private final class KeyBox<Key: Hashable & Sendable>: ErasedKey {
  let key: Key

  init(_ key: Key) {
    self.key = key
  }

  // Right because the keys of one pager all have one type.
  func isEqual(to other: any ErasedKey) -> Bool { unsafeDowncast(other, to: KeyBox<Key>.self).key == key }
}

/// What the engine can't do itself with the rows of a page: one object a pager.
protocol RowAccess: Sendable {
  /// The hashes of the rows' identities.
  func hashes(of page: PageNode) -> [Int]
  /// Whether two rows have the same identity.
  func isSame(_ offset: Int, in page: PageNode, as otherOffset: Int, in other: PageNode) -> Bool
  /// A page of some of the rows.
  func page(keeping offsets: [Int], of page: PageNode) -> PageNode
  /// The same page with one row taken from another, which has the same identity.
  func page(_ page: PageNode, replacing offset: Int, by otherOffset: Int, of other: PageNode) -> PageNode
  /// A page of rows from anywhere, edited.
  func page(of rows: [RowRecipe]) -> PageNode
}

/// Rows of a known type.
struct TypedRows<Item: Identifiable & Sendable>: RowAccess where Item.ID: Sendable {
  private func box(_ page: PageNode) -> PageBox<Item> { typed(page, as: PageBox<Item>.self) }

  func hashes(of page: PageNode) -> [Int] { box(page).hashes }

  func isSame(_ offset: Int, in page: PageNode, as otherOffset: Int, in other: PageNode) -> Bool {
    box(page).items[offset].id == box(other).items[otherOffset].id
  }

  func page(keeping offsets: [Int], of page: PageNode) -> PageNode {
    let page = box(page)
    return PageBox(offsets.map { page.items[$0] }, hashes: offsets.map { page.hashes[$0] })
  }

  func page(_ page: PageNode, replacing offset: Int, by otherOffset: Int, of other: PageNode) -> PageNode {
    let page = box(page)
    var items = page.items
    items[offset] = box(other).items[otherOffset]
    return PageBox(items, hashes: page.hashes)
  }
}

/// One row, of which only page and place are known to the engine.
struct OpaqueRow: Sendable {
  let page: PageNode
  let offset: Int
  /// The hash of its identity.
  let hash: Int
}

/// A page that came, as the engine sees it.
struct OpaquePage: Sendable {
  /// The rows, duplicates and all.
  let rows: PageNode
  let hashes: [Int]
  var previousKey: OpaqueKey?
  var nextKey: OpaqueKey?
  var itemsBefore: Int?
  var itemsAfter: Int?
  var total: Total?

  var count: Int { hashes.count }
}

extension OpaquePage {
  init<Key, Item>(_ page: Page<Key, Item>) {
    let box = PageBox(page.items)
    self.init(
      rows: box, hashes: box.hashes, previousKey: page.previousKey.map { OpaqueKey($0) },
      nextKey: page.nextKey.map { OpaqueKey($0) }, itemsBefore: page.itemsBefore, itemsAfter: page.itemsAfter,
      total: page.total)
  }
}

/// What a source is asked for, as the engine sees it.
struct OpaqueParams: Sendable {
  let type: LoadType
  let key: OpaqueKey?
  let loadSize: Int
  let purpose: LoadPurpose
  /// The number of the load; 0 before it has begun.
  var load: UInt64 = 0

  func typed<Key: Hashable & Sendable>(as key: Key.Type, placeholdersEnabled: Bool) -> LoadParams<Key> {
    LoadParams(
      type, key: self.key?.typed(as: Key.self), loadSize: loadSize, purpose: purpose,
      placeholdersEnabled: placeholdersEnabled)
  }
}

extension SoughtItem {
  /// An item of which only the identity is known.
  init<Item: Identifiable & Sendable>(_ id: Item.ID, of type: Item.Type) where Item.ID: Sendable {
    self.init(id: OpaqueKey(id), hash: id.hashValue) { page, offset in
      Paging.typed(page, as: PageBox<Item>.self).items[offset].id == id
    }
  }
}

extension OpaqueRow {
  /// The item itself.
  func item<Item: Identifiable & Sendable>(as type: Item.Type) -> Item where Item.ID: Sendable {
    typed(page, as: PageBox<Item>.self).items[offset]
  }
}

extension LoadedPages {
  /// The same for a source to read.
  func state<Key, Item>(
    _ key: Key.Type, _ item: Item.Type, config: PagingConfig
  ) -> PagingState<Key, Item> {
    var shown = zip(PageSequence<Item>(pages), records).map { page, record in
      Page<Key, Item>(
        page.items, previousKey: record.previousKey?.typed(as: Key.self), nextKey: record.nextKey?.typed(as: Key.self))
    }
    if config.placeholders, !shown.isEmpty {
      shown[0].itemsBefore = placeholders.before
      shown[shown.count - 1].itemsAfter = placeholders.after
    }
    return PagingState(pages: shown, anchorIndex: anchorIndex, config: config)
  }
}
