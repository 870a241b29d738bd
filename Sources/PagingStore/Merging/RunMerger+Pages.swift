extension RunMerger {
  /// An answer arrived. The same answer twice is refused the second time, or changes nothing.
  func pageArrived(
    _ page: MergePage, for request: MergeRequest, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    let clean = CleanPage(page, started: request.started)
    draft.outcome.dropped = clean.dropped
    guard Self.isCurrent(request, runs: draft.runs, at: moment) else {
      draft.outcome.refusal = .stale
      return draft.finish(&numbers)
    }
    let base = draft.runs.first { $0.number == request.run }
    let bound = page.isBounded ? Self.unchangedBound(request, runs: draft.runs) : nil
    let placement = try place(clean, for: request, base: base, bound: bound, in: draft)
    draft.outcome.hasConflict = placement.hasConflict
    if let refusal = placement.refusal {
      draft.outcome.refusal = refusal
      return draft.finish(&numbers)
    }
    let merge = PageMerge(
      rule: rule, room: room, clean: clean, request: request, placement: placement, base: base, bound: bound,
      subscription: takesLiveItems ? moment.subscription : nil)
    try merge.apply(to: &draft, &numbers)
    if request.kind == .head || placement.isHead {
      draft.write(.setHeadSequence(max(request.started, moment.headSequence)))
    }
    try drainHeld(
      moment.held, into: &draft, after: request, page: page, isHead: placement.isHead, &numbers)
    return draft.finish(&numbers)
  }

  private func place<Order: OrderReading>(
    _ clean: CleanPage, for request: MergeRequest, base: Run?, bound: Run?, in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> Placement {
    switch rule {
    case .keyed:
      var placing = KeyedPlacement(draft: draft, clean: clean, request: request, base: base, bound: bound)
      return try placing.placement()
    case .cursor:
      var placing = CursorPlacement(draft: draft, clean: clean, request: request, base: base, bound: bound)
      return try placing.placement()
    case .ranked, .excluding: return try RankedPlacement.place(clean, for: request, base: base, in: draft)
    case .ids:
      var refused = Placement()
      refused.refusal = .needsReplacing
      return refused
    }
  }
}
