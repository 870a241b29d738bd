extension StoreCore {
  /// Takes in an answer: items, order and what continues it, in one transaction.
  func apply(
    _ page: StorePage, for request: StoreRequest, to name: ListName, policy: ListPolicy
  ) throws(ListStoreError) -> MergeOutcome {
    try commit { transaction, change throws(ListStoreError) in
      let taken = try takeItems(of: page, for: request, in: name, transaction, &change)
      guard let found = try transaction.connection.lists.find(request.departure.list) else { return taken.refused }
      let list = try pinned(found, policy: policy, transaction, &change)
      let merger = RunMerger(policy.order.rule)
      let mergePage = page.forMerging(taken, policy: policy, isBounded: request.departure.facing != nil)
      let outcome = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        var departure = request.departure
        departure.keepsAbsent = !page.provesAbsence
        return try merger.pageArrived(mergePage, for: departure, in: order, at: moment, numbers: &numbers)
      }
      try settle(list, after: request.departure, outcome, transaction, &change)
      return taken.outcome(outcome, drifted: try countConflicts(outcome, of: list, transaction))
    }
  }

  /// Puts a page in the place of all that the list holds, in one transaction.
  func replace(
    with page: StorePage, for request: StoreRequest, in name: ListName, policy: ListPolicy
  ) throws(ListStoreError) -> MergeOutcome {
    try commit { transaction, change throws(ListStoreError) in
      let taken = try takeItems(of: page, for: request, in: name, transaction, &change)
      guard let list = try transaction.connection.lists.find(request.departure.list) else { return taken.refused }
      let merger = RunMerger(policy.order.rule)
      let mergePage = page.forMerging(taken, policy: policy, isBounded: false)
      let outcome = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        try merger.refreshReplaced(by: [mergePage], for: request.departure, in: order, at: moment, numbers: &numbers)
      }
      try settle(list, after: request.departure, outcome, transaction, &change)
      return taken.outcome(outcome, drifted: try countConflicts(outcome, of: list, transaction))
    }
  }

  /// The items of a page as they were taken in.
  struct TakenItems {
    var items: [MergeItem] = []
    /// Those that readers see something else of.
    var fresher: Set<Int64> = []

    /// The outcome of an answer whose list is gone.
    var refused: MergeOutcome {
      var outcome = MergeOutcome()
      outcome.wasStale = true
      outcome.refusal = .stale
      return outcome
    }

    /// The outcome of an answer for which the merger's is this.
    func outcome(_ plan: MergePlan.Outcome, drifted: Bool) -> MergeOutcome {
      var outcome = MergeOutcome()
      outcome.inserted = plan.inserted.count
      outcome.updated = fresher.subtracting(plan.inserted).count
      outcome.moved = plan.moved.count
      outcome.removed = plan.removed.count
      outcome.closedGaps = plan.closedGaps
      outcome.wasStale = plan.wasStale
      outcome.hasDrifted = drifted
      outcome.refusal = plan.refusal
      return outcome
    }
  }

  func takeItems(
    of page: StorePage, for request: StoreRequest, in name: ListName, _ transaction: WriteTransaction,
    _ change: inout StoreChange
  ) throws(ListStoreError) -> TakenItems {
    let kind = try transaction.connection.kinds.add(name.kind)
    var taken = TakenItems()
    taken.items.reserveCapacity(page.items.count)
    let extras = try ItemExtras(transaction.connection)
    for item in page.items {
      // New items mostly come together, and so do known ones.
      let arrival = try arrived(
        item, kind: kind, asked: request.departure.started, extras: extras,
        isLikelyNew: taken.items.last?.isNew ?? true, in: transaction, change: &change)
      taken.items.append(
        MergeItem(
          arrival.number, sortBytes: item.sortBytes, tombstone: arrival.tombstone, isNew: arrival.isNew))
      if arrival.isFresher { taken.fresher.insert(arrival.number) }
    }
    return taken
  }

  /// Counts answers in a row that contradict the order.
  ///
  /// - Returns: Whether there were three.
  private func countConflicts(
    _ outcome: MergePlan.Outcome, of list: ListRecord, _ transaction: WriteTransaction
  ) throws(ListStoreError) -> Bool {
    guard outcome.refusal == nil, outcome.hasConflict || list.conflicts > 0 else { return false }
    guard var list = try transaction.connection.lists.find(list.number) else { return false }
    list.conflicts = outcome.hasConflict ? min(list.conflicts, Self.maxConflicts) + 1 : 0
    try transaction.connection.lists.update(list)
    return list.conflicts >= Self.maxConflicts
  }

  private static let maxConflicts: Int64 = 3
}

extension StorePage {
  /// What the merger is told of it.
  func forMerging(_ taken: StoreCore.TakenItems, policy: ListPolicy, isBounded: Bool) -> MergePage {
    MergePage(
      taken.items, newerToken: newerToken, olderToken: olderToken, reachedEnd: reachedEnd,
      endIsAuthoritative: policy.endIsAuthoritative, isBounded: isBounded && reachedBound)
  }
}
