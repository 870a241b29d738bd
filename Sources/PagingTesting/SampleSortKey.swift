/// What a list of sample rows is sorted by: newest first, and by ID where timestamps tie.
public struct SampleSortKey: Hashable, Codable, Sendable, Comparable {
  /// The row's timestamp.
  public var timestamp: Int
  /// The row's identity, which makes keys of tied rows differ.
  public var id: Int

  /// A key; the row need not exist.
  public init(timestamp: Int, id: Int) {
    self.timestamp = timestamp
    self.id = id
  }

  /// Whether a row of key `a` stands before one of key `b`.
  public static func < (a: SampleSortKey, b: SampleSortKey) -> Bool {
    a.timestamp == b.timestamp ? a.id < b.id : a.timestamp > b.timestamp
  }
}

extension SampleItem {
  /// What the row is sorted by in a list that is newest first, for `KeysetPageSource`.
  public var sortKey: SampleSortKey { SampleSortKey(timestamp: timestamp, id: id) }
}
