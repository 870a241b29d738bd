/// Places a page of a keyed list: every row's place follows from its key, and the page answers for all keys of its
/// range.
struct KeyedPlacement<Order: OrderReading> {
  let draft: OrderDraft<Order>
  let clean: CleanPage
  let request: MergeRequest
  /// The run that is continued, if one is.
  let base: Run?
  /// The run beyond the gap, if the page says that nothing more lies before it and it is unchanged.
  let bound: Run?

  private(set) var result = Placement()
  /// The stored rows next to the page's range; nil: there is none.
  private(set) var upper: Position?
  private(set) var lower: Position?

  /// The placement.
  mutating func placement() throws(ListStoreError) -> Placement {
    try run()
    return result
  }

  private mutating func run() throws(ListStoreError) {
    let keyed = clean.items.filter { $0.sortBytes != nil }
    let sorted = keyed.sorted { key($0) > key($1) }
    result.hasConflict = keyed.count < clean.items.count || zip(keyed, sorted).contains { key($0) != key($1) }
    let items = try ownSide(of: sorted)
    try findRange()
    let rows = clean.page.items.isEmpty ? [] : try draft.rows(above: lower, below: upper)

    var arrivals: [Arrival] = []
    var staying: Set<Int64> = []
    var lifted: Set<Int64> = []
    for item in items {
      guard let stored = try draft.stored(item) else {
        arrivals.append(Arrival(item: item))
        continue
      }
      if stored.sortBytes == item.sortBytes {
        staying.insert(item.item)
      } else if stored.placed <= request.started {
        arrivals.append(Arrival(item: item, from: stored))
        lifted.insert(item.item)
      }
    }
    result.touched = try touchedRuns(rows, staying: staying)
    guard result.refusal == nil else { return }
    result.absent = rows.filter { row in
      row.placed <= request.started && !staying.contains(row.item) && !lifted.contains(row.item)
    }
    let retained = rows.filter { staying.contains($0.item) || $0.placed > request.started }
      .filter { !lifted.contains($0.item) }
    result.stretches = stretches(arrivals, between: retained)
    try judgeAbove(lifted)
    try judgeBelow(lifted)
  }

  private func key(_ item: MergeItem) -> SortBytes { item.sortBytes ?? SortBytes(bytes: []) }

  /// The items on the far side of the edge. An unknown one on the near side is put inside a run, if it belongs into
  /// one.
  private mutating func ownSide(of items: [MergeItem]) throws(ListStoreError) -> [MergeItem] {
    guard let base, !base.isEmpty else { return items }
    let isOlder = request.kind == .older
    guard let edge = try draft.entry(at: isOlder ? base.low : base.high), let edgeKey = edge.sortBytes else {
      return items
    }
    var own: [MergeItem] = []
    for item in items {
      let isBeyond = isOlder ? key(item) < edgeKey : key(item) > edgeKey
      if isBeyond {
        own.append(item)
      } else if try draft.stored(item) == nil {
        result.strays.append(Arrival(item: item))
      }
    }
    let outermost = isOlder ? clean.page.items.last : clean.page.items.first
    if let outermost, let stored = try draft.stored(outermost), stored.sortBytes == outermost.sortBytes {
      result.endsInside =
        base.low <= stored.position && stored.position <= base.high && stored.position != edge.position
    }
    return own
  }

  /// The range reaches as far as the page did, dropped items included.
  private mutating func findRange() throws(ListStoreError) {
    let keys = clean.page.items.compactMap(\.sortBytes)
    let isContinued = base.map { !$0.isEmpty } ?? false
    if let newest = keys.max() { upper = try draft.row(newerThan: newest)?.position }
    if let oldest = keys.min() { lower = try draft.row(olderThan: oldest)?.position }
    if isContinued, let base {
      if request.kind == .older {
        upper = base.low
        if let bottom = lower, bottom > base.low { lower = try draft.row(below: base.low)?.position }
      } else if request.kind == .newer {
        lower = base.high
        if let top = upper, top < base.high { upper = try draft.row(above: base.high)?.position }
      }
    }
  }

  private mutating func touchedRuns(_ rows: [Entry], staying: Set<Int64>) throws(ListStoreError) -> Set<Int64> {
    var touched: Set<Int64> = []
    if let base { touched.insert(base.number) }
    if let bound { touched.insert(bound.number) }
    for run in draft.runs where !touched.contains(run.number) {
      if run.isEmpty {
        touched.insert(run.number)
        continue
      }
      let inRange = rows.filter { run.low <= $0.position && $0.position <= run.high }
      if inRange.isEmpty {
        // A page of rows that are all new, strictly inside a run.
        if let upper, let lower, run.low <= lower, upper <= run.high, !clean.page.items.isEmpty {
          touched.insert(run.number)
        }
        continue
      }
      // Rows that came after the page was asked for, and none that it knows: the page can't say what lies around them.
      if inRange.allSatisfy({ $0.placed > request.started && !staying.contains($0.item) }) { result.refusal = .stale }
      touched.insert(run.number)
    }
    return touched
  }

  private func stretches(_ arrivals: [Arrival], between retained: [Entry]) -> [Stretch] {
    func isJoined(_ position: Position?) -> Bool {
      guard let position, let run = draft.run(at: position) else { return false }
      return result.touched.contains(run.number)
    }
    var stretches: [Stretch] = []
    var next = 0
    var isOpen = false
    for arrival in arrivals {
      while next < retained.count, (retained[next].sortBytes ?? key(arrival.item)) >= key(arrival.item) {
        next += 1
        isOpen = false
      }
      if isOpen {
        stretches[stretches.count - 1].arrivals.append(arrival)
        continue
      }
      let above = next > 0 ? retained[next - 1].position : upper
      let below = next < retained.count ? retained[next].position : lower
      stretches.append(
        Stretch(
          arrivals: [arrival], upper: above, lower: below, isJoinedAbove: isJoined(above),
          isJoinedBelow: isJoined(below)))
      isOpen = true
    }
    return stretches
  }

  /// Rows above the page, when it says that nothing is.
  private mutating func judgeAbove(_ lifted: Set<Int64>) throws(ListStoreError) {
    let isBlank = draft.runs.allSatisfy(\.isEmpty)
    let isHead = request.kind == .head && (!clean.page.items.isEmpty || clean.page.reachedEnd || isBlank)
    let isNewerEnd = request.kind == .newer && clean.page.reachedEnd && bound == nil
    guard isHead || isNewerEnd else { return }
    let edge = clean.page.items.isEmpty ? base.map(\.high) : upper.map { $0 - 1 }
    let isAll = clean.page.items.isEmpty && base == nil
    let above =
      edge == nil && !isAll ? [] : try draft.rows(above: edge, below: nil).filter { !lifted.contains($0.item) }
    let old = above.filter { $0.placed <= request.started }
    let late = above.filter { $0.placed > request.started }
    let isBelievable = isHead && !isAll ? (draft.runs.first?.newer.failures ?? 0) > 0 : clean.page.endIsAuthoritative
    if !old.isEmpty, !isBelievable {
      result.isLagging = isHead && !isAll
      return
    }
    result.absent += old
    result.isHead = late.allSatisfy { row in
      draft.run(at: row.position).map { result.touched.contains($0.number) } ?? false
    }
  }

  /// Rows below the page, when the remote's end is the truth.
  private mutating func judgeBelow(_ lifted: Set<Int64>) throws(ListStoreError) {
    guard request.kind != .newer, clean.page.reachedEnd, clean.page.endIsAuthoritative, bound == nil else { return }
    let edge = clean.page.items.isEmpty ? base.map(\.low) : lower.map { $0 + 1 }
    guard let edge else { return }
    let known = Set(result.absent.map(\.position))
    result.absent += try draft.rows(above: nil, below: edge).filter { row in
      row.placed <= request.started && !lifted.contains(row.item) && !known.contains(row.position)
    }
  }
}
