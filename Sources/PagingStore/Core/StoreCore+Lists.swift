#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreCore {
  /// A list as the app names it; nil: nothing was stored for it yet.
  func feed(_ name: ListName, on connection: Connection) throws(ListStoreError) -> FeedRecord? {
    guard let kind = try connection.kinds.number(of: name.kind) else { return nil }
    return try connection.feeds.find(name.name, kind: kind)
  }

  /// The order that a list shows; nil: nothing was stored for it yet.
  ///
  /// - Throws: `damaged` where an order is named and isn't there: such a list must not look empty, or be begun anew
  ///   over what is left.
  func list(_ name: ListName, on connection: Connection) throws(ListStoreError) -> ListRecord? {
    guard let current = try feed(name, on: connection)?.current else { return nil }
    if let list = try connection.lists.find(current) { return list }
    throw ListStoreError(
      .damaged,
      message:
        "The rows of the list “\(name.name)” are missing. The file is damaged: recover(to:) saves what can be read."
    )
  }

  /// The order that a list shows, which is made where there is none.
  func openList(_ name: ListName, in transaction: WriteTransaction) throws(ListStoreError) -> ListRecord {
    let connection = transaction.connection
    if let list = try list(name, on: connection) { return list }
    let kind = try connection.kinds.add(name.kind)
    var feed: FeedRecord
    if let known = try connection.feeds.find(name.name, kind: kind) {
      feed = known
    } else {
      feed = FeedRecord(number: transaction.draw(), kind: kind, name: name.name)
      try connection.feeds.insert(feed)
    }
    let list = ListRecord(number: transaction.draw(), feed: feed.number, madeAt: milliseconds)
    try connection.lists.insert(list)
    feed.current = list.number
    try connection.feeds.setLists(of: feed.number, current: feed.current, previous: feed.previous)
    return list
  }

  /// The number of an item; nil: it isn't stored.
  func number(of key: ItemKey, kind: String) throws(ListStoreError) -> Int64? {
    try database.read { connection throws(ListStoreError) in
      guard let kind = try connection.kinds.number(of: kind) else { return nil }
      return try connection.items.find(key, kind: kind)?.number
    }
  }

  /// The time of day, in milliseconds since 1970.
  var milliseconds: Int64 { Int64(exactly: (now().timeIntervalSince1970 * 1000).rounded()) ?? 0 }
}
