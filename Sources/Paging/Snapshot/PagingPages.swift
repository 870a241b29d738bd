/// The loaded pages of a snapshot, in order, each as one array.
///
/// Pages that came empty are not among them; one of which a filter or an edit left nothing is there, and empty.
///
/// This is the fast way to go over all loaded rows. A page by index costs O(log pages).
public struct PagingPages<Item: Identifiable & Sendable>: RandomAccessCollection, Sendable where Item.ID: Sendable {
  /// Goes over the pages, at constant cost for each.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var base: PageTree.Iterator

    fileprivate init(_ base: PageTree.Iterator) {
      self.base = base
    }

    /// The next page; nil after the last.
    @inlinable public mutating func next() -> [Item]? {
      // Inlinable as all that goes over rows: in code that is compiled for all items each page would look its type up.
      guard let page = base.next() else { return nil }
      return typed(page, as: PageBox<Item>.self).items
    }
  }

  private let pages: PageSequence<Item>

  init(_ pages: PageSequence<Item>) {
    self.pages = pages
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many pages there are.
  public var endIndex: Int { pages.pageCount }
  /// The rows of the page at `position`, which must be in the collection.
  public subscript(position: Int) -> [Item] { pages.page(at: position).items }
  /// Goes over the pages from the first to the last.
  public func makeIterator() -> Iterator { Iterator(PageTree.Iterator(pages.tree, from: 0)) }
}
