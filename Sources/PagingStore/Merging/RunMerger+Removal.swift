extension RunMerger {
  /// Items were deleted on the server. Their neighbours stay joined. The caller sets the tombstones.
  func deleted(
    _ items: [Int64], in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    for item in Set(items).sorted() {
      if let row = try draft.entry(of: item) { draft.remove(row) }
      if moment.held.contains(where: { $0.item.item == item }) { draft.write(.dropHeld(item: item)) }
    }
    try draft.snapAll()
    return draft.finish(&numbers)
  }

  /// Rows are given up to save room; a gap remains, open from both sides. In opaque lists the range begins and ends at
  /// joints: `olderToken` goes on from the row above it, `newerToken` back from the row below it.
  func evicted(
    _ range: ClosedRange<Position>, olderToken: String? = nil, newerToken: String? = nil, in order: some OrderReading,
    at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    let rows = try order.entries(in: range, limit: .max)
    guard !rows.isEmpty else { return draft.finish(&numbers) }
    for row in rows { draft.remove(row) }
    var runs: [Run] = []
    for run in draft.runs {
      guard run.low <= range.upperBound, range.lowerBound <= run.high, !run.isEmpty else {
        runs.append(run)
        continue
      }
      let keepsTop = run.high > range.upperBound
      if keepsTop, let low = try draft.row(above: range.upperBound) {
        var top = run
        top.low = low.position
        top.older = RunEdge(state: .open, token: olderToken, generation: 0)
        runs.append(top)
      }
      if run.low < range.lowerBound, let high = try draft.row(below: range.lowerBound) {
        var bottom = run
        bottom.high = high.position
        bottom.newer = RunEdge(state: .open, token: newerToken, generation: 0)
        if keepsTop { bottom.number = numbers.draw() }
        runs.append(bottom)
      }
    }
    draft.runs = runs
    // Heads and windows that were asked for before can't bring the rows back: they may lack what came in between.
    draft.write(.setHeadSequence(numbers.sequence))
    _ = numbers.draw()
    return draft.finish(&numbers)
  }

  /// The server refused the token of the edge that was continued. It is forgotten and never sent again: a keyed list
  /// goes on from its boundary row; another asks around it or walks from the head, if it can, else the edge is dead.
  func tokenRejected(
    for request: MergeRequest, canRecover: Bool, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    guard Self.isCurrent(request, runs: draft.runs, at: moment) else {
      draft.outcome.refusal = .stale
      return draft.finish(&numbers)
    }
    guard let index = draft.index(ofRun: request.run) else { return draft.finish(&numbers) }
    let goesOn = rule == .keyed || (rule == .cursor && canRecover)
    func rejected(_ edge: RunEdge) -> RunEdge {
      var edge = edge
      edge.token = nil
      guard edge.state != .live else { return edge }
      edge.failures += 1
      edge.state = goesOn && edge.failures < Self.maxFailures ? .open : .dead
      return edge
    }
    if request.kind == .older { draft.runs[index].older = rejected(draft.runs[index].older) }
    if request.kind == .newer { draft.runs[index].newer = rejected(draft.runs[index].newer) }
    return draft.finish(&numbers)
  }
}
