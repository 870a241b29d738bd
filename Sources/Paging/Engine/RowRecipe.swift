/// What changes a row, of a type that the engine doesn't know.
typealias PatchNode = any AnyObject & Sendable

/// A change of one item.
final class RowPatch<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let change: @Sendable (inout Item) -> Void

  init(_ change: @escaping @Sendable (inout Item) -> Void) {
    self.change = change
  }

  /// Changes an item, but not into another one: a change that gives it another identity leaves it as it was.
  func apply(to item: inout Item) {
    var changed = item
    change(&changed)
    if changed.id == item.id { item = changed }
  }
}

/// A row of a page that edits make: where it is from, and what is done to it.
struct RowRecipe {
  let page: PageNode
  let offset: Int
  /// What changes it, in order.
  var patches: [PatchNode] = []
  /// The identity that it goes by, where that is not its item's.
  var alias: OpaqueKey?
}

extension TypedRows {
  func page(of rows: [RowRecipe]) -> PageNode {
    var items: [Item] = []
    var hashes: [Int] = []
    var aliases: [Int: Item.ID] = [:]
    items.reserveCapacity(rows.count)
    hashes.reserveCapacity(rows.count)
    for row in rows {
      let box = typed(row.page, as: PageBox<Item>.self)
      var item = box.items[row.offset]
      for patch in row.patches { unsafeDowncast(patch, to: RowPatch<Item>.self).apply(to: &item) }
      if let alias = row.alias { aliases[items.count] = alias.typed(as: Item.ID.self) }
      items.append(item)
      hashes.append(box.hashes[row.offset])
    }
    return PageBox(items, hashes: hashes, aliases: aliases.isEmpty ? nil : aliases)
  }
}
