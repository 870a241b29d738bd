extension PagingSnapshot {
  /// What turns the rows of `older` into those of this snapshot. Any two snapshots of one content will do.
  ///
  /// Within a generation rows are matched by their place in the list, at the cost of the pages that differ: a
  /// placeholder that was filled, and a row that became a placeholder, are updates. Where an edit or a filter made rows
  /// come or go between others, the pages that differ are matched by identity. Across generations all loaded rows are,
  /// at a cost linear in the rows, and placeholders by their place.
  ///
  /// A row that was loaded again is an update if it differs; where items aren't `Equatable` it always is one. No change
  /// is left out whatever the two snapshots are.
  public func changes(from older: PagingSnapshot) -> ListChanges {
    if body === older.body { return ListChanges() }
    if body.origin === older.body.origin, body.generation == older.body.generation {
      return body.layout == older.body.layout
        ? ListChanges(withinGenerationFrom: older.body, to: body)
        : ListChanges(acrossLayoutsFrom: older.body, to: body)
    }
    return ListChanges(acrossGenerationsFrom: older.body, to: body)
  }
}

// MARK: - Within a generation

extension ListChanges {
  /// By coordinates: what only the old list spans is gone, what only the new one spans has come, and where both are,
  /// a row is an update if it is loaded in one of them, or loaded in both and different.
  fileprivate init<Item>(withinGenerationFrom old: SnapshotBody<Item>, to new: SnapshotBody<Item>) {
    self.init()
    let all = (old: old.coordinates, new: new.coordinates)
    let shared = all.old.clamped(to: all.new)
    guard !shared.isEmpty else {
      removals = Array(0..<old.count)
      insertions = Array(0..<new.count)
      return
    }
    removals = Array(0..<old.index(ofCoordinate: shared.lowerBound))
    removals.append(contentsOf: old.index(ofCoordinate: shared.upperBound)..<old.count)
    insertions = Array(0..<new.index(ofCoordinate: shared.lowerBound))
    insertions.append(contentsOf: new.index(ofCoordinate: shared.upperBound)..<new.count)

    let loaded = (old: old.loadedCoordinates.clamped(to: shared), new: new.loadedCoordinates.clamped(to: shared))
    let borders = [loaded.old.lowerBound, loaded.old.upperBound, loaded.new.lowerBound, loaded.new.upperBound].sorted()
    for (lower, upper) in zip(borders, borders.dropFirst()) where lower < upper {
      switch (loaded.old.contains(lower), loaded.new.contains(lower)) {
      case (true, true): compare(old, new, in: lower..<upper)
      case (false, false): continue
      default: updates.append(contentsOf: new.index(ofCoordinate: lower)..<new.index(ofCoordinate: upper))
      }
    }
  }

  /// Compares rows that are loaded in both.
  private mutating func compare<Item>(
    _ old: SnapshotBody<Item>, _ new: SnapshotBody<Item>, in coordinates: Range<Int>
  ) {
    if old.replacements == new.replacements, old.sharesPages(with: new) { return }
    let comparison = ContentComparison<Item>()
    let first = (
      old: old.pages.tree.place(ofRow: coordinates.lowerBound - old.firstCoordinate),
      new: new.pages.tree.place(ofRow: coordinates.lowerBound - new.firstCoordinate)
    )
    var pages = (old: first.old.pageIndex, new: first.new.pageIndex)
    var offsets = (old: first.old.offset, new: first.new.offset)
    var coordinate = coordinates.lowerBound
    while coordinate < coordinates.upperBound {
      if offsets == (0, 0), let shared = old.pages.tree.node(sharedWith: new.pages.tree, at: pages.old, pages.new) {
        pages.old += shared.pages
        pages.new += shared.pages
        coordinate += shared.rows
        continue
      }
      let boxes = (old: old.pages.page(at: pages.old), new: new.pages.page(at: pages.new))
      let rest = (old: boxes.old.count - offsets.old, new: boxes.new.count - offsets.new)
      let count = min(rest.old, rest.new, coordinates.upperBound - coordinate)
      comparison.appendDifferences(
        from: boxes.old, at: offsets.old, to: boxes.new, at: offsets.new, count: count,
        first: new.index(ofCoordinate: coordinate), into: &updates)
      coordinate += count
      offsets = (offsets.old + count, offsets.new + count)
      if count == rest.old {
        pages.old += 1
        offsets.old = 0
      }
      if count == rest.new {
        pages.new += 1
        offsets.new = 0
      }
    }
  }
}

extension SnapshotBody {
  /// Whether the pages whose ordinals are in both are the same objects at the same coordinates, provided that none was
  /// replaced in place. Pages that were dropped and loaded again lie at the ends, so the ends tell.
  fileprivate func sharesPages(with other: SnapshotBody) -> Bool {
    let ordinals = firstOrdinal..<firstOrdinal + pages.pageCount
    let shared = ordinals.clamped(to: other.firstOrdinal..<other.firstOrdinal + other.pages.pageCount)
    guard let first = shared.first, let last = shared.last else { return false }
    return [first, last].allSatisfy { ordinal in
      let index = ordinal - firstOrdinal
      let otherIndex = ordinal - other.firstOrdinal
      return pages.page(at: index) === other.pages.page(at: otherIndex)
        && firstCoordinate + pages.rowsBefore(pageAt: index)
          == other.firstCoordinate + other.pages.rowsBefore(pageAt: otherIndex)
    }
  }
}

// MARK: - Across generations

extension ListChanges {
  init<Item>(acrossGenerationsFrom old: SnapshotBody<Item>, to new: SnapshotBody<Item>) {
    self.init()
    let diff = IdentityDiff(from: old.pages.identities, to: new.pages.identities)
    var content: [Int] = []
    old.pages.compareContent(with: new.pages, matched: diff, into: &content)

    var gaps = RowGaps(old: old, new: new, diff: diff)
    gaps.walk()
    removals = gaps.removals
    insertions = gaps.insertions
    updates = gaps.updates
    let before = new.placeholdersBefore
    if updates.isEmpty, before == 0 {
      updates = content
    } else {
      updates.append(contentsOf: content.lazy.map { $0 + before })
      updates.sort()
    }
    if diff.moveCount > 0 {
      moves.reserveCapacity(diff.moveCount)
      for row in diff.isMoved.indices where diff.isMoved[row] {
        moves.append(Move(from: Int(diff.oldIndices[row]) + old.placeholdersBefore, to: row + before))
      }
    }
  }
}

/// Goes over what lies between rows that stay, and says what is gone, has come, or was filled.
///
/// Placeholders have no identity across generations. Before the first row that stays, after the last, or everywhere
/// where none stays, old and new rows are paired in order: two placeholders are no change, a placeholder and a row are
/// an update, two rows are a removal and an insertion. Rows that move are left out of the pairing.
private struct RowGaps<Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let diff: IdentityDiff
  private let loaded: (old: Range<Int>, new: Range<Int>)
  private let count: (old: Int, new: Int)
  private(set) var removals: [Int] = []
  private(set) var insertions: [Int] = []
  private(set) var updates: [Int] = []

  init(old: SnapshotBody<Item>, new: SnapshotBody<Item>, diff: IdentityDiff) {
    self.diff = diff
    loaded = (old.loadedIndices, new.loadedIndices)
    count = (old.count, new.count)
  }

  mutating func walk() {
    let rows = diff.oldIndices.indices
    guard let first = rows.first(where: stays), let last = rows.last(where: stays) else {
      return pair(old: 0..<count.old, new: 0..<count.new)
    }
    let kept = (
      old: Int(diff.oldIndices[first])...Int(diff.oldIndices[last]),
      new: first...last
    )
    pair(
      old: 0..<loaded.old.lowerBound + kept.old.lowerBound, new: 0..<loaded.new.lowerBound + kept.new.lowerBound)
    for row in kept.old where diff.newIndices[row] < 0 { removals.append(row + loaded.old.lowerBound) }
    for row in kept.new where diff.oldIndices[row] < 0 { insertions.append(row + loaded.new.lowerBound) }
    pair(
      old: loaded.old.lowerBound + kept.old.upperBound + 1..<count.old,
      new: loaded.new.lowerBound + kept.new.upperBound + 1..<count.new)
  }

  private func stays(_ row: Int) -> Bool { diff.oldIndices[row] >= 0 && !diff.isMoved[row] }

  private mutating func pair(old: Range<Int>, new: Range<Int>) {
    var from = old.lowerBound
    var to = new.lowerBound
    while true {
      while from < old.upperBound, loaded.old.contains(from), diff.newIndices[from - loaded.old.lowerBound] >= 0 {
        from += 1
      }
      while to < new.upperBound, loaded.new.contains(to), diff.oldIndices[to - loaded.new.lowerBound] >= 0 { to += 1 }
      guard from < old.upperBound, to < new.upperBound else { break }
      switch (loaded.old.contains(from), loaded.new.contains(to)) {
      case (false, false):
        let run = min(
          Self.run(of: from, until: old.upperBound, around: loaded.old),
          Self.run(of: to, until: new.upperBound, around: loaded.new))
        from += run
        to += run
        continue
      case (true, true):
        removals.append(from)
        insertions.append(to)
      default:
        updates.append(to)
      }
      from += 1
      to += 1
    }
    for row in from..<max(from, old.upperBound)
    where !loaded.old.contains(row) || diff.newIndices[row - loaded.old.lowerBound] < 0 {
      removals.append(row)
    }
    for row in to..<max(to, new.upperBound)
    where !loaded.new.contains(row) || diff.oldIndices[row - loaded.new.lowerBound] < 0 {
      insertions.append(row)
    }
  }

  /// How many placeholders follow one another from `index` on.
  private static func run(of index: Int, until end: Int, around loaded: Range<Int>) -> Int {
    (index < loaded.lowerBound && !loaded.isEmpty ? min(loaded.lowerBound, end) : end) - index
  }
}
