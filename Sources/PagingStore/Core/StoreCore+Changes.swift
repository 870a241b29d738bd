// What a remote's log of changes says, taken into the store.
extension StoreCore {
  /// Where the log of a list's remote was read up to; nil: it wasn't read yet.
  ///
  /// It is kept with the order that the list shows, so it goes with it.
  func changeToken(of name: ListName) throws(ListStoreError) -> String? {
    try database.read { connection throws(ListStoreError) in try list(name, on: connection)?.session }
  }

  /// Takes in one page of a log: fresher items that are stored, deletions, and where the log goes on, in one
  /// transaction.
  ///
  /// A keyed list also gets the items whose place lies between two rows of one run.
  ///
  /// - Returns: The keys of the items that are no rows of the list now.
  func changed(
    _ upserts: [StoreItem], deletions: [ItemKey], token: String?, asked request: StoreRequest, in name: ListName,
    policy: ListPolicy
  ) throws(ListStoreError) -> Set<ItemKey> {
    try commit { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      var list = try openList(name, in: transaction)
      let kind = try connection.kinds.add(name.kind)
      try delete(deletions, kind: name.kind, transaction, &change)
      var missing: Set<ItemKey> = []
      for item in upserts {
        let isStored = try connection.items.find(item.key, kind: kind) != nil
        let entry = try entry(of: item.key, in: name, on: connection)?.entry
        var isBetween = false
        if entry == nil, policy.order == .keyed { isBetween = try isBetweenRows(item, of: list.number, connection) }
        if isStored || isBetween {
          let arrival = try arrived(
            item, kind: kind, asked: request.departure.started, in: transaction, change: &change)
          if isBetween {
            let merge = MergeItem(arrival.number, sortBytes: item.sortBytes, tombstone: arrival.tombstone)
            _ = try reorder(list, named: name, in: transaction, change: &change) {
              order, moment, numbers throws(ListStoreError) in
              try RunMerger(policy.order.rule).liveItemArrived(merge, in: order, at: moment, numbers: &numbers)
            }
            try connection.sending.remove(arrival.number, in: list.number)
          }
        }
        if entry == nil, !isBetween { missing.insert(item.key) }
      }
      if let token {
        list = try connection.lists.find(list.number) ?? list
        list.session = token
        try connection.lists.update(list)
      }
      return missing
    }
  }

  /// Whether an item belongs between two rows of one run.
  private func isBetweenRows(
    _ item: StoreItem, of list: Int64, _ connection: Connection
  ) throws(ListStoreError) -> Bool {
    guard let bytes = item.sortBytes else { return false }
    let order = connection.order(of: list)
    guard let above = try order.entry(newerThan: bytes), let below = try order.entry(olderThan: bytes) else {
      return false
    }
    return try order.runs().contains { $0.low <= below.position && above.position <= $0.high }
  }
}
