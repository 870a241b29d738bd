/// What a commit changed, for those who show it.
struct StoreChange: Hashable, Sendable {
  /// The store's sequence number after it.
  var sequence: Int64
  /// The stored orders of which something changed, by number.
  var lists: [Int64: ListChange] = [:]
  /// The same lists by name, for whoever found no order to read.
  var names: Set<ListName> = []
  /// The lists that show another order now.
  var switched: Set<ListName> = []
  /// The numbers of the items of which readers now see something else.
  var items: Set<Int64> = []
  /// Nothing is known but that something changed: another process wrote.
  var isEverything = false

  /// Whether nobody has to be told.
  var isEmpty: Bool { lists.isEmpty && names.isEmpty && switched.isEmpty && items.isEmpty && !isEverything }

  /// One more change after this one, for a reader that skips versions.
  mutating func fold(_ later: StoreChange) {
    sequence = max(sequence, later.sequence)
    lists.merge(later.lists) { $0.folded($1) }
    names.formUnion(later.names)
    switched.formUnion(later.switched)
    items.formUnion(later.items)
    isEverything = isEverything || later.isEverything
  }
}

/// What a commit changed in one stored order.
struct ListChange: Hashable, Sendable {
  /// Where rows came, went or moved, and beside which gaps came, went or changed. Both ends inclusive.
  var ranges: [ClosedRange<Position>] = []
  /// Whether rows are shown up to another place than before.
  var shownChanged = false
  /// All positions may be others.
  var isEverything = false

  /// Whether nothing changed.
  var isEmpty: Bool { ranges.isEmpty && !shownChanged && !isEverything }

  /// Notes a place; one that was noted just before is not noted twice.
  mutating func touch(_ position: Position) {
    if let last = ranges.last, last.contains(position) { return }
    ranges.append(position...position)
  }

  /// This change and a later one.
  func folded(_ later: ListChange) -> ListChange {
    var both = self
    both.ranges += later.ranges
    both.shownChanged = shownChanged || later.shownChanged
    both.isEverything = isEverything || later.isEverything
    if both.ranges.count > Self.maxRanges { both.isEverything = true }
    return both
  }

  /// Beyond so many places a reader that is far behind reads anew.
  private static let maxRanges = 10_000
}

extension ListChange {
  /// Notes what writes change for those who show the list.
  ///
  /// - Parameter runs: The runs as they were before.
  mutating func note(_ writes: [OrderWrite], runs: [Run]) {
    var known = Dictionary(runs.map { ($0.number, $0) }) { $1 }
    for write in writes {
      switch write {
      case .insert(let entry): touch(entry.position)
      case .remove(let position): touch(position)
      case .move(let from, let to, _):
        touch(from)
        touch(to)
      case .putRun(let run):
        note(run, before: known[run.number])
        known[run.number] = run
      case .deleteRun(let number):
        if let run = known.removeValue(forKey: number) { touchEnds(of: run) }
      case .renumber, .clear: isEverything = true
      case .setSortBytes, .putCut, .dropCuts, .setHeadSequence, .clearHeld, .dropHeld: break
      }
    }
  }

  private mutating func note(_ run: Run, before: Run?) {
    guard let before else { return touchEnds(of: run) }
    if run.high != before.high {
      touch(before.high)
      touch(run.high)
    }
    if run.low != before.low {
      touch(before.low)
      touch(run.low)
    }
    if !run.newer.looksLike(before.newer) { touch(run.high) }
    if !run.older.looksLike(before.older) { touch(run.low) }
  }

  private mutating func touchEnds(of run: Run) {
    touch(run.high)
    touch(run.low)
  }
}

extension RunEdge {
  /// Whether a gap beside it shows the same.
  fileprivate func looksLike(_ other: RunEdge) -> Bool {
    state == other.state && (token == nil) == (other.token == nil)
  }
}
