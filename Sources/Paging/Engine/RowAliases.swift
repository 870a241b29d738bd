/// Rows that go by the identity that they were inserted with, though their items have the server's by now.
///
/// The last 1,000 of them are remembered, for as long as the pager lives; a row that is forgotten goes by its item's.
struct RowAliases {
  struct Alias {
    /// The identity of the item.
    let item: SoughtItem
    /// The identity that its row goes by.
    let row: SoughtItem
    let number: UInt64
  }

  /// The oldest first.
  private(set) var all: [Alias] = []
  private var made: UInt64 = 0

  static var limit: Int { 1000 }

  var isEmpty: Bool { all.isEmpty }

  /// Has an item's row go by what another went by. Neither is known by anything else any more.
  mutating func add(_ item: SoughtItem, goesBy former: SoughtItem) {
    let row = all.first { $0.item.key == former.key }?.row ?? former
    all.removeAll { $0.item.key == item.key || $0.item.key == former.key || $0.row.key == row.key }
    guard item.key != row.key else { return }
    made += 1
    all.append(Alias(item: item, row: row, number: made))
    if all.count > Self.limit { all.removeFirst() }
  }

  /// A new row has that identity: none goes by it any more but its own.
  mutating func release(_ row: SoughtItem) {
    all.removeAll { $0.row.key == row.key }
  }

  /// The item whose row goes by that identity.
  func item(of row: SoughtItem) -> SoughtItem? { all.last { $0.row.key == row.key }?.item }
}

/// An item's identity as a key of a dictionary.
struct ItemKey: Hashable {
  private let id: OpaqueKey
  private let hash: Int

  init(_ item: SoughtItem) {
    id = item.id
    hash = item.hash
  }

  static func == (a: Self, b: Self) -> Bool { a.hash == b.hash && a.id == b.id }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension SoughtItem {
  var key: ItemKey { ItemKey(self) }
}
