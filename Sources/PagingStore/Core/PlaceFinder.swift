/// A reader's place as the store keeps it.
struct SavedPlace: Hashable, Sendable {
  /// The canonical text of the item's ID.
  var key: String
  /// Keys that the app named, the best first.
  var named: [String] = []
  /// Keys of the rows below it, away from the head, the nearest first.
  var below: [String] = []
  /// Keys of the rows above it, the nearest first.
  var above: [String] = []
  /// Its sort key, in keyed lists.
  var sortBytes: SortBytes?
  /// Where it stood; nil: it was in no list when it was saved.
  var position: Position?
  /// The list in which it stood.
  var list: Int64
  /// That list's epoch: positions of another epoch mean nothing.
  var epoch: Int64
  var offset: Double = 0
  var fraction: Double?
  var followsNewest = false
  /// When it was saved, in milliseconds since 1970.
  var savedAt: Int64 = 0
}

/// The row that a saved place leads to, and what led there.
struct FoundPlace: Hashable, Sendable {
  /// What led to a row, the best first.
  enum Way: Int, Comparable, Sendable {
    /// The saved item's own row, also under an ID that it has got since.
    case exact
    /// A row that stood near it.
    case neighbour
    /// The row next to where its sort key would be.
    case sortKey
    /// The row next to where it stood.
    case position
    /// The newest row: nothing else is left, or the reader follows the newest.
    case head

    static func < (a: Way, b: Way) -> Bool { a.rawValue < b.rawValue }
  }

  var entry: Entry
  var way: Way
}

/// Finds the row that a saved place leads to, by what is stored alone. Pure reads; nothing waits.
struct PlaceFinder {
  /// The list as it is now.
  var list: Int64
  /// Its epoch.
  var epoch: Int64
  /// The number of the item of that ID or alias; nil: not stored.
  var number: (String) throws(ListStoreError) -> Int64?

  /// The row for a place: its own; else the nearest of its neighbours, at equal distance the one below; else the row
  /// next below its sort key, or above it; else likewise by where it stood, in the same epoch of the same list; else
  /// the newest. nil: the list has no row. O(neighbours · log rows).
  func find(_ place: SavedPlace, in order: some OrderReading) throws(ListStoreError) -> FoundPlace? {
    guard let head = try head(of: order) else { return nil }
    if place.followsNewest { return FoundPlace(entry: head, way: .head) }
    if let entry = try entry(for: place.key, in: order) { return FoundPlace(entry: entry, way: .exact) }
    for key in place.named + alternating(place.below, place.above) {
      if let entry = try entry(for: key, in: order) { return FoundPlace(entry: entry, way: .neighbour) }
    }
    if let key = place.sortBytes {
      if let entry = try order.entry(olderThan: key) { return FoundPlace(entry: entry, way: .sortKey) }
      if let entry = try order.entry(newerThan: key) { return FoundPlace(entry: entry, way: .sortKey) }
    }
    if let position = place.position, place.list == list, place.epoch == epoch {
      if let entry = try order.entry(at: position) { return FoundPlace(entry: entry, way: .position) }
      if let entry = try order.entry(below: position) { return FoundPlace(entry: entry, way: .position) }
      if let entry = try order.entry(above: position) { return FoundPlace(entry: entry, way: .position) }
    }
    return FoundPlace(entry: head, way: .head)
  }

  private func head(of order: some OrderReading) throws(ListStoreError) -> Entry? {
    for run in try order.runs() where !run.isEmpty { return try order.entry(at: run.high) }
    return nil
  }

  private func entry(for key: String, in order: some OrderReading) throws(ListStoreError) -> Entry? {
    guard let item = try number(key) else { return nil }
    return try order.entry(of: item)
  }

  private func alternating(_ below: [String], _ above: [String]) -> [String] {
    var keys: [String] = []
    for index in 0..<max(below.count, above.count) {
      if index < below.count { keys.append(below[index]) }
      if index < above.count { keys.append(above[index]) }
    }
    return keys
  }
}
