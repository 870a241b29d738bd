/// A row that is to be placed: new, or from another place in the list.
struct Arrival: Hashable, Sendable {
  /// The item, with its sort key of now.
  var item: MergeItem
  /// Where it stood; nil: it is new to the list.
  var from: Entry?
}

/// Rows of a page that go between two stored rows, next to each other.
struct Stretch: Hashable, Sendable {
  /// The rows, the newest first.
  var arrivals: [Arrival]
  /// The stored row above; nil: none.
  var upper: Position?
  /// The stored row below; nil: none.
  var lower: Position?
  /// The row above will be in the same run.
  var isJoinedAbove = false
  /// The row below will be in the same run.
  var isJoinedBelow = false
}

/// What a page says of places: which rows stay, which are gone, and where the others go. What becomes of runs follows
/// from it.
struct Placement: Hashable, Sendable {
  /// Why the page can't be placed.
  var refusal: MergePlan.Refusal?
  /// Rows that the page should hold and does not.
  var absent: [Entry] = []
  /// The page's new rows, the newest first, all in the run that comes of it.
  var stretches: [Stretch] = []
  /// Rows outside the page's range that belong inside runs as they stand.
  var strays: [Arrival] = []
  /// The runs that the page touches, which become one.
  var touched: Set<Int64> = []
  /// The page contradicts the run above this row: what is above it becomes a run of its own.
  var trimAbove: Position?
  /// Likewise below this row.
  var trimBelow: Position?
  /// Where a row of the page stood that has either moved, or come next to what is above it as all between is gone: what
  /// stands on either side of this place is not known to be next to each other.
  var doubtful: Position?
  /// The first row of the page is the newest of the list.
  var isHead = false
  /// A head page that begins below rows that are stored: deleted ones, or the answer of a replica that lags.
  var isLagging = false
  /// The page ends inside the run that it continues, so that its token leads nowhere new.
  var endsInside = false
  /// The page's order contradicts the stored one.
  var hasConflict = false
}

/// A page as it is merged: each item once, those left out that were deleted after it was asked for.
struct CleanPage: Hashable, Sendable {
  /// The items that count.
  var items: [MergeItem] = []
  /// Items that were deleted meanwhile.
  var dropped: [Int64] = []
  /// What was answered.
  let page: MergePage

  init(_ page: MergePage, started: Int64) {
    self.page = page
    var seen: Set<Int64> = []
    for item in page.items where seen.insert(item.item).inserted {
      if let tombstone = item.tombstone, tombstone > started { dropped.append(item.item) } else { items.append(item) }
    }
  }
}
