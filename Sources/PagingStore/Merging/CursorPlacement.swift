/// Places a page of an opaque list: known rows in the page's order are anchors and stay, unknown ones go between them.
struct CursorPlacement<Order: OrderReading> {
  /// One row of the page that counts for order.
  private enum Link {
    case anchor(Entry)
    case arrival(Arrival)
  }

  let draft: OrderDraft<Order>
  let clean: CleanPage
  let request: MergeRequest
  /// The run that is continued, if one is.
  let base: Run?
  /// The run beyond the gap, if the page says that nothing more lies before it and it is unchanged.
  let bound: Run?

  private(set) var result = Placement()

  /// The placement.
  mutating func placement() throws(ListStoreError) -> Placement {
    try run()
    return result
  }

  private mutating func run() throws(ListStoreError) {
    for run in [base, bound].compacted() { result.touched.insert(run.number) }
    for run in draft.runs where run.isEmpty { result.touched.insert(run.number) }
    var links = try chain()
    if let base, !base.isEmpty {
      if request.kind == .older, let edge = try draft.entry(at: base.low) { links.insert(.anchor(edge), at: 0) }
      if request.kind == .newer, let edge = try draft.entry(at: base.high) { links.append(.anchor(edge)) }
    }
    let anchors = links.compactMap { link in if case .anchor(let row) = link { row } else { nil } }
    for anchor in anchors {
      if let run = draft.run(at: anchor.position) { result.touched.insert(run.number) }
    }
    guard let first = anchors.first, let last = anchors.last else { return try placeAlone(links) }

    let inPage = Set(links.map { link in if case .anchor(let row) = link { row.item } else { Int64(-1) } })
    let lifted = Set(
      links.compactMap { link in if case .arrival(let arrival) = link { arrival.from?.item } else { nil } })
    let between = try draft.rows(above: last.position, below: first.position)
    try touchSpanned(between, inPage)
    guard result.refusal == nil else { return }
    let inner = between.filter { !inPage.contains($0.item) && !lifted.contains($0.item) }
    result.absent = inner.filter { $0.placed <= request.judged }
    let late = inner.filter { $0.placed > request.judged }

    var pending: [Arrival] = []
    var previous: Entry?
    for link in links {
      switch link {
      case .arrival(let arrival): pending.append(arrival)
      case .anchor(let anchor):
        if let previous {
          if !pending.isEmpty { result.stretches.append(stretch(pending, from: previous, to: anchor, late: late)) }
        } else {
          try placeLeading(pending, over: anchor, lifted: lifted)
        }
        pending = []
        previous = anchor
      }
    }
    if !pending.isEmpty { try placeTrailing(pending, under: last) }
    try judgeBelow(last: last, lifted: lifted)
  }

  /// The page's rows in order: known ones that stay, and arrivals. Known rows on the near side of the edge count for
  /// contents only.
  private mutating func chain() throws(ListStoreError) -> [Link] {
    var known: [Int: Entry] = [:]
    var skipped: Set<Int> = []
    for (index, item) in clean.items.enumerated() {
      guard let stored = try draft.stored(item) else { continue }
      if isBeyond(stored.position) { known[index] = stored } else { skipped.insert(index) }
    }
    let indices = known.keys.sorted()
    let positions = indices.compactMap { known[$0]?.position }
    let chain = FallingChain.indices(of: positions, prefersLow: request.kind == .newer).map { indices[$0] }
    var staying = Set(chain)
    if let loner = try movedLoner(chain.compactMap { known[$0] }) {
      staying = staying.filter { known[$0] != loner }
      if loner.placed <= request.judged { result.doubtful = loner.position }
    }
    result.hasConflict = staying.count < known.count
    try findInsideEnd()
    var links: [Link] = []
    for (index, item) in clean.items.enumerated() where !skipped.contains(index) {
      guard let stored = known[index] else {
        links.append(.arrival(Arrival(item: item)))
        continue
      }
      if staying.contains(index) {
        links.append(.anchor(stored))
      } else if stored.placed <= request.judged {
        links.append(.arrival(Arrival(item: item, from: stored)))
      }
    }
    return links
  }

  private func isBeyond(_ position: Position) -> Bool {
    guard let base, !base.isEmpty else { return true }
    switch request.kind {
    case .older: return position < base.low
    case .newer: return position > base.high
    case .head, .around: return true
    }
  }

  /// A single row at the page's end that lies deeper in the same run, across more rows that the page lacks than it has:
  /// more likely it moved than that all of those are gone; and taking it for an anchor would lose them.
  private func movedLoner(_ chain: [Entry]) throws(ListStoreError) -> Entry? {
    guard chain.count > 1 else { return nil }
    let isNewer = request.kind == .newer
    let loner = isNewer ? chain[0] : chain[chain.count - 1]
    let neighbour = isNewer ? chain[1] : chain[chain.count - 2]
    guard (isNewer ? clean.items.first : clean.items.last)?.item == loner.item, loner.placed <= request.judged,
      draft.run(at: loner.position) == draft.run(at: neighbour.position)
    else { return nil }
    let (low, high) = (min(loner.position, neighbour.position), max(loner.position, neighbour.position))
    let skipped = try draft.rows(above: low, below: high, limit: clean.items.count)
    return skipped.count >= clean.items.count ? loner : nil
  }

  private mutating func findInsideEnd() throws(ListStoreError) {
    guard let base, !base.isEmpty else { return }
    let isOlder = request.kind == .older
    guard let outermost = isOlder ? clean.page.items.last : clean.page.items.first,
      let stored = try draft.stored(outermost)
    else { return }
    let edge = isOlder ? base.low : base.high
    result.endsInside = base.low <= stored.position && stored.position <= base.high && stored.position != edge
  }

  /// Runs that lie between two anchors are spanned; one whose rows all came after the page was asked for can't be
  /// judged by it.
  private mutating func touchSpanned(_ between: [Entry], _ inPage: Set<Int64>) throws(ListStoreError) {
    for run in draft.runs where !result.touched.contains(run.number) {
      let rows = between.filter { run.low <= $0.position && $0.position <= run.high }
      guard !rows.isEmpty else { continue }
      if rows.allSatisfy({ $0.placed > request.judged && !inPage.contains($0.item) }) { result.refusal = .stale }
      result.touched.insert(run.number)
    }
  }

  private func stretch(_ arrivals: [Arrival], from upper: Entry, to lower: Entry, late: [Entry]) -> Stretch {
    let inside = late.filter { lower.position < $0.position && $0.position < upper.position }
    let run = draft.run(at: upper.position)
    let above = inside.last { row in draft.run(at: row.position) == run } ?? upper
    let below = inside.first { $0.position < above.position } ?? lower
    return Stretch(
      arrivals: arrivals, upper: above.position, lower: below.position, isJoinedAbove: true, isJoinedBelow: true)
  }

  /// What the page has above its first anchor.
  private mutating func placeLeading(
    _ arrivals: [Arrival], over anchor: Entry, lifted: Set<Int64>
  ) throws(ListStoreError) {
    guard request.kind != .head else { return try placeHead(arrivals, over: anchor, lifted: lifted) }
    if !arrivals.isEmpty {
      if let run = draft.run(at: anchor.position), anchor.position < run.high { result.trimAbove = anchor.position }
      let next = try draft.row(above: anchor.position)?.position
      let isJoinedAbove = bound.map { $0.low == next } ?? false
      result.stretches.append(
        Stretch(
          arrivals: arrivals, upper: next, lower: anchor.position, isJoinedAbove: isJoinedAbove, isJoinedBelow: true))
    }
    guard request.kind == .newer, clean.page.reachedEnd, bound == nil else { return }
    guard clean.page.endIsAuthoritative else {
      result.isHead = try draft.row(above: anchor.position) == nil
      return
    }
    let above = try draft.rows(above: anchor.position, below: nil).filter { !lifted.contains($0.item) }
    result.absent += above.filter { $0.placed <= request.judged }
    result.isHead = above.allSatisfy { $0.placed <= request.judged }
  }

  /// The head's answer: nothing is above it, except what came later.
  private mutating func placeHead(_ arrivals: [Arrival], over anchor: Entry, lifted: Set<Int64>) throws(ListStoreError)
  {
    let run = draft.run(at: anchor.position)
    let above = try draft.rows(above: anchor.position, below: nil).filter { !lifted.contains($0.item) }
    let old = above.filter { $0.placed <= request.judged }
    let late = above.filter { $0.placed > request.judged }
    if !old.isEmpty, arrivals.isEmpty, (draft.runs.first?.newer.failures ?? 0) == 0 {
      result.isLagging = true
      return
    }
    result.absent += old
    result.isHead = late.allSatisfy { draft.run(at: $0.position) == run }
    guard !arrivals.isEmpty else { return }
    result.stretches.append(
      Stretch(
        arrivals: arrivals, upper: late.last?.position, lower: anchor.position,
        isJoinedAbove: late.last.map { draft.run(at: $0.position) == run } ?? false, isJoinedBelow: true))
  }

  private mutating func placeTrailing(_ arrivals: [Arrival], under anchor: Entry) throws(ListStoreError) {
    if let run = draft.run(at: anchor.position), anchor.position > run.low { result.trimBelow = anchor.position }
    let next = try draft.row(below: anchor.position)
    let isJoinedBelow = bound.map { $0.high == next?.position } ?? false
    result.stretches.append(
      Stretch(
        arrivals: arrivals, upper: anchor.position, lower: next?.position, isJoinedAbove: true,
        isJoinedBelow: isJoinedBelow))
  }

  /// A page without anchors: the head goes above everything, a list without rows takes any page, and a window belongs
  /// elsewhere.
  private mutating func placeAlone(_ links: [Link]) throws(ListStoreError) {
    let arrivals = links.compactMap { link in if case .arrival(let arrival) = link { arrival } else { nil } }
    let filled = draft.runs.filter { !$0.isEmpty }
    guard filled.isEmpty || request.kind == .head else {
      if !clean.items.isEmpty { result.refusal = .detached }
      return
    }
    // Another page of the head came since this one was asked for: nothing tells which of the two the server made first.
    if !arrivals.isEmpty, let top = filled.first, let row = try draft.entry(at: top.high), row.placed > request.started
    {
      result.refusal = .stale
      return
    }
    if arrivals.isEmpty {
      result.isHead =
        request.kind == .head && (filled.isEmpty || (clean.page.reachedEnd && clean.page.endIsAuthoritative))
      if result.isHead {
        result.absent = try draft.rows(above: nil, below: nil).filter { $0.placed <= request.judged }
        result.isHead = try draft.rows(above: nil, below: nil).count == result.absent.count
      }
      return
    }
    result.isHead = request.kind == .head || (request.kind == .newer && clean.page.reachedEnd)
    result.stretches = [Stretch(arrivals: arrivals, upper: nil, lower: filled.first?.high)]
    if clean.page.reachedEnd, clean.page.endIsAuthoritative, request.kind != .newer {
      let lifted = Set(arrivals.compactMap { $0.from?.item })
      result.absent = try draft.rows(above: nil, below: nil).filter { row in
        row.placed <= request.judged && !lifted.contains(row.item)
      }
    }
  }

  /// Rows below the page, when the remote's end is the truth.
  private mutating func judgeBelow(last: Entry, lifted: Set<Int64>) throws(ListStoreError) {
    guard request.kind != .newer, clean.page.reachedEnd, clean.page.endIsAuthoritative, bound == nil else { return }
    result.absent += try draft.rows(above: nil, below: last.position).filter { row in
      row.placed <= request.judged && !lifted.contains(row.item)
    }
  }
}

extension Array {
  /// The elements that are not nil.
  fileprivate func compacted<Wrapped>() -> [Wrapped] where Element == Wrapped? { compactMap { $0 } }
}
