/// One object for each content, by which a snapshot is known to be the content's own.
final class SnapshotOrigin: Sendable {}

/// What a snapshot consists of, in one object, so that copying a snapshot costs one retain.
@usableFromInline final class SnapshotBody<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// Whose snapshot this is.
  let origin: SnapshotOrigin
  /// Which generation of its origin it shows.
  let generation: UInt64
  /// Its number among the snapshots of its origin.
  let version: UInt64
  /// The loaded pages that hold rows.
  let pages: PageSequence<Item>
  /// The ordinal of the first of ``pages``. The pages of a generation have consecutive ordinals, which they keep.
  let firstOrdinal: Int
  /// How often a page of this generation took the place of another that was loaded, so far.
  ///
  /// Between two snapshots with equal numbers, a page can have become another one of the same ordinal only by having
  /// been dropped and loaded again.
  let replacements: UInt64
  /// How often rows came or went between others in this generation, as an edit or a filter makes them.
  let layout: UInt64
  /// The coordinate of the first loaded row. A row keeps its coordinate as long as its generation and ``layout`` last,
  /// whatever is loaded or dropped around it. Placeholders have coordinates too, on either side of the loaded rows.
  let firstCoordinate: Int
  let placeholdersBefore: Int
  let placeholdersAfter: Int
  let states: CombinedLoadStates
  let total: Total?
  let position: PagingPosition
  let anchor: AnchorOutcome?
  /// The snapshot that this one was made of by a transformation; nil for a pager's own.
  let base: (any AnySnapshotBody)?

  init(
    origin: SnapshotOrigin, generation: UInt64, version: UInt64, pages: PageSequence<Item>, firstOrdinal: Int,
    replacements: UInt64, layout: UInt64 = 0, firstCoordinate: Int, placeholdersBefore: Int, placeholdersAfter: Int,
    states: CombinedLoadStates, total: Total?, position: PagingPosition, anchor: AnchorOutcome?,
    base: (any AnySnapshotBody)? = nil
  ) {
    assert(placeholdersBefore >= 0 && placeholdersAfter >= 0)
    self.origin = origin
    self.generation = generation
    self.version = version
    self.pages = pages
    self.firstOrdinal = firstOrdinal
    self.replacements = replacements
    self.layout = layout
    self.firstCoordinate = firstCoordinate
    self.placeholdersBefore = placeholdersBefore
    self.placeholdersAfter = placeholdersAfter
    self.states = states
    self.total = total
    self.position = position
    self.anchor = anchor
    self.base = base
  }

  /// The ordinals of the pages.
  var ordinals: Range<Int> { firstOrdinal..<firstOrdinal + pages.pageCount }

  /// How many rows there are, placeholders included.
  var count: Int { placeholdersBefore + pages.rowCount + placeholdersAfter }
  /// The indices of the loaded rows.
  var loadedIndices: Range<Int> { placeholdersBefore..<placeholdersBefore + pages.rowCount }
  /// The coordinates of the loaded rows.
  var loadedCoordinates: Range<Int> { firstCoordinate..<firstCoordinate + pages.rowCount }
  /// The coordinates of all rows.
  var coordinates: Range<Int> { coordinate(ofIndex: 0)..<coordinate(ofIndex: count) }

  func coordinate(ofIndex index: Int) -> Int { index - placeholdersBefore + firstCoordinate }

  /// Where the row at an index is: in which page, and where in it. Outside the loaded rows, the coordinate of a
  /// placeholder.
  ///
  /// Finds it without the item's type, which code that is compiled for all items would have to look up.
  @usableFromInline func place(ofIndex index: Int) -> (page: PageNode?, number: Int) {
    let (row, isBefore) = index.subtractingReportingOverflow(placeholdersBefore)
    guard !isBefore, row >= 0, row < pages.tree.rowCount else {
      return (nil, index &- placeholdersBefore &+ firstCoordinate)
    }
    let place = pages.tree.page(ofRow: row)
    return (place.page, place.offset)
  }

  /// The coordinate of the placeholder at an index; nil where a row is loaded, and outside the list.
  @usableFromInline func placeholder(at index: Int) -> Int? {
    loadedIndices.contains(index) || index >= count ? nil : coordinate(ofIndex: index)
  }
  func index(ofCoordinate coordinate: Int) -> Int { coordinate - firstCoordinate + placeholdersBefore }
}
