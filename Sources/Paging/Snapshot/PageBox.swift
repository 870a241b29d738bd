/// The rows of one loaded page, and the hashes of their identities. Immutable, and shared by generations and snapshots.
///
/// The hashes are taken once, when the page arrives, so that neither index nor diff ever hashes again.
final class PageBox<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// The rows, in list order.
  let items: [Item]
  /// `id.hashValue` of each row.
  let hashes: [Int]
  /// Rows that are known to a screen by another identity than their item's, by their offsets: rows that an edit inserted
  /// before the server gave them theirs. Nil where there are none.
  let aliases: [Int: Item.ID]?
  /// Where the rows come from, for a page that a transformation made; nil for one that a source loaded.
  let origin: PageOrigin?

  /// How many rows the page has.
  var count: Int { hashes.count }

  /// A page of `items`, whose identities are hashed here.
  init(_ items: [Item], origin: PageOrigin? = nil) {
    self.items = items
    self.origin = origin
    // A loop, since a key path of a type that isn't known here is looked up anew for every page.
    var hashes: [Int] = []
    hashes.reserveCapacity(items.count)
    for item in items { hashes.append(item.id.hashValue) }
    self.hashes = hashes
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
