extension RunMerger {
  /// The list is replaced as a whole by one answer, or by several that follow one another, the newest first; its epoch rises.
  /// What live items brought in since the request left stays on top. `outcome.inserted` names all rows there are then.
  func refreshReplaced(
    by pages: [MergePage], for request: MergeRequest, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    let isUnbroken = takesLiveItems && request.subscription != nil && request.subscription == moment.subscription
    var draft = try OrderDraft(NoOrder())
    var clean = CleanPage(MergePage(pages.flatMap(\.items)), started: request.started)
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
    let late = isUnbroken ? try liveRows(since: request, without: clean, in: order) : []
    let arrivals =
      late.map { Arrival(item: MergeItem($0.item, sortBytes: $0.sortBytes)) } + clean.items.map { Arrival(item: $0) }
    let free = room.positions(arrivals.count, below: nil, isJoinedAbove: false, above: nil, isJoinedBelow: false) ?? []
    for (index, (arrival, position)) in zip(arrivals, free).enumerated() {
      draft.place(arrival, at: position, placed: index < late.count ? late[index].placed : numbers.sequence)
    }
    let ends = pages.contains(where: \.reachedEnd)
    let older = RunEdge(state: ends ? .reached : .open, token: ends ? nil : pages.last?.olderToken, generation: 0)
    let newer = RunEdge(
      state: isUnbroken ? .live : .open, token: isUnbroken ? nil : pages.first?.newerToken, generation: 0)
    if !free.isEmpty || ends || older.token != nil {
      draft.runs = [Run(number: numbers.draw(), high: free.first ?? 0, low: free.last ?? 1, newer: newer, older: older)]
    }
    draft.write(.setHeadSequence(request.started))
    writeJoints(pages, at: free, skipping: late.count, in: &draft)
    try drainHeld(
      moment.held, into: &draft, after: request, covered: clean.page.items, isHead: true, &numbers)
    return draft.finish(&numbers)
  }

  /// The rows that live items put on top since a request left, the newest first.
  private func liveRows(
    since request: MergeRequest, without clean: CleanPage, in order: some OrderReading
  ) throws(ListStoreError) -> [Entry] {
    guard let head = try order.runs().first, head.newer.state == .live, !head.isEmpty else { return [] }
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
