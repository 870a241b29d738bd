extension RunMerger {
  /// A live event: an item was created, or its place changed. `outcome.live` says what became of it.
  ///
  /// An item goes above all others only while the head is proved current, and between others wherever its neighbours
  /// are known.
  func liveItemArrived(
    _ item: MergeItem, in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    draft.outcome.live = try settle(item, in: &draft, numbers.sequence)
    switch draft.outcome.live {
    case .appended, .inserted, .known:
      // What an earlier event said of its place is no longer so.
      if moment.held.contains(where: { $0.item.item == item.item }) { draft.write(.dropHeld(item: item.item)) }
    case .held, .ignored, nil: break
    }
    return draft.finish(&numbers)
  }

  /// The live subscription broke: the head is no longer known to be current, and what was held is dropped.
  func streamBroke(
    in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan {
    var draft = try OrderDraft(order)
    openHead(&draft)
    if !moment.held.isEmpty { draft.write(.clearHeld) }
    return draft.finish(&numbers)
  }

  private func openHead<Order: OrderReading>(_ draft: inout OrderDraft<Order>) {
    guard let head = draft.runs.first, head.newer.state == .live else { return }
    draft.runs[0].newer = RunEdge(state: .open, token: nil, generation: head.newer.generation)
  }

  private func settle<Order: OrderReading>(
    _ item: MergeItem, in draft: inout OrderDraft<Order>, _ sequence: Int64
  ) throws(ListStoreError) -> MergePlan.LivePlacement {
    guard takesLiveItems else { return .ignored }
    let stored = try draft.stored(item)
    if let stored, rule != .keyed || stored.sortBytes == item.sortBytes || item.sortBytes == nil { return .known }
    let isLive = draft.runs.first?.newer.state == .live
    let isNewest = try isAboveAll(item, in: draft)
    if item.tombstone != nil || (rule == .keyed && item.sortBytes == nil) {
      // It may be back, or its event came late: if it would be the newest row, the head is no longer known.
      if isNewest, isLive {
        openHead(&draft)
        draft.write(.setHeadSequence(sequence - 1))
      }
      return .ignored
    }
    let arrival = Arrival(item: item, from: stored)
    if isNewest {
      guard isLive else { return .held }
      draft.placeOnTop(arrival, room, placed: sequence)
      try draft.snapAll()
      return .appended
    }
    guard try !draft.placeInside([arrival], room, placed: sequence).isEmpty else { return .held }
    try draft.snapAll()
    return .inserted
  }

  /// Whether an item's place is above every row. In an opaque list a live item is taken for the newest.
  private func isAboveAll<Order: OrderReading>(
    _ item: MergeItem, in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> Bool {
    guard rule == .keyed, let key = item.sortBytes else { return true }
    return try draft.row(newerThan: key) == nil
  }

  /// After an answer, held items go where their place is now known; those that the answer should have held are dropped.
  func drainHeld<Order: OrderReading>(
    _ held: [HeldItem], into draft: inout OrderDraft<Order>, after request: MergeRequest, page: MergePage,
    isHead: Bool,
    _ numbers: inout MergeNumbers
  ) throws(ListStoreError) {
    guard !held.isEmpty, !draft.isOutOfRoom else { return }
    if rule == .keyed {
      var inside: [Arrival] = []
      let inPage = Set(page.items.map(\.item))
      for held in held {
        // A later page knows better where an item stands than the event that told of it.
        let isAnswered = try isAnswered(held.item, by: page, request, isHead: isHead, in: draft)
        let isGone = (isAnswered || inPage.contains(held.item.item)) && held.arrival <= request.started
        if let arrival = try drain(held, isGone: isGone, into: &draft, numbers.sequence) { inside.append(arrival) }
      }
      for item in try draft.placeInside(inside, room, placed: numbers.sequence).sorted() {
        draft.write(.dropHeld(item: item))
      }
      try draft.snapAll()
    } else if rule == .cursor, draft.runs.first?.newer.state == .live, isHead {
      // The stream is in order: what came before an item of the page existed when the page was made.
      let inPage = Set(page.items.map(\.item))
      let last = held.lastIndex { inPage.contains($0.item.item) } ?? -1
      for (index, held) in held.enumerated() {
        _ = try drain(held, isGone: index <= last || held.arrival <= request.started, into: &draft, numbers.sequence)
      }
    }
  }

  /// Whether an answer would have held a key, had the item existed. An answer without items speaks for what is above
  /// the head run, or, if it is the end, for all.
  private func isAnswered<Order: OrderReading>(
    _ item: MergeItem, by page: MergePage, _ request: MergeRequest, isHead: Bool, in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> Bool {
    let keys = page.items.compactMap(\.sortBytes)
    guard let key = item.sortBytes, let lowest = keys.min(), let highest = keys.max() else {
      guard isHead else { return false }
      return request.kind == .newer ? try isAboveAll(item, in: draft) : page.reachedEnd
    }
    return key >= lowest && (isHead || key <= highest)
  }

  /// Settles what needs no place or goes on top; gives back what belongs further down, if anywhere.
  private func drain<Order: OrderReading>(
    _ held: HeldItem, isGone: Bool, into draft: inout OrderDraft<Order>, _ sequence: Int64
  ) throws(ListStoreError) -> Arrival? {
    let stored = try draft.entry(of: held.item.item)
    let isSettled = stored != nil && (rule != .keyed || stored?.sortBytes == held.item.sortBytes)
    if isSettled || isGone || held.item.tombstone != nil {
      draft.write(.dropHeld(item: held.item.item))
      return nil
    }
    let arrival = Arrival(item: held.item, from: stored)
    guard try isAboveAll(held.item, in: draft) else { return arrival }
    guard draft.runs.first?.newer.state == .live else { return nil }
    draft.placeOnTop(arrival, room, placed: sequence)
    try draft.snapAll()
    draft.write(.dropHeld(item: held.item.item))
    return nil
  }
}
