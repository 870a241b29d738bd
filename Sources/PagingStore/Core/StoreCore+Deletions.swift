extension StoreCore {
  /// The server deleted items: they leave all lists, their neighbours stay joined, and pages that were asked for before
  /// don't bring them back. Those that aren't stored are noted too.
  func delete(_ keys: [ItemKey], kind name: String) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      try delete(keys, kind: name, transaction, &change)
    }
  }

  /// The same within a transaction.
  func delete(
    _ keys: [ItemKey], kind name: String, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) {
    let connection = transaction.connection
    let kind = try connection.kinds.add(name)
    var leaving: [Int64: [Int64]] = [:]
    for key in keys {
      guard var record = try connection.items.find(key, kind: kind) else {
        try connection.items.insert(
          ItemRecord(
            number: transaction.draw(), kind: kind, key: key, deletedSequence: transaction.sequence,
            usedAt: milliseconds))
        continue
      }
      record.deletedSequence = transaction.sequence
      record.usedAt = milliseconds
      try connection.items.update(record)
      try transaction.failEdits(ofDeleted: record.number)
      for list in try connection.sending.remove(record.number) { change.noteTop(of: list) }
      for list in try connection.held.release(record.number) { change.noteTop(of: list) }
      for place in try ListOrder.places(of: record.number, on: connection) {
        leaving[place.list, default: []].append(record.number)
      }
      change.items.insert(record.number)
    }
    for (number, items) in leaving.sorted(by: { $0.key < $1.key }) {
      try leave(number, items, transaction, &change)
    }
  }

  /// Items leave one order, as the server has them there no more; its rows stay joined.
  func leave(
    _ number: Int64, _ items: [Int64], _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) {
    guard let list = try transaction.connection.lists.find(number),
      let name = try transaction.connection.name(ofFeed: list.feed)
    else { return }
    _ = try reorder(list, named: name, in: transaction, change: &change) {
      order, moment, numbers throws(ListStoreError) in
      // How the order is known makes no difference to what leaves it.
      try RunMerger(.cursor).deleted(items, in: order, at: moment, numbers: &numbers)
    }
  }
}
