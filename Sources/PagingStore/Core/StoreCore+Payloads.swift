extension StoreCore {
  /// What readers see of rows that were read.
  func payloads(of rows: [StoredRow], on connection: Connection) throws(ListStoreError) -> [Window.Row] {
    rows.map { Window.Row(position: $0.position, item: $0.item, blob: $0.base) }
  }

  /// What readers see of items, by their numbers; items that are no more are left out.
  func payloads(of items: [Int64]) throws(ListStoreError) -> [(item: Int64, blob: [UInt8]?)] {
    try database.read { connection throws(ListStoreError) in
      var payloads: [(item: Int64, blob: [UInt8]?)] = []
      payloads.reserveCapacity(items.count)
      for number in items {
        guard let record = try connection.items.find(number) else { continue }
        payloads.append((number, record.base))
      }
      return payloads
    }
  }
}
