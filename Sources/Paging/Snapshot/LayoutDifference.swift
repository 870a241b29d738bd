// Changes between two snapshots of one generation in which rows came or went between others: an edit that removes or
// inserts a row, a filter that lets another row through.

extension ListChanges {
  /// Compares by identity only what lies between the pages that both share at the front and at the back.
  ///
  /// Costs the pages that differ, and those between the first and the last of them.
  init<Item>(acrossLayoutsFrom old: SnapshotBody<Item>, to new: SnapshotBody<Item>) {
    guard let stretch = DifferingStretch(from: old, to: new) else {
      self.init(acrossGenerationsFrom: old, to: new)
      return
    }
    self.init()
    if let front = stretch.front { alignEnds(old, front.old, new, front.new) }
    if let middle = stretch.middle {
      let changes = ListChanges(
        acrossGenerationsFrom: old.part(middle.old, hasStart: stretch.front == nil, hasEnd: stretch.back == nil),
        to: new.part(middle.new, hasStart: stretch.front == nil, hasEnd: stretch.back == nil))
      let starts = (
        old: stretch.front == nil ? 0 : old.index(ofPage: middle.old.lowerBound),
        new: stretch.front == nil ? 0 : new.index(ofPage: middle.new.lowerBound)
      )
      removals.append(contentsOf: changes.removals.lazy.map { $0 + starts.old })
      insertions.append(contentsOf: changes.insertions.lazy.map { $0 + starts.new })
      updates.append(contentsOf: changes.updates.lazy.map { $0 + starts.new })
      moves = changes.moves.map { Move(from: $0.from + starts.old, to: $0.to + starts.new) }
    }
    if let back = stretch.back { alignStarts(old, back.old, new, back.new) }
  }

  /// What lies in front of a shared page: rows are paired by their distance to it. At most one of the two has loaded
  /// rows there.
  private mutating func alignEnds<Item>(
    _ old: SnapshotBody<Item>, _ oldEnd: Int, _ new: SnapshotBody<Item>, _ newEnd: Int
  ) {
    let paired = min(oldEnd, newEnd)
    removals.append(contentsOf: 0..<oldEnd - paired)
    insertions.append(contentsOf: 0..<newEnd - paired)
    let loaded = max(oldEnd - old.placeholdersBefore, newEnd - new.placeholdersBefore)
    updates.append(contentsOf: newEnd - min(loaded, paired)..<newEnd)
  }

  /// What lies behind a shared page, likewise.
  private mutating func alignStarts<Item>(
    _ old: SnapshotBody<Item>, _ oldStart: Int, _ new: SnapshotBody<Item>, _ newStart: Int
  ) {
    let paired = min(old.count - oldStart, new.count - newStart)
    removals.append(contentsOf: oldStart + paired..<old.count)
    insertions.append(contentsOf: newStart + paired..<new.count)
    let loaded = max(old.loadedIndices.upperBound - oldStart, new.loadedIndices.upperBound - newStart)
    updates.append(contentsOf: newStart..<newStart + min(loaded, paired))
  }
}

/// Which pages of two snapshots of one generation differ, between those that they share at the front and at the back.
private struct DifferingStretch {
  /// Where the first shared page begins, as indices of rows; nil where the first page differs already.
  var front: (old: Int, new: Int)?
  /// The pages that are to be compared, by their positions.
  var middle: (old: Range<Int>, new: Range<Int>)?
  /// Where the last shared page ends, as indices of rows; nil where the last page differs too.
  var back: (old: Int, new: Int)?

  /// - Returns: Nil where no page has the same ordinal in both, or none of those is shared.
  init?<Item>(from old: SnapshotBody<Item>, to new: SnapshotBody<Item>) {
    let ordinals = old.ordinals.clamped(to: new.ordinals)
    guard !ordinals.isEmpty else { return nil }
    let (trees, first) = ((old: old.pages.tree, new: new.pages.tree), (old: old.firstOrdinal, new: new.firstOrdinal))
    var differing: (first: Int, last: Int)?
    var ordinal = ordinals.lowerBound
    while ordinal < ordinals.upperBound {
      if let shared = trees.old.node(sharedWith: trees.new, at: ordinal - first.old, ordinal - first.new) {
        ordinal += shared.pages
      } else {
        differing = (differing?.first ?? ordinal, ordinal)
        ordinal += 1
      }
    }
    let hasFront = differing?.first != ordinals.lowerBound
    let hasBack = differing?.last != ordinals.upperBound - 1
    guard hasFront || hasBack else { return nil }
    if hasFront {
      front = (
        old.index(ofPage: ordinals.lowerBound - first.old), new.index(ofPage: ordinals.lowerBound - first.new)
      )
    }
    if hasBack {
      back = (
        old.index(ofPage: ordinals.upperBound - first.old), new.index(ofPage: ordinals.upperBound - first.new)
      )
    }
    guard let differing else { return }
    func pages(_ body: SnapshotBody<Item>) -> Range<Int> {
      (hasFront ? differing.first - body.firstOrdinal : 0)..<(hasBack
        ? differing.last + 1 - body.firstOrdinal : body.pages.pageCount)
    }
    middle = (pages(old), pages(new))
  }
}

extension SnapshotBody {
  /// The index of the first row of a page; for the number of pages, of the first row behind them.
  fileprivate func index(ofPage page: Int) -> Int { placeholdersBefore + pages.rowsBefore(pageAt: page) }

  /// Some of the pages, with the placeholders of those ends that they reach.
  fileprivate func part(_ range: Range<Int>, hasStart: Bool, hasEnd: Bool) -> SnapshotBody {
    var part = PageSequence<Item>()
    for page in range { part.append(pages.page(at: page)) }
    return SnapshotBody(
      origin: origin, generation: generation, version: version, pages: part,
      firstOrdinal: firstOrdinal + range.lowerBound, replacements: replacements, layout: layout, firstCoordinate: 0,
      placeholdersBefore: hasStart ? placeholdersBefore : 0, placeholdersAfter: hasEnd ? placeholdersAfter : 0,
      states: states, total: nil, position: position, anchor: nil)
  }
}
