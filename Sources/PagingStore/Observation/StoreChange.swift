/// What a commit changed, for those who show it.
struct StoreChange: Hashable, Sendable {
  /// The store's sequence number after it.
  var sequence: Int64
  /// The lists whose order or surroundings changed, by number.
  var lists: [Int64: ListChange] = [:]
  /// The numbers of the items of which readers now see something else.
  var items: Set<Int64> = []
  /// The feeds that show another list now: a session was switched.
  var switchedFeeds: Set<Int64> = []
  /// Nothing is known but that something changed: another process wrote.
  var isEverything = false

  /// Whether nobody has to be told.
  var isEmpty: Bool { lists.isEmpty && items.isEmpty && switchedFeeds.isEmpty && !isEverything }

  /// One more change after this one, for a reader that skips versions.
  mutating func fold(_ later: StoreChange) {
    sequence = max(sequence, later.sequence)
    lists.merge(later.lists) { $0.folded($1) }
    items.formUnion(later.items)
    switchedFeeds.formUnion(later.switchedFeeds)
    isEverything = isEverything || later.isEverything
  }
}

/// What a commit changed in one list.
struct ListChange: Hashable, Sendable {
  /// Where rows came, went or moved, and where a gap came, went or changed. Both ends inclusive.
  var ranges: [ClosedRange<Position>] = []
  /// The items that left.
  var removed: Set<Int64> = []
  /// Whether what is at the head changed: its edge, or how far up rows are shown.
  var headChanged = false
  /// Whether the end at the oldest row changed.
  var tailChanged = false
  /// All positions may be others.
  var isEverything = false

  /// Whether nothing changed.
  var isEmpty: Bool { ranges.isEmpty && removed.isEmpty && !headChanged && !tailChanged && !isEverything }

  /// Notes a place; places that touch become one.
  mutating func touch(_ range: ClosedRange<Position>) {
    if let last = ranges.indices.last, ranges[last].overlaps(range) {
      ranges[last] = min(ranges[last].lowerBound, range.lowerBound)...max(ranges[last].upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  /// This change and a later one.
  func folded(_ later: ListChange) -> ListChange {
    var both = self
    for range in later.ranges { both.touch(range) }
    both.removed.formUnion(later.removed)
    both.headChanged = headChanged || later.headChanged
    both.tailChanged = tailChanged || later.tailChanged
    both.isEverything = isEverything || later.isEverything
    return both
  }
}
