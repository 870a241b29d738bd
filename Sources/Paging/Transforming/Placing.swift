/// Pages and where they lie, at one moment.
struct PlacedPages<Item: Identifiable & Sendable> where Item.ID: Sendable {
  let pages: PageSequence<Item>
  let firstOrdinal: Int
  var firstCoordinate: Int

  /// The coordinates of the loaded rows.
  var loaded: Range<Int> { firstCoordinate..<firstCoordinate + pages.rowCount }
  var ordinals: Range<Int> { firstOrdinal..<firstOrdinal + pages.pageCount }

  /// The coordinate at which the page of an ordinal begins; for the one behind the last, at which the rows end.
  func start(_ ordinal: Int) -> Int { firstCoordinate + pages.rowsBefore(pageAt: ordinal - firstOrdinal) }

  func page(_ ordinal: Int) -> PageBox<Item> { pages.page(at: ordinal - firstOrdinal) }
}

/// Where transformed rows lie, so that a snapshot can be compared with any other of its generation.
///
/// Rows keep their coordinates as long as nothing but the ends of what is loaded changes. Where it does, a new layout
/// begins, whose coordinates have nothing to do with those of the last.
struct Placing: Equatable {
  var firstCoordinate = 0
  var layout: UInt64 = 0
  private(set) var replacements: UInt64 = 0

  /// Pages came, went or changed.
  ///
  /// - Parameters:
  ///   - old: What was there.
  ///   - new: What is there now; where it begins is decided here.
  ///   - shared: The ordinals of pages in both.
  ///   - changed: Those of them whose pages differ; ascending.
  ///   - isRearranged: Pages changed otherwise than by being dropped and loaded again.
  mutating func moved<Item>(
    from old: PlacedPages<Item>, to new: PlacedPages<Item>, shared: Range<Int>, changed: [Int], isRearranged: Bool
  ) {
    if isRearranged || changed.hasGap(in: shared) { replacements += 1 }
    var new = new
    // Stretches of pages that are the same in both, by their first ordinals.
    var same: [Int] = []
    var start = shared.lowerBound
    for ordinal in changed + [shared.upperBound] {
      if new.start(ordinal) > new.start(min(start, shared.upperBound)) { same.append(start) }
      start = ordinal + 1
    }
    guard
      let distance = same.first.map({ old.start($0) - new.start($0) }) ?? Self.distance(from: old, to: new, in: changed)
    else {
      if old.pages.rowCount > 0, new.pages.rowCount > 0 { layout += 1 }
      return
    }
    new.firstCoordinate = distance
    firstCoordinate = distance
    let staysInPlace =
      same.allSatisfy { old.start($0) == new.start($0) }
      && changed.allSatisfy { Self.stays(from: old, to: new, at: $0) }
      && Self.endsAreApart(old, new, shared) && Self.endsAreApart(new, old, shared)
    if !staysInPlace { layout += 1 }
  }

  /// By how much rows moved that are in one page before and after; nil where no page has any such.
  private static func distance<Item>(
    from old: PlacedPages<Item>, to new: PlacedPages<Item>, in ordinals: [Int]
  ) -> Int? {
    for ordinal in ordinals {
      let (before, after) = (old.page(ordinal), new.page(ordinal))
      // If none of the first rows is there any more, a new layout is no loss.
      for (offset, hash) in before.hashes.prefix(64).enumerated() {
        guard let found = after.offset(of: before.items[offset].id, hash: hash) else { continue }
        return old.start(ordinal) + offset - new.start(ordinal) - found
      }
    }
    return nil
  }

  /// Whether each row of a page is where it was, and where there was none, was nothing of another page.
  private static func stays<Item>(from old: PlacedPages<Item>, to new: PlacedPages<Item>, at ordinal: Int) -> Bool {
    let (before, after) = (old.page(ordinal), new.page(ordinal))
    let (oldStart, newStart) = (old.start(ordinal), new.start(ordinal))
    let (oldRows, newRows) = (oldStart..<oldStart + before.count, newStart..<newStart + after.count)
    for coordinate in newRows where old.loaded.contains(coordinate) {
      guard oldRows.contains(coordinate) else { return false }
      let (from, to) = (coordinate - oldStart, coordinate - newStart)
      guard before.hashes[from] == after.hashes[to], before.items[from].id == after.items[to].id else { return false }
    }
    return oldRows.allSatisfy { !new.loaded.contains($0) || newRows.contains($0) }
  }

  /// Whether pages that only `one` has lie where the other has no rows.
  private static func endsAreApart<Item>(
    _ one: PlacedPages<Item>, _ other: PlacedPages<Item>, _ shared: Range<Int>
  ) -> Bool {
    let front = one.loaded.lowerBound..<one.start(shared.lowerBound)
    let back = one.start(shared.upperBound)..<one.loaded.upperBound
    return !front.overlaps(other.loaded) && !back.overlaps(other.loaded)
  }
}

extension [Int] {
  /// Whether these, which ascend, are more than a stretch at the start of `range` and one at its end.
  fileprivate func hasGap(in range: Range<Int>) -> Bool {
    var rest = self[...]
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while rest.first == lower {
      rest.removeFirst()
      lower += 1
    }
    while let last = rest.last, last == upper - 1 {
      rest.removeLast()
      upper -= 1
    }
    return !rest.isEmpty
  }
}
