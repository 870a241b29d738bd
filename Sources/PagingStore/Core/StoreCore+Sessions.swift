extension StoreCore {
  /// Puts a new session of a ranked list in the place of the one on screen, in one transaction.
  ///
  /// The old one's order stays stored until the next switch. A session that was asked for before another one took its place
  /// is late: its items are stored, and nothing switches.
  ///
  /// - Parameters:
  ///   - page: The session's first rows.
  ///   - request: The request for the head that began it.
  func switchSession(
    to page: StorePage, for request: StoreRequest, in name: ListName, policy: ListPolicy
  ) throws(ListStoreError) -> MergeOutcome {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      let taken = try takeItems(of: page, for: request, in: name, transaction, &change)
      guard let feed = try feed(name, on: connection), feed.current == request.departure.list else {
        return taken.refused
      }
      let list = ListRecord(number: transaction.draw(), feed: feed.number, madeAt: milliseconds)
      try connection.lists.insert(list)
      let merger = RunMerger(policy.order.rule)
      let mergePage = page.forMerging(taken, policy: policy, isBounded: false)
      let outcome = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        var departure = request.departure
        departure.list = list.number
        departure.epoch = moment.epoch
        return try merger.refreshReplaced(by: [mergePage], for: departure, in: order, at: moment, numbers: &numbers)
      }
      guard outcome.refusal == nil else { return taken.outcome(outcome, drifted: false) }
      if let before = feed.previous { try connection.lists.delete(before) }
      try connection.feeds.setLists(of: feed.number, current: list.number, previous: feed.current)
      change.switchedFeeds.insert(feed.number)
      return taken.outcome(outcome, drifted: false)
    }
  }
}
