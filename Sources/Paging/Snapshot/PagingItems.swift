/// The loaded rows of a snapshot, in order, without placeholders.
///
/// An item by index costs O(log pages); to go over all, ``PagingSnapshot/pages`` is faster.
public struct PagingItems<Item: Identifiable & Sendable>: RandomAccessCollection, Sendable where Item.ID: Sendable {
  /// Goes over the items, at constant cost for each.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var pages: PageTree.Iterator
    @usableFromInline var page: [Item] = []
    @usableFromInline var offset = 0

    fileprivate init(_ pages: PageTree.Iterator) {
      self.pages = pages
    }

    /// The next item; nil after the last.
    @inlinable public mutating func next() -> Item? {
      // Inlinable as all that goes over rows: in code that is compiled for all items each row would look its type up.
      // A page can be empty where a filter or an edit left nothing of it.
      while offset == page.count {
        guard let next = pages.next() else { return nil }
        page = typed(next, as: PageBox<Item>.self).items
        offset = 0
      }
      offset += 1
      return page[offset - 1]
    }
  }

  private let pages: PageSequence<Item>

  init(_ pages: PageSequence<Item>) {
    self.pages = pages
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many items are loaded.
  public var endIndex: Int { pages.rowCount }
  /// The item at `position`, which must be in the collection.
  @inlinable public subscript(position: Int) -> Item {
    // Inlinable for the reason that the snapshot's own subscript gives.
    let place = page(ofRow: position)
    return typed(place.page, as: PageBox<Item>.self).items[place.offset]
  }
  /// Goes over the items from the first to the last.
  public func makeIterator() -> Iterator { Iterator(PageTree.Iterator(pages.tree, from: 0)) }

  @usableFromInline func page(ofRow row: Int) -> (page: PageNode, offset: Int) { pages.tree.page(ofRow: row) }
}
