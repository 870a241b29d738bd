/// Turns a placement into changes: rows go and come, the runs that the page touches become one, and its edges follow.
struct PageMerge {
  let rule: OrderRule
  let room: Room
  let clean: CleanPage
  let request: MergeRequest
  let placement: Placement
  /// The run that is continued, as it was.
  let base: Run?
  /// The run that a bounded answer joins, as it was.
  let bound: Run?
  /// The live subscription that is unbroken now.
  let subscription: Int64?

  /// Plans the changes.
  func apply<Order: OrderReading>(
    to draft: inout OrderDraft<Order>, _ numbers: inout MergeNumbers
  ) throws(ListStoreError) {
    let before = draft.runs
    let touched = before.filter { placement.touched.contains($0.number) }
    for row in placement.absent { draft.remove(row) }
    for arrival in placement.stretches.flatMap(\.arrivals) + placement.strays {
      if let from = arrival.from { draft.lift(from) }
    }
    var survivors: [Run] = []
    for run in touched {
      let run = try draft.snap(run)
      if !run.isEmpty { survivors.append(run) }
    }
    try draft.snapAll()
    draft.runs.removeAll { placement.touched.contains($0.number) }
    let rests = try trim(&survivors, in: draft)

    guard let placed = place(in: &draft, numbers.sequence) else { return draft.isOutOfRoom = true }
    guard var merged = try bounds(survivors, placed, touched, &numbers, in: draft, before) else {
      try placeStrays(in: &draft, numbers.sequence)
      return
    }
    merged.older = try olderEdge(of: merged, placed, touched, in: draft)
    let isTop = rests.above.isEmpty && draft.runs.allSatisfy { $0.high < merged.high }
    let isFirstOnTop = try draft.entry(at: merged.high).map { $0.item == clean.page.items.first?.item } ?? true
    merged.newer = newerEdge(of: merged, placed, touched, before, isTop: isTop, isFirstOnTop: isFirstOnTop)
    name(&merged, rests, touched, &numbers, &draft)
    draft.runs.append(merged)
    draft.runs.sort { $0.high > $1.high }
    draft.outcome.closedGaps = max(0, before.count - draft.runs.count)
    if placement.isLagging { draft.runs[0].newer.failures = 1 }
    try placeStrays(in: &draft, numbers.sequence)
    try writeCuts(placed, touched, in: &draft)
  }

  // MARK: Rows

  /// Positions of what was placed, by stretch; nil: there is no room.
  private func place<Order: OrderReading>(in draft: inout OrderDraft<Order>, _ sequence: Int64) -> [[Position]]? {
    var placed: [[Position]] = []
    for stretch in placement.stretches {
      let positions = room.positions(
        stretch.arrivals.count, below: stretch.upper, isJoinedAbove: stretch.isJoinedAbove, above: stretch.lower,
        isJoinedBelow: stretch.isJoinedBelow)
      guard let positions else { return nil }
      for (arrival, position) in zip(stretch.arrivals, positions) {
        draft.place(arrival, at: position, placed: sequence)
      }
      placed.append(positions)
    }
    return placed
  }

  /// Rows outside the page's range go into runs that already span their place; into a gap they don't go.
  private func placeStrays<Order: OrderReading>(
    in draft: inout OrderDraft<Order>, _ sequence: Int64
  ) throws(ListStoreError) {
    if !draft.isOutOfRoom { _ = try draft.placeInside(placement.strays, room, placed: sequence) }
  }

  /// Takes off what the page contradicts; it becomes runs of its own. The first have the rows above, the second those
  /// below.
  private func trim<Order: OrderReading>(
    _ survivors: inout [Run], in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> (above: [Run], below: [Run]) {
    var above: [Run] = []
    var below: [Run] = []
    for index in survivors.indices {
      if let row = placement.trimBelow, survivors[index].low < row, row <= survivors[index].high {
        var rest = survivors[index]
        rest.high = try draft.row(below: row)?.position ?? rest.low
        rest.newer = RunEdge(state: .open, token: nil, generation: 0)
        below = try split(rest, in: draft)
        survivors[index].low = row
      }
      if let row = placement.trimAbove, survivors[index].low <= row, row < survivors[index].high {
        var rest = survivors[index]
        rest.low = try draft.row(above: row)?.position ?? rest.high
        rest.older = RunEdge(state: .open, token: nil, generation: 0)
        above = try split(rest, in: draft)
        survivors[index].high = row
      }
    }
    return (above, below)
  }

  /// What was taken off, in two where it has a place of which nobody knows what stands there.
  private func split<Order: OrderReading>(_ rest: Run, in draft: OrderDraft<Order>) throws(ListStoreError) -> [Run] {
    guard let place = placement.doubtful else { return [rest] }
    var upper = rest
    var lower = rest
    upper.older = RunEdge(state: .open, token: nil, generation: 0)
    lower.newer = RunEdge(state: .open, token: nil, generation: 0)
    if place < rest.low { return [upper] }
    if place > rest.high { return [lower] }
    upper.low = try draft.row(above: place)?.position ?? rest.high
    lower.high = try draft.row(below: place)?.position ?? rest.low
    return [upper, lower]
  }

  // MARK: The run

  /// The merged run without its edges; nil: the page says nothing that a run could hold.
  private func bounds<Order: OrderReading>(
    _ survivors: [Run], _ placed: [[Position]], _ touched: [Run], _ numbers: inout MergeNumbers,
    in draft: OrderDraft<Order>,
    _ before: [Run]
  ) throws(ListStoreError) -> Run? {
    let highs = survivors.map(\.high) + placed.compactMap(\.first)
    let lows = survivors.map(\.low) + placed.compactMap(\.last)
    let blank = RunEdge(state: .open, token: nil, generation: 0)
    let number = touched.first?.number
    if let high = highs.max(), let low = lows.min() {
      return Run(number: number ?? numbers.draw(), high: high, low: low, newer: blank, older: blank)
    }
    // No rows at all: the list is known to be empty, or begins with rows that the remote filters out.
    let isSaid = clean.page.reachedEnd || clean.page.olderToken != nil || touched.contains(where: \.isEmpty)
    guard draft.runs.allSatisfy(\.isEmpty), request.kind == .head || base != nil, isSaid else { return nil }
    return Run(number: number ?? before.first?.number ?? numbers.draw(), high: 0, low: 1, newer: blank, older: blank)
  }

  /// Numbers: the merged run has that of the newest run in it, unless what was taken off above keeps it.
  private func name<Order: OrderReading>(
    _ merged: inout Run, _ rests: (above: [Run], below: [Run]), _ touched: [Run], _ numbers: inout MergeNumbers,
    _ draft: inout OrderDraft<Order>
  ) {
    draft.runs.removeAll(where: \.isEmpty)
    if let above = rests.above.first {
      merged.number =
        touched.first { $0.number != above.number && $0.number != rests.below.first?.number }?.number ?? numbers.draw()
    }
    var taken: Set = [merged.number]
    for var rest in rests.above + rests.below {
      if !taken.insert(rest.number).inserted {
        rest.number = numbers.draw()
        taken.insert(rest.number)
      }
      draft.runs.append(rest)
    }
  }

  // MARK: Edges

  private func newerEdge(
    of merged: Run, _ placed: [[Position]], _ touched: [Run], _ before: [Run], isTop: Bool, isFirstOnTop: Bool
  ) -> RunEdge {
    let isNew = placed.contains { $0.first == merged.high } || placement.trimAbove != nil
    let owner = touched.first { !$0.isEmpty && $0.low <= merged.high && merged.high <= $0.high }
    var edge: RunEdge
    if isNew || owner == nil {
      let isEmptyBase = request.kind == .older && base?.isEmpty == true
      let from = request.kind == .newer || isEmptyBase ? base?.newer : nil
      if isEmptyBase, let from { edge = from } else { edge = next(from, token: clean.page.newerToken, hasMoved: true) }
    } else if request.kind == .newer, let owner, owner.number == base?.number, owner.newer.state != .live {
      edge =
        placement.endsInside ? failed(owner.newer) : next(owner.newer, token: clean.page.newerToken, hasMoved: false)
    } else {
      edge = owner?.newer ?? RunEdge(state: .open, token: clean.page.newerToken, generation: 0)
    }
    // Without rows nothing tells whether a live item belongs above what the older edge still brings, unless that is
    // nothing.
    guard isTop, !merged.isEmpty || merged.older.state == .reached else { return edge }
    // The head run was live and grew: what follows still comes by itself.
    let wasLive = before.first.map { $0.newer.state == .live && placement.touched.contains($0.number) } ?? false
    let isProved = placement.isHead && request.subscription != nil && request.subscription == subscription
    if wasLive || isProved { return RunEdge(state: .live, token: nil, generation: edge.generation) }
    if placement.isHead {
      // The page's token goes on from its first row; with later rows above that, it would lead into the run.
      let token = isFirstOnTop ? clean.page.newerToken ?? edge.token : edge.token
      return RunEdge(state: .open, token: token, generation: edge.generation)
    }
    return edge
  }

  private func olderEdge<Order: OrderReading>(
    of merged: Run, _ placed: [[Position]], _ touched: [Run], in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> RunEdge {
    let page = clean.page
    let isNew = placed.contains { $0.last == merged.low } || placement.trimBelow != nil
    let owner = touched.first { !$0.isEmpty && $0.low <= merged.low && merged.low <= $0.high }
    let ends = page.reachedEnd && request.kind != .newer && bound == nil
    if merged.isEmpty || isNew || owner == nil {
      if request.kind == .newer { return base?.older ?? RunEdge(state: .open, token: page.olderToken, generation: 0) }
      if ends { return RunEdge(state: .reached, token: nil, generation: 0) }
      return next(request.kind == .older ? base?.older : nil, token: page.olderToken, hasMoved: isNew)
    }
    guard let owner else { return RunEdge(state: .open, token: page.olderToken, generation: 0) }
    let low = try draft.entry(at: merged.low)?.item
    let lastIsLow = low != nil && low == page.items.last?.item
    if request.kind == .older, owner.number == base?.number, bound == nil {
      if ends { return RunEdge(state: .reached, token: nil, generation: owner.older.generation) }
      return placement.endsInside ? failed(owner.older) : next(owner.older, token: page.olderToken, hasMoved: false)
    }
    if ends, lastIsLow || page.endIsAuthoritative {
      return RunEdge(state: .reached, token: nil, generation: owner.older.generation)
    }
    let isStuck =
      owner.older.state == .dead || (owner.older.state == .open && owner.older.token == nil && rule != .keyed)
    if lastIsLow, isStuck, request.kind != .newer, page.olderToken != nil {
      return RunEdge(state: .open, token: page.olderToken, generation: owner.older.generation)
    }
    return owner.older
  }

  /// An edge after an answer for it: its token, or one more failure if that leads nowhere new.
  private func next(_ edge: RunEdge?, token: String?, hasMoved: Bool) -> RunEdge {
    guard var edge else { return RunEdge(state: .open, token: token, generation: 0) }
    if rule == .excluding {
      edge.token = token ?? edge.token
      edge.failures = hasMoved ? 0 : edge.failures + 1
      edge.state = edge.failures >= RunMerger.maxFailures ? .reached : .open
      return edge
    }
    let repeats = token == edge.token && (rule != .keyed || !hasMoved) && (token != nil || !hasMoved)
    if repeats || (token == nil && !hasMoved) { return failed(edge) }
    return RunEdge(state: .open, token: token, generation: edge.generation)
  }

  private func failed(_ edge: RunEdge) -> RunEdge {
    var edge = edge
    edge.failures += 1
    edge.state = edge.failures >= RunMerger.maxFailures ? .dead : .open
    return edge
  }

  // MARK: Joints

  /// Where the page meets what was there, and the tokens that lead on from each side: where a sweep may cut the run.
  private func writeCuts<Order: OrderReading>(
    _ placed: [[Position]], _ touched: [Run], in draft: inout OrderDraft<Order>
  ) throws(ListStoreError) {
    let page = clean.page
    for (stretch, positions) in zip(placement.stretches, placed) {
      // Rows that come between two others are at neither end of what was the joint of these.
      if let upper = stretch.upper, let lower = stretch.lower, lower < upper {
        draft.write(.dropCuts(lower + 1...upper))
      }
      if let upper = stretch.upper, let run = touched.first(where: { $0.low == upper && !$0.isEmpty }) {
        let isFirst = stretch.arrivals.first?.item.item == page.items.first?.item
        cut(below: upper, run.older.token, isFirst ? page.newerToken : nil, in: &draft)
      }
      if let lower = stretch.lower, let last = positions.last,
        let run = touched.first(where: { $0.high == lower && !$0.isEmpty })
      {
        let isLast = stretch.arrivals.last?.item.item == page.items.last?.item
        cut(below: last, isLast ? page.olderToken : nil, run.newer.token, in: &draft)
      }
    }
    if let base, let bound, placement.stretches.isEmpty {
      let (upper, lower) = base.high > bound.high ? (base, bound) : (bound, base)
      cut(below: upper.low, upper.older.token, lower.newer.token, in: &draft)
    }
  }

  private func cut<Order: OrderReading>(
    below position: Position, _ older: String?, _ newer: String?, in draft: inout OrderDraft<Order>
  ) {
    if older != nil || newer != nil { draft.write(.putCut(position: position, olderToken: older, newerToken: newer)) }
  }
}
