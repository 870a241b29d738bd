extension StoreCore {
  /// What readers see of rows that were read: the server's copies with the local edits over them.
  func payloads(of rows: [StoredRow], on connection: Connection) throws(ListStoreError) -> [Window.Row] {
    let hasNoEdits = try connection.patches.isEmpty
    var payloads: [Window.Row] = []
    payloads.reserveCapacity(rows.count)
    for row in rows {
      let blob = hasNoEdits ? row.base : try connection.patches.folded(row.base, of: row.item)
      payloads.append(Window.Row(position: row.position, item: row.item, blob: blob))
    }
    return payloads
  }

  /// What readers see of items, by their numbers; items that are no more are left out.
  func payloads(of items: [Int64]) throws(ListStoreError) -> [(item: Int64, blob: [UInt8]?)] {
    try database.read { connection throws(ListStoreError) in
      var payloads: [(item: Int64, blob: [UInt8]?)] = []
      payloads.reserveCapacity(items.count)
      for number in items {
        guard let record = try connection.items.find(number) else { continue }
        payloads.append((number, try connection.patches.folded(record.base, of: number)))
      }
      return payloads
    }
  }
}
