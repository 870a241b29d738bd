/// An immutable value of a list as it stands: its rows, its placeholders, and what its loads are doing.
///
/// A snapshot is a collection of all rows, placeholders included. Reading it never loads anything; what the screen
/// shows is reported with `viewportChanged(to:of:)`. Copying one costs one retain, whatever it holds.
public struct PagingSnapshot<Item: Identifiable & Sendable>: RandomAccessCollection, Sendable where Item.ID: Sendable {
  /// A row.
  public typealias Element = PagingRow<Item>
  /// A row's number, from 0 up.
  public typealias Index = Int

  @usableFromInline let body: SnapshotBody<Item>

  init(_ body: SnapshotBody<Item>) {
    self.body = body
  }

  /// The snapshot of a content that has not begun to load.
  init() {
    self.init(
      SnapshotBody(
        origin: SnapshotOrigin(), generation: 0, version: 0, pages: PageSequence(), firstOrdinal: 0, replacements: 0,
        firstCoordinate: 0, placeholdersBefore: 0, placeholdersAfter: 0, states: CombinedLoadStates(source: .idle),
        total: nil, position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
  }

  // MARK: - Rows

  /// 0.
  public var startIndex: Int { 0 }
  /// How many rows there are, placeholders included.
  public var endIndex: Int { body.count }

  /// The row at `position`.
  ///
  /// Outside the collection it is a placeholder, so that a screen that is a step behind shows a blank row and does not
  /// bring the program down. O(log pages).
  @inlinable public subscript(position: Int) -> PagingRow<Item> {
    // Inlinable like the iterators: in code that is compiled for all items, looking up the type takes longer than the
    // row.
    let place = body.place(ofIndex: position)
    guard let page = place.page else { return PagingRow(coordinate: place.number) }
    return typed(page, as: PageBox<Item>.self).row(at: place.number)
  }

  /// The loaded rows only.
  public var items: PagingItems<Item> { PagingItems(body.pages) }
  /// The loaded pages, each with its items as one array: the fast way to go over all of them.
  ///
  /// Pages that came empty are not among them.
  public var pages: PagingPages<Item> { PagingPages(body.pages) }
  /// How many rows before the loaded ones are known to exist.
  public var placeholdersBefore: Int { body.placeholdersBefore }
  /// How many rows after the loaded ones are known to exist.
  public var placeholdersAfter: Int { body.placeholdersAfter }

  /// The index of the loaded row of that identity, placeholders counted; nil when it isn't loaded.
  ///
  /// Linear in the loaded rows, at one comparison of integers for each.
  public func index(ofItem id: Item.ID) -> Int? {
    let hash = id.hashValue
    var rows = body.placeholdersBefore
    for page in body.pages {
      if let offset = page.offset(of: id, hash: hash) { return rows + offset }
      rows += page.count
    }
    return nil
  }

  // MARK: - The list around them

  /// What the loads were doing when the rows were these.
  public var states: CombinedLoadStates { body.states }
  /// How many rows the whole list has, if the source says so.
  public var total: Total? { body.total }
  /// Where in the list the viewport is.
  public var position: PagingPosition { body.position }
  /// The number of this snapshot; rises with every snapshot of one content.
  public var version: UInt64 { body.version }
  /// What became of the row that was to stay in place when this generation replaced the one before; nil where none was.
  ///
  /// Every snapshot of the generation says so, with the row's index in that snapshot, since a reader may miss the
  /// first.
  public var anchor: AnchorOutcome? { body.anchor }

  /// What a screen shows: content where there are rows or placeholders; else whatever runs, failed or is known.
  ///
  /// `empty` only when the list is known to hold nothing: no load runs or failed, and both ends were reached.
  public var phase: PagingPhase {
    if body.count > 0 { return .content }
    let refresh = states.refresh
    let prepend = states.prepend
    let append = states.append
    if refresh.isLoading || prepend.isLoading || append.isLoading { return .loading }
    if let failure = refresh.failure ?? prepend.failure ?? append.failure { return .failed(failure) }
    return prepend.isAtEnd && append.isAtEnd ? .empty : .initial
  }
}

// MARK: - Going over the rows

extension PagingSnapshot {
  /// Goes over the rows, at constant cost for each.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let body: SnapshotBody<Item>
    @usableFromInline var pages: PageTree.Iterator
    @usableFromInline var page: PageBox<Item>?
    /// How many rows the page has.
    @usableFromInline var count = 0
    @usableFromInline var offset = 0
    @usableFromInline var index = 0

    fileprivate init(_ body: SnapshotBody<Item>) {
      self.body = body
      pages = PageTree.Iterator(body.pages.tree, from: 0)
    }

    /// The next row; nil after the last.
    @inlinable public mutating func next() -> PagingRow<Item>? {
      if offset == count, !advance() {
        guard let placeholder = body.placeholder(at: index) else { return nil }
        index += 1
        return PagingRow(coordinate: placeholder)
      }
      guard let page else { return nil }
      (index, offset) = (index + 1, offset + 1)
      return page.row(at: offset - 1)
    }

    /// Goes on to the next page that has rows, if the next row is in one.
    @usableFromInline mutating func advance() -> Bool {
      guard body.placeholder(at: index) == nil else { return false }
      // A page can be empty where a filter or an edit left nothing of it.
      while offset == count {
        guard let next = pages.next() else { return false }
        let box = typed(next, as: PageBox<Item>.self)
        (page, count, offset) = (box, box.count, 0)
      }
      return true
    }
  }

  /// Goes over the rows from the first to the last.
  public func makeIterator() -> Iterator { Iterator(body) }
}
