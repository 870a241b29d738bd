/// Where a reader is in a list: the row at the top edge of the screen, and where that edge cuts it.
public struct ListPosition<ID: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  /// The item of the first row whose top is on screen.
  public var item: ID
  /// From the edge of the screen to the top of that row, in points; the store only keeps it.
  public var offset: Double
  /// The same as a part of the row's height, for rows whose height changed meanwhile; nil: not told.
  public var fraction: Double?
  /// Items near it that may stand in for it, the best first. May be left empty: the store itself notes eight rows on
  /// either side.
  public var neighbours: [ID]
  /// Whether the reader was at the newest row and wants to be at the newest row again, whichever that is then.
  public var followsNewest: Bool

  /// A place at an item.
  ///
  /// - Parameters:
  ///   - item: The item of the first row whose top is on screen.
  ///   - offset: From the edge of the screen to the top of that row, in points.
  ///   - fraction: The same as a part of the row's height.
  ///   - neighbours: Items that may stand in for it, the best first; empty: only those that the store notes.
  ///   - followsNewest: Whether to return to the newest row instead.
  public init(
    item: ID, offset: Double = 0, fraction: Double? = nil, neighbours: [ID] = [], followsNewest: Bool = false
  ) {
    self.item = item
    self.offset = offset
    self.fraction = fraction
    self.neighbours = neighbours
    self.followsNewest = followsNewest
  }
}

/// Where a reader comes back to.
public struct RestoredPosition<ID: Hashable & Codable & Sendable>: Hashable, Sendable {
  /// The place. Where another row stands in for the saved one, `item` is that row's, and its offset and fraction are
  /// zero and nil: they belonged to the row that is gone.
  public var position: ListPosition<ID>
  /// False when the saved row is gone and its nearest survivor stands in.
  public var isExact: Bool
  /// Whether longer than the list's `staleAfter` passed since it was saved. The list then starts at the newest row; the
  /// place is still here, and its rows are still stored, for "continue where you were".
  public var isStale: Bool

  /// A place to come back to; the saved row, unless told otherwise.
  public init(position: ListPosition<ID>, isExact: Bool = true, isStale: Bool = false) {
    self.position = position
    self.isExact = isExact
    self.isStale = isStale
  }
}
