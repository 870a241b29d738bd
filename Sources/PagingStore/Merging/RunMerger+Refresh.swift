extension RunMerger {
  /// The list is replaced as a whole by one answer, or by several that follow one another, the newest first; its epoch
  /// rises. What live items brought in since the request left stays on top. `outcome.inserted` names all rows there are
  /// then.
  func refreshReplaced(
    by pages: [MergePage], for request: MergeRequest, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    let isUnbroken = takesLiveItems && request.subscription != nil && request.subscription == moment.subscription
    var draft = try OrderDraft(NoOrder())
    let whole = MergePage(pages.flatMap(\.items), reachedEnd: pages.contains(where: \.reachedEnd))
    var clean = CleanPage(whole, started: request.started)
    draft.outcome.dropped = clean.dropped
    guard request.epoch == moment.epoch, moment.headSequence == 0 || request.started > moment.headSequence else {
      draft.outcome.refusal = .stale
      return draft.finish(&numbers)
    }
    if rule == .keyed {
      clean.items.removeAll { $0.sortBytes == nil }
      clean.items.sort { a, b in a.sortBytes.flatMap { a in b.sortBytes.map { a > $0 } } ?? false }
    }
    draft.write(.clear)
    // Without rows nothing tells whether a live item belongs above what the token still brings, unless that is nothing.
    let says = whole.reachedEnd || !clean.items.isEmpty
    var late = isUnbroken && says ? try rowsOnTop(since: request, without: clean, in: order) : []
    // Rows that came by other ways than a live head don't reach down to the page for certain.
    let wasLive = try order.runs().first?.newer.state == .live
    let isLive = isUnbroken && says && (late.isEmpty || wasLive)
    if !isLive { late = [] }
    let inside = try rowsInside(since: request, clean, ends: whole.reachedEnd, in: order)
    let rows = sorted(late + inside, and: clean.items, placed: numbers.sequence)
    let free = room.positions(rows.count, below: nil, isJoinedAbove: false, above: nil, isJoinedBelow: false) ?? []
    for (row, position) in zip(rows, free) {
      let item = MergeItem(row.item, sortBytes: row.sortBytes)
      draft.place(Arrival(item: item), at: position, placed: row.placed)
    }
    let ends = whole.reachedEnd
    let older = RunEdge(state: ends ? .reached : .open, token: ends ? nil : pages.last?.olderToken, generation: 0)
    let newer = RunEdge(
      state: isLive ? .live : .open, token: isLive ? nil : pages.first?.newerToken, generation: 0)
    if !free.isEmpty || ends || older.token != nil {
      draft.runs = [Run(number: numbers.draw(), high: free.first ?? 0, low: free.last ?? 1, newer: newer, older: older)]
    }
    draft.write(.setHeadSequence(request.started))
    writeJoints(pages, at: free, skipping: late.count, in: &draft)
    try drainHeld(
      moment.held, into: &draft, after: request, page: clean.page, isHead: true, &numbers)
    return draft.finish(&numbers)
  }

  /// Keyed lists: rows that came between the pages' rows since a request left, the newest first.
  private func rowsInside(
    since request: MergeRequest, _ clean: CleanPage, ends: Bool, in order: some OrderReading
  ) throws(ListStoreError) -> [Entry] {
    guard rule == .keyed, let newest = clean.items.first?.sortBytes, let oldest = clean.items.last?.sortBytes else {
      return []
    }
    let upper = try order.entry(newerThan: newest)?.position ?? .max
    let lower = ends ? .min : try order.entry(olderThan: oldest)?.position ?? .min
    let inPage = Set(clean.page.items.map(\.item))
    return try order.entries(in: lower...upper, limit: .max).filter { row in
      lower < row.position && row.position < upper && row.placed > request.started && !inPage.contains(row.item)
    }
  }

  /// All rows of the new order: kept ones with their places in time; by key, or those above all others.
  private func sorted(_ kept: [Entry], and items: [MergeItem], placed: Int64) -> [Entry] {
    let rows = kept + items.map { Entry(position: 0, item: $0.item, sortBytes: $0.sortBytes, placed: placed) }
    guard rule == .keyed else { return rows }
    return rows.sorted { a, b in a.sortBytes.flatMap { a in b.sortBytes.map { a > $0 } } ?? false }
  }

  /// The rows that were put on top since a request left, the newest first.
  private func rowsOnTop(
    since request: MergeRequest, without clean: CleanPage, in order: some OrderReading
  ) throws(ListStoreError) -> [Entry] {
    guard let head = try order.runs().first, !head.isEmpty else { return [] }
    let inPage = Set(clean.page.items.map(\.item))
    let newest = clean.items.first?.sortBytes
    var late: [Entry] = []
    var row = try order.entry(at: head.high)
    while let next = row, next.placed > request.started, next.position >= head.low {
      // The stream is in order: what came before a row of the page existed when the page was made.
      if rule == .cursor, inPage.contains(next.item) { break }
      let isNewer = rule != .keyed || newest.map { key in next.sortBytes.map { $0 > key } ?? false } ?? true
      if isNewer, !inPage.contains(next.item) { late.append(next) }
      row = try order.entry(below: next.position)
    }
    return late
  }

  /// Where one page ends and the next begins.
  private func writeJoints(
    _ pages: [MergePage], at positions: [Position], skipping late: Int, in draft: inout OrderDraft<NoOrder>
  ) {
    guard rule != .keyed else { return }
    var count = late
    var seen: Set<Int64> = []
    let placed = Set(draft.outcome.inserted)
    for (page, next) in zip(pages, pages.dropFirst()) {
      count += page.items.count { placed.contains($0.item) && seen.insert($0.item).inserted }
      guard count > 0, count < positions.count, page.olderToken != nil || next.newerToken != nil else { continue }
      draft.write(.putCut(position: positions[count - 1], olderToken: page.olderToken, newerToken: next.newerToken))
    }
  }
}

/// A list without anything in it.
struct NoOrder: OrderReading {
  func runs() throws(ListStoreError) -> [Run] { [] }
  func entry(of item: Int64) throws(ListStoreError) -> Entry? { nil }
  func entry(at position: Position) throws(ListStoreError) -> Entry? { nil }
  func entries(in range: ClosedRange<Position>, limit: Int) throws(ListStoreError) -> [Entry] { [] }
  func entry(above position: Position) throws(ListStoreError) -> Entry? { nil }
  func entry(below position: Position) throws(ListStoreError) -> Entry? { nil }
  func entry(newerThan key: SortBytes) throws(ListStoreError) -> Entry? { nil }
  func entry(olderThan key: SortBytes) throws(ListStoreError) -> Entry? { nil }
}
