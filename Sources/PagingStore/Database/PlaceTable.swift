#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads and writes where readers were.
enum PlaceTable {
  /// The place of a view; nil: none is saved.
  static func place(_ view: String, _ connection: Connection) throws(ListStoreError) -> SavedPlace? {
    try connection.first(byView, view) { row throws(ListStoreError) in
      var place = SavedPlace(
        key: try row.text(0), sortBytes: try row.optionalSortBytes(1), position: try row.optionalInt64(2),
        list: try row.int64(3), epoch: try row.int64(4), offset: try row.double(5),
        fraction: row.isNull(6) ? nil : try row.double(6), followsNewest: try row.bool(8), savedAt: try row.int64(9))
      try Self.read(row.optionalData(7), into: &place)
      return place
    }
  }

  /// Saves the place of a view in the feed of that number.
  static func save(
    _ place: SavedPlace, view: String, feed: Int64, _ connection: Connection
  ) throws(ListStoreError) {
    try connection.run(
      replacement, view, feed, place.list, place.epoch, place.key, place.sortBytes, place.position, place.offset,
      place.fraction, Data(near(place)), place.followsNewest, place.savedAt)
  }

  /// The positions at which places of a list were saved: the sweep keeps what is around them.
  static func positions(in list: Int64, feed: Int64, _ connection: Connection) throws(ListStoreError) -> [SavedPlace] {
    var places: [SavedPlace] = []
    for view in try connection.all(viewsOfFeed, feed, read: { row throws(ListStoreError) in try row.text(0) }) {
      if let place = try place(view, connection), place.list == list { places.append(place) }
    }
    return places
  }

  /// Forgets the place of a view.
  static func delete(_ view: String, _ connection: Connection) throws(ListStoreError) {
    try connection.run(deletion, view)
  }

  private static func near(_ place: SavedPlace) -> [UInt8] {
    func list(_ keys: [String]) -> JSONTree { .array(keys.map { .text($0) }) }
    return JSONTree.array([list(place.named), list(place.below), list(place.above)]).encoded
  }

  /// Neighbours that can't be read cost precision only, so they are no error.
  private static func read(_ data: Data?, into place: inout SavedPlace) {
    guard let data, case .array(let parts)? = JSONTree(Array(data)), parts.count == 3 else { return }
    let lists = parts.map { part -> [String] in
      guard case .array(let keys) = part else { return [] }
      return keys.compactMap { key in
        if case .string(let bytes) = key { String(validating: bytes, as: UTF8.self) } else { nil }
      }
    }
    place.named = lists[0]
    place.below = lists[1]
    place.above = lists[2]
  }

  private static let byView = SQL(
    """
    SELECT item_id, skey, pos, list_no, epoch, offset, fraction, near, at_head, saved_at FROM place WHERE view = ?
    """)
  private static let replacement = SQL(
    """
    INSERT OR REPLACE INTO place (view, feed_no, list_no, epoch, item_id, skey, pos, offset, fraction, near, at_head, saved_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let viewsOfFeed = SQL("SELECT view FROM place WHERE feed_no = ?")
  private static let deletion = SQL("DELETE FROM place WHERE view = ?")
}
