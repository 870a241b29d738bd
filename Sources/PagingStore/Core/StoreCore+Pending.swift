extension StoreCore {
  /// How many new items are counted one by one; more are "at least" so many.
  static let pendingLimit = 100
  /// How many rows are looked through for those that a rule lets count.
  private static let pendingScan = 1_000

  /// Where a list waits for the reader's word, notes which rows are shown before new ones come.
  ///
  /// To be called in the transaction, before anything is placed. Where the newest shown row has left, the next below
  /// takes its part, so that nothing new slips in under the old mark.
  ///
  /// - Returns: The list as it is then.
  func pinned(
    _ list: ListRecord, policy: ListPolicy, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) -> ListRecord {
    guard policy.freshness == .newItemsControl else { return list }
    let order = transaction.connection.order(of: list.number)
    let mark = list.shownPosition ?? .max
    var top = try order.entry(at: mark)?.position
    if top == nil { top = try order.entry(below: mark)?.position }
    guard top != list.shownPosition else { return list }
    try transaction.connection.lists.setShown(top, of: list.number)
    // The same rows are shown as before, except where none is left: then what waited is.
    if top == nil { change.noteTop(of: list.number) }
    var list = list
    list.shownPosition = top
    return list
  }

  /// Shows what is new: one transaction.
  ///
  /// - Returns: Whether anything was held back.
  @discardableResult
  func showPending(_ name: ListName) throws(ListStoreError) -> Bool {
    let isHidden = try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return false }
      return list.shownPosition != nil || list.newerHint != nil
    }
    guard isHidden else { return false }
    return try commit { transaction, change throws(ListStoreError) in
      guard let list = try list(name, on: transaction.connection) else { return false }
      try transaction.connection.lists.setShown(nil, of: list.number)
      try transaction.connection.lists.setNewerHint(nil, of: list.number)
      change.noteTop(of: list.number)
      return true
    }
  }

  /// How many new items a list holds back.
  ///
  /// - Parameters:
  ///   - name: The list.
  ///   - policy: What kind of list it is.
  ///   - counts: Whether an item counts, by its number and its contents; nil: all do.
  func pendingCount(
    of name: ListName, policy: ListPolicy, where counts: ((Int64, [UInt8]) -> Bool)? = nil
  ) throws(ListStoreError) -> PendingCount {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return .none }
      return try pendingCount(of: list, policy: policy, where: counts, on: connection)
    }
  }

  /// The same within a transaction, for whoever reads rows at the same moment.
  func pendingCount(
    of list: ListRecord, policy: ListPolicy, where counts: ((Int64, [UInt8]) -> Bool)?, on connection: Connection
  ) throws(ListStoreError) -> PendingCount {
    var pending = try stored(above: list.shownPosition, in: list, where: counts, on: connection)
    if policy.unprovenLive == .counted {
      let held = try connection.held.count(in: list.number, limit: Self.pendingLimit)
      pending.count += held
      // What else is new only a page of the head can say.
      pending.isLowerBound = pending.isLowerBound || held > 0
    }
    if let hint = list.newerHint {
      // The number is the server's, or a damaged file's.
      let (sum, overflow) = pending.count.addingReportingOverflow(Int(clamping: hint.magnitude))
      pending.count = overflow ? .max : sum
      pending.isLowerBound = pending.isLowerBound || hint < 0
    }
    return pending
  }

  private func stored(
    above shown: Position?, in list: ListRecord, where counts: ((Int64, [UInt8]) -> Bool)?, on connection: Connection
  ) throws(ListStoreError) -> PendingCount {
    guard let shown, shown < .max else { return .none }
    let order = connection.order(of: list.number)
    guard let counts else {
      let count = try order.count(above: shown, limit: Self.pendingLimit)
      guard count > 0 else { return .none }
      let hasGap = try hasGap(above: shown, in: order)
      return PendingCount(count: count, isLowerBound: count >= Self.pendingLimit || hasGap)
    }
    var pending = PendingCount.none
    let rows = try order.entries(in: (shown + 1)...(.max), limit: Self.pendingScan)
    guard !rows.isEmpty else { return .none }
    for row in rows where pending.count < Self.pendingLimit {
      guard let record = try connection.items.find(row.item), let blob = try connection.sight(of: record).blob else {
        continue
      }
      if counts(row.item, blob) { pending.count += 1 }
    }
    let hasGap = try hasGap(above: shown, in: order)
    pending.isLowerBound = pending.count >= Self.pendingLimit || rows.count >= Self.pendingScan || hasGap
    return pending
  }

  /// Whether rows may be missing among those above a position, or between them and it.
  private func hasGap(above shown: Position, in order: ListOrder) throws(ListStoreError) -> Bool {
    try order.runs().contains { !$0.isEmpty && $0.low > shown }
  }

  /// The server said how many items are newer than the newest stored one.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - isLowerBound: Whether there may be more.
  ///   - newest: The item that was the newest; where another one is now, the answer is too late.
  func hint(_ count: Int, isLowerBound: Bool, newerThan newest: Int64, in name: ListName) throws(ListStoreError) {
    // One that may be more is kept below zero.
    let value: Int64? = count > 0 ? Int64(isLowerBound ? -count : count) : nil
    try commit { transaction, change throws(ListStoreError) in
      guard let list = try list(name, on: transaction.connection), list.newerHint != value else { return }
      guard try newestItem(of: list, on: transaction.connection)?.item == newest else { return }
      try transaction.connection.lists.setNewerHint(value, of: list.number)
      change.names.insert(name)
    }
  }

  /// The newest row that is stored, shown or not.
  func newestItem(of list: ListRecord, on connection: Connection) throws(ListStoreError) -> Entry? {
    let order = connection.order(of: list.number)
    guard let run = try order.runs().first, !run.isEmpty else { return nil }
    return try order.entry(at: run.high)
  }

  /// What the server is asked to count newer items of: the newest stored row, where the head isn't known to be current.
  func pollAnchor(of name: ListName) throws(ListStoreError) -> (item: Int64, blob: [UInt8])? {
    try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return nil }
      guard try !isHeadCurrent(connection.order(of: list.number).runs(), of: name) else { return nil }
      guard let newest = try newestItem(of: list, on: connection), let record = try connection.items.find(newest.item),
        let blob = try connection.sight(of: record).blob
      else { return nil }
      return (newest.item, blob)
    }
  }
}
