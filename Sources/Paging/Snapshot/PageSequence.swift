/// All loaded pages of a generation that hold rows, in order: a value whose copies share what they have in common.
///
/// Changes at either end, and finding a row or a page, cost O(log pages), also while a snapshot keeps a copy.
struct PageSequence<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private(set) var tree = PageTree()

  /// A sequence of no pages.
  init() {}

  /// The pages of a tree that holds nothing but pages of this type.
  init(_ tree: PageTree) {
    self.tree = tree
  }

  var pageCount: Int { tree.pageCount }
  var rowCount: Int { tree.rowCount }
  var isEmpty: Bool { tree.pageCount == 0 }
  var first: PageBox<Item>? { isEmpty ? nil : page(at: 0) }
  var last: PageBox<Item>? { isEmpty ? nil : page(at: pageCount - 1) }

  // MARK: - Changing

  mutating func append(_ page: PageBox<Item>) {
    tree.append(SizedPageNode(node: page, rows: page.count))
  }

  mutating func prepend(_ page: PageBox<Item>) {
    tree.prepend(SizedPageNode(node: page, rows: page.count))
  }

  /// Takes the first page off; nil when there is none.
  @discardableResult mutating func removeFirst() -> PageBox<Item>? {
    tree.removeFirst().map { typed($0.node, as: PageBox<Item>.self) }
  }

  /// Takes the last page off; nil when there is none.
  @discardableResult mutating func removeLast() -> PageBox<Item>? {
    tree.removeLast().map { typed($0.node, as: PageBox<Item>.self) }
  }

  /// Puts `page` in the place of the one at `index`, whatever their numbers of rows.
  mutating func replacePage(at index: Int, with page: PageBox<Item>) {
    tree.replace(pageAt: index, with: SizedPageNode(node: page, rows: page.count))
  }

  // MARK: - Finding

  /// The page at `index`, which must be below ``pageCount``.
  func page(at index: Int) -> PageBox<Item> {
    let leaf = tree.leaf(ofPage: index)
    return typed(leaf.run.nodes[leaf.index], as: PageBox<Item>.self)
  }

  /// Where a row is: in which page, and where in it.
  struct RowPlace: Sendable {
    let pageIndex: Int
    /// The row's place in the page.
    let offset: Int
    let box: PageBox<Item>
  }

  /// Where the row is that comes after `row` others; `row` must be below ``rowCount``.
  func place(ofRow row: Int) -> RowPlace {
    let place = tree.place(ofRow: row)
    return RowPlace(
      pageIndex: place.pageIndex, offset: place.offset, box: typed(place.page, as: PageBox<Item>.self))
  }

  /// How many rows are in front of the page at `index`; all of them for ``pageCount``.
  func rowsBefore(pageAt index: Int) -> Int {
    if index == pageCount { return rowCount }
    let leaf = tree.leaf(ofPage: index)
    return leaf.rowsBefore + leaf.run.start(of: leaf.index)
  }
}

// MARK: - Going over the pages

extension PageSequence: Sequence {
  /// Goes over the pages, at constant cost for each.
  struct Iterator: IteratorProtocol {
    private var pages: PageTree.Iterator

    init(_ tree: PageTree, from page: Int) {
      pages = PageTree.Iterator(tree, from: page)
    }

    mutating func next() -> PageBox<Item>? { pages.next().map { typed($0, as: PageBox<Item>.self) } }
  }

  func makeIterator() -> Iterator { Iterator(tree, from: 0) }

  /// Goes over the pages from the one at `index` on.
  func makeIterator(from index: Int) -> Iterator { Iterator(tree, from: index) }

  var underestimatedCount: Int { pageCount }
}
