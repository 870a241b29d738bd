/// An item as readers see it: the server's copy with the local edits over it.
struct StoredSight: Hashable, Sendable {
  /// Its number.
  var number: Int64
  /// Encoded; nil: only its ID is known, or the server deleted it.
  var blob: [UInt8]?
  /// The server's version of the copy underneath.
  var version: Int64?
}

extension Connection {
  /// An item as readers see it; nil: there is none of that ID.
  func sight(of key: ItemKey, kind name: String) throws(ListStoreError) -> StoredSight? {
    guard let kind = try kinds.number(of: name), let record = try items.find(key, kind: kind) else { return nil }
    return try sight(of: record)
  }

  /// An item as readers see it.
  func sight(of record: ItemRecord) throws(ListStoreError) -> StoredSight {
    let blob = record.deletedSequence == nil ? try patches.folded(record.base, of: record.number) : nil
    return StoredSight(number: record.number, blob: blob, version: record.version)
  }
}

extension StoreCore {
  /// An item as readers see it; nil: there is none of that ID.
  func sight(of key: ItemKey, kind: String) throws(ListStoreError) -> StoredSight? {
    try database.read { connection throws(ListStoreError) in try connection.sight(of: key, kind: kind) }
  }

  /// What is on a detail screen, so that a sweep leaves it alone.
  var observed: Observed<Int64> { book { Observed<Int64>() } }

  /// Windows beside their lists that a pager stands in, or may come to stand in.
  var openWindows: Observed<ListName> { book { Observed<ListName>() } }
}
