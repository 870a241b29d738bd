/// The rows of one loaded page, and the hashes of their identities. Immutable, and shared by generations and snapshots.
///
/// The hashes are taken once, when the page arrives, so that neither index nor diff ever hashes again.
@usableFromInline final class PageBox<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The rows, in list order.
  @usableFromInline let items: [Item]
  /// `id.hashValue` of each row.
  let hashes: [Int]
  /// Rows that are known to a screen by another identity than their item's, by their offsets: rows that an edit
  /// inserted before the server gave them theirs. Nil where there are none.
  @usableFromInline let aliases: [Int: Item.ID]?
  /// Where the rows come from, for a page that a transformation made; nil for one that a source loaded.
  let origin: PageOrigin?

  /// How many rows the page has.
  var count: Int { hashes.count }

  /// A page of `items`, whose identities are hashed here.
  init(_ items: [Item], origin: PageOrigin? = nil) {
    self.items = items
    self.origin = origin
    // A loop, since a key path of a type that isn't known here is looked up anew for every page; over the buffer, since
    // an item that is taken out of an array is copied.
    hashes = items.withUnsafeBufferPointer { items in
      var hashes: [Int] = []
      hashes.reserveCapacity(items.count)
      for offset in items.indices { hashes.append(items[offset].id.hashValue) }
      return hashes
    }
    aliases = nil
  }

  /// A page whose hashes are known: `hashes[i]` must be `items[i].id.hashValue`, for every row, aliases or not.
  init(_ items: [Item], hashes: [Int], aliases: [Int: Item.ID]? = nil, origin: PageOrigin? = nil) {
    assert(items.count == hashes.count)
    self.items = items
    self.origin = origin
    self.hashes = hashes
    self.aliases = aliases
  }

  /// The row at an offset.
  @inlinable func row(at offset: Int) -> PagingRow<Item> {
    PagingRow(items[offset], alias: aliases == nil ? nil : alias(at: offset))
  }

  /// What the row at an offset goes by, if not by its item's identity.
  @usableFromInline func alias(at offset: Int) -> Item.ID? { aliases?[offset] }

  /// Where the row of that identity is in this page; nil when it isn't here. One comparison of integers a row.
  func offset(of id: Item.ID, hash: Int) -> Int? {
    var start = 0
    while let offset = hashes[start...].firstIndex(of: hash) {
      if items[offset].id == id { return offset }
      start = offset + 1
    }
    return nil
  }
}
