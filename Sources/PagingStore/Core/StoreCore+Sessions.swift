extension StoreCore {
  /// Puts a page into an order of its own, beside the one on screen, and shows that from now on: one transaction.
  ///
  /// The order that was shown is kept as the previous one, rows, runs and all; the one before that is given up. Where
  /// another order is shown since the question left, the page is too late: only its items are taken in.
  ///
  /// - Parameters:
  ///   - page: The rows of the new order: pages that were gathered are one.
  ///   - request: The request for the head that began it.
  ///   - session: The server's name for the session.
  ///   - until: When it ends, in milliseconds since 1970.
  func switchOver(
    to page: StorePage, for request: StoreRequest, in name: ListName, policy: ListPolicy, session: String? = nil,
    until: Int64? = nil
  ) throws(ListStoreError) -> MergeOutcome {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      let taken = try takeItems(of: page, for: request, in: name, transaction, &change)
      guard let feed = try feed(name, on: connection), feed.current == request.departure.list,
        let shown = try connection.lists.find(request.departure.list), shown.epoch == request.departure.epoch
      else { return taken.refused }
      let list = ListRecord(
        number: transaction.draw(), feed: feed.number, session: session, sessionUntil: until, total: shown.total,
        madeAt: milliseconds)
      try connection.lists.insert(list)
      var departure = request.departure
      departure.list = list.number
      departure.epoch = list.epoch
      let merger = RunMerger(policy.order.rule)
      let mergePage = page.forMerging(taken, policy: policy, isBounded: false)
      let outcome = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        try merger.refreshReplaced(by: [mergePage], for: departure, in: order, at: moment, numbers: &numbers)
      }
      try connection.sending.move(from: shown.number, to: list.number)
      if let previous = feed.previous { try connection.lists.delete(previous) }
      try connection.feeds.setLists(of: feed.number, current: list.number, previous: shown.number)
      change.switched.insert(name)
      return taken.outcome(outcome, drifted: false)
    }
  }

  /// Shows the order that was shown before the last switch, and keeps the shown one as the previous.
  ///
  /// - Returns: Whether there was one of which anything is known: the first of all is made before there is anything in
  ///   it.
  func switchBack(_ name: ListName) throws(ListStoreError) -> Bool {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      guard let feed = try feed(name, on: connection), let previous = feed.previous,
        try !connection.order(of: previous).runs().isEmpty
      else { return false }
      if let current = feed.current { try connection.sending.move(from: current, to: previous) }
      try connection.feeds.setLists(of: feed.number, current: previous, previous: feed.current)
      change.switched.insert(name)
      return true
    }
  }
}
