// How rows of a transformed snapshot and rows of the snapshot that it was made of find each other. The pages of both
// lie side by side: the page at a position in one was made of the page at the same position in the other.

/// A snapshot's body of whatever items.
protocol AnySnapshotBody: AnyObject, Sendable {
  /// The snapshot that it was made of.
  var base: (any AnySnapshotBody)? { get }
  /// The loaded pages.
  var tree: PageTree { get }
  /// The coordinates of the loaded rows.
  var loadedCoordinates: Range<Int> { get }
  var placeholdersBefore: Int { get }
  var placeholdersAfter: Int { get }
  /// Whose snapshot it is.
  var origin: SnapshotOrigin { get }
  var generation: UInt64 { get }
  var version: UInt64 { get }
  /// The ordinals of the pages.
  var ordinals: Range<Int> { get }
  /// The number of the first loaded row that shows the row at a coordinate of the ``root``, or a later one.
  func loadedRow(atCoordinate coordinate: Int) -> Int
  /// The coordinate, in the ``root``, of what a loaded row comes from.
  func rootCoordinate(ofLoadedRow row: Int) -> Int
}

extension SnapshotBody: AnySnapshotBody {
  var tree: PageTree { pages.tree }
}

/// The rows of transformed pages, and those of the snapshot that they were made of.
struct RowTranslation<Item: Identifiable & Sendable> where Item.ID: Sendable {
  let base: any AnySnapshotBody
  let pages: PageSequence<Item>
  let placeholdersBefore: Int
  let placeholdersAfter: Int

  private var count: Int { placeholdersBefore + pages.rowCount + placeholdersAfter }

  // MARK: - Down: from a row of the base

  /// The number, among the loaded rows here, of the first that shows loaded row `row` of the base or a later one; all
  /// of them where none does. And whether it shows that very row.
  func loadedRow(at row: Int) -> (row: Int, isExact: Bool) {
    guard row < base.tree.rowCount else { return (pages.rowCount, false) }
    let place = base.tree.place(ofRow: max(0, row))
    let start = pages.rowsBefore(pageAt: place.pageIndex)
    let box = pages.page(at: place.pageIndex)
    guard let offsets = offsets(of: box, madeOf: place.page) else { return (start + place.offset, true) }
    let found = offsets.firstIndex { $0 >= place.offset } ?? offsets.count
    return (start + found, found < offsets.count && offsets[found] == place.offset)
  }

  /// The index here of the row at an index of the base, placeholders counted; of a row that was left out, that of the
  /// next one. Never beyond the end.
  func index(ofBaseIndex index: Int) -> (index: Int, isExact: Bool) {
    let row = index - base.placeholdersBefore
    if row < 0 { return (max(0, placeholdersBefore + row), placeholdersBefore + row >= 0) }
    let behind = row - base.tree.rowCount
    if behind >= 0 {
      return (min(placeholdersBefore + pages.rowCount + behind, count), behind < placeholdersAfter)
    }
    let found = loadedRow(at: row)
    return (placeholdersBefore + found.row, found.isExact)
  }

  // MARK: - Up: to a row of the base

  /// Rows of the base, by index, that the rows here come from. What was put in counts as nothing; a range of nothing
  /// else is an empty one at its place.
  func baseRows(of rows: Range<Int>) -> Range<Int> {
    let lower = baseIndex(of: rows.lowerBound, forward: true)
    guard !rows.isEmpty else { return lower..<lower }
    return lower..<max(lower, baseIndex(of: rows.upperBound - 1, forward: false) + 1)
  }

  /// The index in the base of what the row at `index` comes from. For a row that was put in, and for one outside, that
  /// of the nearest one after it, or before.
  private func baseIndex(of index: Int, forward: Bool) -> Int {
    let row = index - placeholdersBefore
    let end = base.placeholdersBefore + base.tree.rowCount
    if row < 0 { return max(0, base.placeholdersBefore + row) }
    if row >= pages.rowCount {
      let behind = row - pages.rowCount
      return behind < placeholdersAfter ? end + behind : (forward ? end + placeholdersAfter : end - 1)
    }
    return base.placeholdersBefore + baseRow(of: row, forward: forward)
  }

  /// The same for loaded rows; one row outside where there is none on that side.
  func baseRow(of row: Int, forward: Bool) -> Int {
    var row = row
    while row >= 0, row < pages.rowCount {
      let place = pages.place(ofRow: row)
      // A page that stands in for none of the base holds nothing that comes from it.
      guard place.pageIndex < base.tree.pageCount else { return forward ? base.tree.rowCount : -1 }
      let leaf = base.tree.leaf(ofPage: place.pageIndex)
      let start = leaf.rowsBefore + leaf.run.start(of: leaf.index)
      guard let offsets = offsets(of: place.box, madeOf: leaf.run.nodes[leaf.index]) else {
        return start + place.offset
      }
      var offset = place.offset
      while offsets.indices.contains(offset) {
        if offsets[offset] != PageOrigin.none { return start + offsets[offset] }
        offset += forward ? 1 : -1
      }
      row += offset - place.offset
    }
    return forward ? base.tree.rowCount : -1
  }

  /// Nil where each row shows the one at its own offset, as also where the page itself was taken over.
  private func offsets(of box: PageBox<Item>, madeOf source: PageNode) -> [Int]? {
    box === source ? nil : box.origin?.offsets
  }
}

extension SnapshotBody {
  /// How the rows here and those of ``base`` find each other; nil for a pager's own snapshot.
  var translation: RowTranslation<Item>? {
    base.map {
      RowTranslation(
        base: $0, pages: pages, placeholdersBefore: placeholdersBefore, placeholdersAfter: placeholdersAfter)
    }
  }
}
