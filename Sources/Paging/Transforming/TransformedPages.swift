/// The pages of one transformation, kept from one snapshot of the content above to the next.
///
/// Each of its pages was made of the page with the same ordinal above, once, and stays as long as that one does. Going
/// on to the next snapshot costs the pages that differ, and one more at either side of them.
struct TransformedPages<Transform: PageTransform> {
  typealias Input = Transform.Input
  typealias Output = Transform.Output

  private(set) var transform: Transform
  /// The snapshot that the pages were made of; nil before the first.
  private(set) var base: SnapshotBody<Input>?
  private(set) var pages = PageSequence<Output>()
  /// Which generation this is; rises with each of the content above.
  private(set) var generation: UInt64 = 0
  private(set) var placing = Placing()
  /// The only page stands in for none: it is what an empty list shows.
  private var standsIn = false

  init(_ transform: Transform) {
    self.transform = transform
  }

  // MARK: - The next snapshot

  /// Goes on to the next snapshot of the content above.
  mutating func advance(to next: SnapshotBody<Input>) {
    defer { base = next }
    guard let base, base.origin === next.origin, base.generation == next.generation else {
      generation += 1
      placing = Placing()
      return remake(of: next)
    }
    if base === next { return }
    let shared = base.ordinals.clamped(to: next.ordinals)
    if shared.isEmpty || standsIn {
      remakeUnlessEmpty(of: next)
    } else {
      grow(from: base, to: next, shared: shared)
    }
  }

  /// Nothing is shared with the last snapshot, within a generation.
  private mutating func remakeUnlessEmpty(of next: SnapshotBody<Input>) {
    if next.pages.isEmpty, pages.isEmpty || standsIn, standsIn == next.isKnownToBeEmpty { return }
    placing.layout += 1
    remake(of: next)
  }

  private mutating func remake(of next: SnapshotBody<Input>) {
    for page in pages { transform.forget(page) }
    pages = PageSequence()
    standsIn = false
    for position in 0..<next.pages.pageCount { pages.append(page(at: position, of: next)) }
    if next.pages.isEmpty, next.isKnownToBeEmpty, let page = transform.pageOfEmptyList(replacing: nil) {
      pages.append(page)
      standsIn = true
    }
  }

  private mutating func page(
    at position: Int, of next: SnapshotBody<Input>, replacing old: PageBox<Output>? = nil
  ) -> PageBox<Output> {
    transform.page(
      of: next.pages.page(at: position),
      between: Transform.looksAround ? next.neighbours(ofPage: position) : PageNeighbours(), replacing: old,
      among: pages)
  }

  private mutating func grow(from base: SnapshotBody<Input>, to next: SnapshotBody<Input>, shared: Range<Int>) {
    let old = PlacedPages(pages: pages, firstOrdinal: base.firstOrdinal, firstCoordinate: placing.firstCoordinate)
    for _ in base.ordinals.lowerBound..<shared.lowerBound {
      if let gone = pages.removeFirst() { transform.forget(gone) }
    }
    for _ in shared.upperBound..<base.ordinals.upperBound {
      if let gone = pages.removeLast() { transform.forget(gone) }
    }

    let replaced = base.ordinals(replacedIn: next, of: shared)
    // All make room first, since what one shows may have moved to another.
    for ordinal in replaced {
      transform.forget(pages.page(at: ordinal - shared.lowerBound))
      pages.replacePage(at: ordinal - shared.lowerBound, with: PageBox([]))
    }
    for ordinal in replaced {
      let page = page(at: ordinal - next.firstOrdinal, of: next)
      pages.replacePage(at: ordinal - shared.lowerBound, with: page)
    }
    for ordinal in (next.ordinals.lowerBound..<shared.lowerBound).reversed() {
      pages.prepend(page(at: ordinal - next.firstOrdinal, of: next))
    }
    for ordinal in shared.upperBound..<next.ordinals.upperBound {
      pages.append(page(at: ordinal - next.firstOrdinal, of: next))
    }

    var changed = replaced
    if Transform.looksAround {
      changed += adjustNeighbours(of: replaced, from: base, to: next, shared: shared)
      changed = Array(Set(changed)).sorted()
    }
    let isRearranged = base.replacements != next.replacements || base.layout != next.layout
    placing.moved(
      from: old, to: PlacedPages(pages: pages, firstOrdinal: next.firstOrdinal, firstCoordinate: 0), shared: shared,
      changed: changed, isRearranged: isRearranged && !replaced.isEmpty)
  }

  /// Puts right the pages next to those that came, went or changed.
  ///
  /// - Returns: The ordinals of those that were there before and are different now.
  private mutating func adjustNeighbours(
    of replaced: [Int], from base: SnapshotBody<Input>, to next: SnapshotBody<Input>, shared: Range<Int>
  ) -> [Int] {
    var positions: Set<Int> = [next.firstPageWithRows ?? 0, next.lastPageWithRows ?? 0]
    func addNeighbours(ofPagesIn ordinals: Range<Int>) {
      let (from, to) = (ordinals.lowerBound - next.firstOrdinal, ordinals.upperBound - next.firstOrdinal)
      if let before = next.pageWithRows(before: from) { positions.insert(before) }
      if let after = next.pageWithRows(from: to) { positions.insert(after) }
    }
    for ordinal in replaced { addNeighbours(ofPagesIn: ordinal..<ordinal + 1) }
    if next.firstOrdinal < shared.lowerBound { addNeighbours(ofPagesIn: next.firstOrdinal..<shared.lowerBound) }
    if shared.upperBound < next.ordinals.upperBound {
      addNeighbours(ofPagesIn: shared.upperBound..<next.ordinals.upperBound)
    }
    // A list without rows shows at its first page what it shows; the first page may have been another before.
    if base.pages.rowCount == 0 {
      positions.insert(shared.lowerBound - next.firstOrdinal)
    }
    var changed: [Int] = []
    for position in positions.sorted() {
      let current = pages.page(at: position)
      let adjusted = page(at: position, of: next, replacing: current)
      guard adjusted !== current else { continue }
      pages.replacePage(at: position, with: adjusted)
      if shared.contains(position + next.firstOrdinal) { changed.append(position + next.firstOrdinal) }
    }
    return changed
  }

  // MARK: - The snapshot

  /// What is shown before anything was transformed.
  static func nothing(of origin: SnapshotOrigin) -> SnapshotBody<Output> {
    SnapshotBody(
      origin: origin, generation: 0, version: 0, pages: PageSequence(), firstOrdinal: 0, replacements: 0,
      firstCoordinate: 0, placeholdersBefore: 0, placeholdersAfter: 0, states: CombinedLoadStates(source: .idle),
      total: nil, position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil)
  }

  /// A snapshot of the pages as they are.
  func body(of origin: SnapshotOrigin, version: UInt64) -> SnapshotBody<Output>? {
    guard let base else { return nil }
    let rows = RowTranslation(
      base: base, pages: pages, placeholdersBefore: Transform.leavesRowsOut ? 0 : base.placeholdersBefore,
      placeholdersAfter: Transform.leavesRowsOut ? 0 : base.placeholdersAfter)
    return SnapshotBody(
      origin: origin, generation: generation, version: version, pages: pages, firstOrdinal: base.firstOrdinal,
      replacements: placing.replacements, layout: placing.layout, firstCoordinate: placing.firstCoordinate,
      placeholdersBefore: rows.placeholdersBefore, placeholdersAfter: rows.placeholdersAfter, states: base.states,
      total: Transform.leavesRowsOut ? nil : base.total, position: rows.position(of: base.position),
      anchor: rows.anchor(of: base.anchor), base: base)
  }
}

extension RowTranslation {
  fileprivate func position(of position: PagingPosition) -> PagingPosition {
    PagingPosition(rowsBefore: index(ofBaseIndex: position.rowsBefore).index, pageIndex: position.pageIndex)
  }

  /// An anchor that was left out gives its part to the nearest row.
  fileprivate func anchor(of anchor: AnchorOutcome?) -> AnchorOutcome? {
    guard let anchor, let index = anchor.index else { return anchor }
    let count = placeholdersBefore + pages.rowCount + placeholdersAfter
    let found = self.index(ofBaseIndex: index)
    if found.isExact { return AnchorOutcome(kind: anchor.kind, index: found.index) }
    guard count > 0 else { return AnchorOutcome(kind: .lost, index: nil) }
    return AnchorOutcome(kind: .moved, index: min(found.index, count - 1))
  }
}

// MARK: - Pages of the content above

extension SnapshotBody {
  /// Whether the list is known to begin with the first loaded row.
  fileprivate var startsHere: Bool { states.prepend.isAtEnd && placeholdersBefore == 0 }
  /// Whether it is known to end with the last one.
  fileprivate var endsHere: Bool { states.append.isAtEnd && placeholdersAfter == 0 }
  /// Whether the list is known to hold nothing.
  fileprivate var isKnownToBeEmpty: Bool { pages.rowCount == 0 && startsHere && endsHere }

  fileprivate var firstPageWithRows: Int? { pageWithRows(from: 0) }
  fileprivate var lastPageWithRows: Int? { pageWithRows(before: pages.pageCount) }

  /// The nearest page before the one at `position` that holds rows.
  fileprivate func pageWithRows(before position: Int) -> Int? {
    let rows = pages.rowsBefore(pageAt: position)
    return rows > 0 ? pages.place(ofRow: rows - 1).pageIndex : nil
  }

  /// The first page from `position` on that holds rows.
  fileprivate func pageWithRows(from position: Int) -> Int? {
    let rows = pages.rowsBefore(pageAt: position)
    return rows < pages.rowCount ? pages.place(ofRow: rows).pageIndex : nil
  }

  /// What stands around a page, pages without rows passed over.
  ///
  /// What is between two pages belongs to the one that came later, as far as their ordinals tell: so a page that is
  /// there doesn't change when a neighbour comes.
  fileprivate func neighbours(ofPage position: Int) -> PageNeighbours<Item> {
    guard pages.page(at: position).count > 0 else {
      return isKnownToBeEmpty && position == 0 ? PageNeighbours(before: .end, after: .end) : PageNeighbours()
    }
    var neighbours = PageNeighbours<Item>()
    if let before = pageWithRows(before: position) {
      if firstOrdinal + position >= 1 { neighbours.before = .page(pages.page(at: before)) }
    } else if startsHere {
      neighbours.before = .end
    }
    if let after = pageWithRows(from: position + 1) {
      if firstOrdinal + after <= 0 { neighbours.after = .page(pages.page(at: after)) }
    } else if endsHere {
      neighbours.after = .end
    }
    return neighbours
  }

  /// Which of the pages in both, by ordinal, are others in `next`; ascending. Costs those pages.
  fileprivate func ordinals(replacedIn next: SnapshotBody, of shared: Range<Int>) -> [Int] {
    func isSame(_ ordinal: Int) -> Bool {
      pages.page(at: ordinal - firstOrdinal) === next.pages.page(at: ordinal - next.firstOrdinal)
    }
    guard replacements == next.replacements, layout == next.layout else {
      return ordinals(differingIn: next, of: shared)
    }
    // Pages that were dropped and loaded again lie at the ends.
    var (lower, upper) = (shared.lowerBound, shared.upperBound)
    while lower < upper, !isSame(lower) { lower += 1 }
    while upper > lower, !isSame(upper - 1) { upper -= 1 }
    return Array(shared.lowerBound..<lower) + Array(upper..<shared.upperBound)
  }

  private func ordinals(differingIn next: SnapshotBody, of shared: Range<Int>) -> [Int] {
    var differing: [Int] = []
    var ordinal = shared.lowerBound
    while ordinal < shared.upperBound {
      if let same = pages.tree.node(
        sharedWith: next.pages.tree, at: ordinal - firstOrdinal, ordinal - next.firstOrdinal)
      {
        ordinal += same.pages
      } else {
        differing.append(ordinal)
        ordinal += 1
      }
    }
    return differing
  }
}
