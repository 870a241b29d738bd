/// Reads and writes where readers were.
struct PlaceTable {
  let connection: Connection

  /// The place of a view; nil: none is saved.
  func place(_ view: String) throws(ListStoreError) -> SavedPlace? {
    try connection.first(Self.byView, view) { row throws(ListStoreError) in
      var place = SavedPlace(
        key: try row.text(0), sortBytes: try row.optionalSortBytes(1), position: try row.optionalInt64(2),
        list: try row.int64(3), epoch: try row.int64(4), offset: try row.double(5),
        fraction: row.isNull(6) ? nil : try row.double(6), followsNewest: try row.bool(8), savedAt: try row.int64(9))
      try Self.read(row.optionalBlob(7), into: &place)
      return place
    }
  }

  /// Saves the place of a view in the feed of that number.
  func save(
    _ place: SavedPlace, view: String, feed: Int64
  ) throws(ListStoreError) {
    try connection.run(
      Self.replacement, view, feed, place.list, place.epoch, place.key, place.sortBytes, place.position, place.offset,
      place.fraction, Self.near(place), place.followsNewest, place.savedAt)
  }

  /// Forgets the place of a view.
  func delete(_ view: String) throws(ListStoreError) {
    try connection.run(Self.deletion, view)
  }

  private static func near(_ place: SavedPlace) -> [UInt8] {
    func list(_ keys: [String]) -> JSONTree { .array(keys.map { .text($0) }) }
    return JSONTree.array([list(place.named), list(place.below), list(place.above)]).encoded
  }

  /// Neighbours that can't be read cost precision only, so they are no error.
  private static func read(_ data: [UInt8]?, into place: inout SavedPlace) {
    guard let data, case .array(let parts)? = JSONTree(data), parts.count == 3 else { return }
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
  private static let deletion = SQL("DELETE FROM place WHERE view = ?")
}

extension Connection {
  /// Where readers were.
  var places: PlaceTable { PlaceTable(connection: self) }
}
